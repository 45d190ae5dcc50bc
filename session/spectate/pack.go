package spectate

import (
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/tickback/tickback/wire/datagram"
)

// A large state is compressed piece by piece, each on its own, as guests need them: it would hold up
// a tick for milliseconds to do it at once, and who goes on with another host has whole pieces.

const (
	// pieceSize is how many bytes of a state a piece has; the last one has what is left.
	pieceSize = maxChunk
	// packFrom is how large a state must be: small ones are sent in a moment.
	packFrom = 4 * pieceSize
	// packedAtOnce is how many pieces are compressed in a period of the match: that takes 0.15 to 0.2 ms.
	packedAtOnce = 7
	// packedSkip is how many pieces are sent as they are behind one that does not become
	// shorter: there are states of noise.
	packedSkip = 7
)

// packer compresses pieces of states. The same bytes give the same bytes, on every machine.
type packer struct {
	z    *zstd.Encoder
	left int           // pieces in this period
	next time.Duration // when the next period begins
}

// rest leaves what is left of this period to something else that takes time.
func (p *packer) rest() { p.left = 0 }

// ready reports whether another piece may be compressed now.
func (p *packer) ready(now, period time.Duration) bool {
	if now >= p.next {
		p.left, p.next = packedAtOnce, now+period
	}
	return p.left > 0
}

// pack returns a piece compressed, or nil if that is hardly shorter.
func (p *packer) pack(piece []byte) []byte {
	if p.z == nil {
		// These options are all valid; with a concurrency of 1 there are no goroutines.
		p.z, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithWindowSize(pieceSize), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	}
	p.left--
	if b := p.z.EncodeAll(piece, nil); len(b) < len(piece)*15/16 {
		return b
	}
	return nil
}

// packed are the pieces of a state that were compressed already.
type packed struct {
	pieces [][]byte // nil: not yet; empty: sent as it is
	skip   int      // pieces that are not tried
	ahead  int      // all pieces before were compressed
}

// prepare takes a state for a newcomer that has a seat and has not said yet what it has, and
// compresses the states that guests need, before it is their turn to be sent something.
func (a *Audience) prepare() {
	for _, g := range a.guests {
		s := g.state
		if s == nil && g.seated() && !g.asked && a.needsState(g) {
			s = a.stateFor(g)
		}
		if s == nil || len(s.bytes) < packFrom {
			continue
		}
		for ; s.ahead*pieceSize < len(s.bytes); s.ahead++ {
			if a.piece(s, s.ahead) == nil {
				return
			}
		}
	}
}

// needsState reports whether a guest that has nothing begins with a state.
func (a *Audience) needsState(g *guest) bool {
	return a.offer != nil && a.source.Marshals() && (a.log.First() > 0 || a.visibleTo(g) > a.spans.fresh)
}

// piece returns a piece of a state compressed, empty if it is sent as it is, or nil if it cannot be
// compressed before the next period.
func (a *Audience) piece(s *state, n int) []byte {
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
	case !a.packer.ready(a.now, a.period):
		return nil
	default:
		if b = a.packer.pack(s.bytes[n*pieceSize : min((n+1)*pieceSize, len(s.bytes))]); b == nil {
			b, s.skip = []byte{}, packedSkip
		}
	}
	s.pieces[n] = b
	return b
}

// packedChunk returns the next part of a large state, and reports whether it must wait for the next
// period.
func (a *Audience) packedChunk(g *guest, m []byte) (message []byte, wait bool) {
	s := g.state
	if len(s.bytes) < packFrom || g.sent%pieceSize != 0 {
		return m, false
	}
	b := a.piece(s, g.sent/pieceSize)
	if len(b) == 0 {
		return m, b == nil
	}
	g.sent = min(g.sent+pieceSize, len(s.bytes))
	return append(append(m, messagePacked), b...), false
}

// unpacker decompresses pieces.
type unpacker struct{ z *zstd.Decoder }

// unpack appends a piece to b, of which the state has so many bytes left.
func (u *unpacker) unpack(b, piece []byte, left int) ([]byte, error) {
	if u.z == nil {
		// These options are all valid. It takes no more memory than a piece has, whatever one says.
		u.z, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(1<<10+pieceSize), zstd.WithDecodeAllCapLimit(true))
	}
	most := len(b) + min(left, pieceSize)
	b = slices.Grow(b, most-len(b))
	out, err := u.z.DecodeAll(piece, b[:len(b):most])
	if err != nil || len(out) == len(b) {
		return b, datagram.ErrRange
	}
	return out, nil
}
