package spectate

import (
	"time"

	"github.com/tickback/tickback/internal/pieces"
)

// A large state is compressed piece by piece, each on its own, as spectators need them: compressing it at once
// would delay a tick by milliseconds, and a spectator that continues at another host has whole pieces.

const (
	// pieceSize is the size of a piece of a state; the last one may be shorter.
	pieceSize = pieces.Size
	// packFrom is the minimum size of a state that is compressed: small ones are sent quickly anyway.
	packFrom = 4 * pieceSize
	// packedAtOnce is how many pieces are compressed per tick period of the match: that takes 0.15 to 0.2 ms.
	packedAtOnce = 7
	// packedSkip is the number of pieces that are sent uncompressed after one that could not be made shorter: some
	// states look like noise.
	packedSkip = 7
)

// packing compresses pieces of states, a limited number per tick period of the match.
type packing struct {
	pieces.Packer
	left int           // pieces left in this period
	next time.Duration // when the next period begins
}

// rest uses up the current period because of other work that takes time.
func (p *packing) rest() { p.left = 0 }

// refill begins a new period when it is due. The next period is timed from the previous one, not from this call: a
// match keeps pace by slightly shorter periods, and otherwise every second call would come too early for a new
// period.
func (p *packing) refill(now, period time.Duration) {
	if now < p.next {
		return
	}
	p.left = packedAtOnce
	if p.next += period; p.next <= now {
		p.next = now + period // after a pause nothing is caught up
	}
}

// packed holds the pieces of a state that have been compressed.
type packed struct {
	pieces [][]byte // nil: not done yet; empty: sent uncompressed
	skip   int      // number of pieces not to try
	ahead  int      // all pieces before this one were compressed
}

// piece returns a piece of a state in compressed form; empty if it is sent uncompressed, or nil if it cannot be
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

// all compresses the pieces of a large state that have not been compressed yet, and reports whether all are.
func (p *packing) all(s *heldState) bool {
	for ; len(s.bytes) >= packFrom && s.ahead*pieceSize < len(s.bytes); s.ahead++ {
		if p.piece(s, s.ahead) == nil {
			return false
		}
	}
	return true
}
