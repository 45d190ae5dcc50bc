package coder

import (
	"bytes"
	"math/bits"
	"slices"
)

// low is the smallest state of the coder between two symbols. When the state falls below it, the decoder reads a word
// of 16 bits.
const low = 1 << 16

// Encoder codes the inputs of a segment.
type Encoder struct {
	tree
	spans []span // the spans of the block's symbols

	masks [maxDepth][MaxInputSize / 2]uint8
	flips [2 * MaxInputSize]uint8
}

// Init begins a segment of inputs of size bytes for each player. All inputs before it count as zero.
func (e *Encoder) Init(players, size int) { e.init(players, size) }

// Append codes the next block: rows has the inputs of all players, frame after frame, of 1 to [MaxFrames] frames. The
// decoder has to know the mark.
func (e *Encoder) Append(dst, rows []byte, mark uint16) []byte {
	row := e.players * e.size
	if row == 0 {
		return dst
	}
	e.spans = e.spans[:0]
	for p := range e.players {
		e.player(rows, p, row)
	}
	copy(e.held, rows[len(rows)-row:])
	return e.flush(dst, mark)
}

func (e *Encoder) player(rows []byte, p, row int) {
	held, from, frames := e.held[p*e.size:][:e.size], 0, len(rows)/row
	for f := range frames {
		now := rows[f*row+p*e.size:][:e.size]
		if bytes.Equal(now, held) {
			continue
		}
		e.codeGap(f - from)
		e.setChange(now, held)
		e.codeChange(0, 0)
		from, held = f+1, now
	}
	if from < frames {
		e.spans = append(e.spans, rest(e.gap, frames-from))
	}
}

func (e *Encoder) code(m *model, s int) {
	e.spans = append(e.spans, m.spans[s])
	m.see(s)
}

func (e *Encoder) codeGap(g int) {
	s, more := gapSymbol(g)
	e.code(e.gap, s)
	if more > 0 {
		e.spans = append(e.spans, further(uint32(g)&(1<<more-1), more))
	}
}

// setChange sets the nibbles of a change and their masks.
func (e *Encoder) setChange(now, held []byte) {
	for i := range 2 * e.size {
		d := (now[i/2] ^ held[i/2]) >> (4 * (i & 1)) & 15
		e.flips[i] = d
		for l, j := e.depth()-1, i; d != 0 && l >= 0; l, j = l-1, j/4 {
			e.masks[l][j/4] |= 1 << (j % 4)
		}
	}
}

// codeChange codes a node and those below it, and clears their masks.
func (e *Encoder) codeChange(level, i int) {
	if level == e.depth() {
		e.code(&e.levels[level][i], int(e.flips[i])-1)
		return
	}
	mask := e.masks[level][i]
	e.masks[level][i] = 0
	e.code(&e.levels[level][i], int(mask)-1)
	for ; mask != 0; mask &= mask - 1 {
		e.codeChange(level+1, 4*i+bits.TrailingZeros8(mask))
	}
}

// flush appends the block. The coder runs backwards, from the last symbol to the first, so that the decoder runs
// forwards. A decoder must end with the initial state, which is how it recognizes damaged blocks.
func (e *Encoder) flush(dst []byte, mark uint16) []byte {
	x, start := uint32(low|uint32(mark)), len(dst)
	for _, s := range slices.Backward(e.spans) {
		if uint64(x) >= uint64(s.length())<<(32-scaleBits) {
			dst = append(dst, byte(x>>8), byte(x))
			x >>= 16
		}
		x = x/s.length()<<scaleBits + x%s.length() + s.start()
	}
	dst = append(dst, byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
	slices.Reverse(dst[start:])
	return dst
}
