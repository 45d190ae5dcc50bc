package spectate

import (
	"time"

	"github.com/tickback/tickback/internal/pieces"
)

// A large state is compressed piece by piece, each on its own, as spectators need them: it would hold up
// a tick for milliseconds to do it at once, and who goes on with another host has whole pieces.

const (
	// pieceSize is how many bytes of a state a piece has; the last one has what is left.
	pieceSize = pieces.Size
	// packFrom is how large a state must be: small ones are sent in a moment.
	packFrom = 4 * pieceSize
	// packedAtOnce is how many pieces are compressed in a period of the match: that takes 0.15 to 0.2 ms.
	packedAtOnce = 7
	// packedSkip is how many pieces are sent as they are behind one that does not become
	// shorter: there are states of noise.
	packedSkip = 7
)

// packing compresses pieces of states, so many in a period of the match.
type packing struct {
	pieces.Packer
	left int           // pieces in this period
	next time.Duration // when the next period begins
}

// rest leaves what is left of this period to something else that takes time.
func (p *packing) rest() { p.left = 0 }

// refill begins a period when it is due. The next one follows the last one's time, and not that of
// this call: a match keeps pace by periods that are a little shorter, and else it would come too
// late to every second call.
func (p *packing) refill(now, period time.Duration) {
	if now < p.next {
		return
	}
	p.left = packedAtOnce
	if p.next += period; p.next <= now {
		p.next = now + period // after a pause nothing is made up for
	}
}

// packed are the pieces of a state that were compressed already.
type packed struct {
	pieces [][]byte // nil: not yet; empty: sent as it is
	skip   int      // pieces that are not tried
	ahead  int      // all pieces before were compressed
}

// piece returns a piece of a state compressed, empty if it is sent as it is, or nil if it cannot be
// compressed before the next period.
func (p *packing) piece(s *heldState, n int) []byte {
	if s.pieces == nil {
		s.pieces = make([][]byte, (len(s.bytes)+pieceSize-1)/pieceSize)
	}
	if s.pieces[n] != nil {
		return s.pieces[n]
	}
	b := []byte{}
	switch {
	case s.skip > 0:
		s.skip--
	case p.left == 0:
		return nil
	default:
		p.left--
		if b = p.Pack(s.bytes[n*pieceSize : min((n+1)*pieceSize, len(s.bytes))]); b == nil {
			b, s.skip = []byte{}, packedSkip
		}
	}
	s.pieces[n] = b
	return b
}

// chunk returns the next part of a large state for a spectator, and reports whether it must wait for the
// next period.
func (p *packing) chunk(g *spectator, m []byte) (message []byte, wait bool) {
	s := g.state
	if len(s.bytes) < packFrom || g.sent%pieceSize != 0 {
		return m, false
	}
	b := p.piece(s, g.sent/pieceSize)
	if len(b) == 0 {
		return m, b == nil
	}
	g.sent = min(g.sent+pieceSize, len(s.bytes))
	return append(append(m, messagePacked), b...), false
}

// packAhead takes a state for a newcomer that has a place and has not said yet what it has, and
// compresses the states that spectators need, before it is their turn to be sent something.
func packAhead(a *Host) {
	a.packing.refill(a.now, a.period)
	for _, g := range a.spectators {
		s := g.state
		if s == nil && g.isNewcomer() && !g.asked && needsState(a, g) {
			s = a.stateFor(g)
		}
		if s == nil || len(s.bytes) < packFrom {
			continue
		}
		for ; s.ahead*pieceSize < len(s.bytes); s.ahead++ {
			if a.packing.piece(s, s.ahead) == nil {
				return
			}
		}
	}
}

// needsState reports whether a spectator that has nothing begins with a state.
func needsState(a *Host, g *spectator) bool {
	return a.offer != nil && a.match.Marshals() && (a.log.First() > 0 || a.visibleTo(g) > a.spans.fresh)
}

// taking is how states are taken.
type taking struct {
	packing packing
	failed  error         // why the newest state could not be encoded
	retryAt time.Duration // when encoding is tried again
}
