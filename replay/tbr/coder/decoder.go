package coder

import (
	"encoding/binary"
	"math/bits"
)

// Decoder decodes what an [Encoder] has coded.
type Decoder struct {
	tree
	x   uint32 // the state of the coder
	src []byte
	at  int // the position in src; beyond its end if src was too short

	last [2 * longest]byte // what is left at the end of src, and zeros
}

// Init begins a segment, like [Encoder.Init].
func (d *Decoder) Init(players, size int) { d.init(players, size) }

// Decode decodes the next block into rows, which must have its length. The error is [ErrData]; after it, rows and the
// decoder cannot be used until the next Init.
func (d *Decoder) Decode(rows, src []byte, mark uint16) error {
	row := d.players * d.size
	if row == 0 {
		return fail(len(src) == 0)
	}
	if len(src) < 4 || len(rows) == 0 || len(rows)%row != 0 || len(rows)/row > MaxFrames {
		return ErrData
	}
	if d.x, d.src, d.at = binary.LittleEndian.Uint32(src), src, 4; d.x < low {
		return ErrData
	}
	clear(rows)
	for p := range d.players {
		if !d.player(rows[p*d.size:], row, len(rows)/row) {
			return ErrData
		}
	}
	accumulate(rows, d.held)
	return fail(d.at == len(src) && d.x == low|uint32(mark))
}

func fail(ok bool) error {
	if !ok {
		return ErrData
	}
	return nil
}

// place returns the part of a state that determines the next symbol.
func place(x uint32) uint32 { return x & (scale - 1) }

// pass returns the state after the symbol with this span.
func pass(x uint32, s span) uint32 { return s.length()*(x>>scaleBits) + place(x) - s.start() }

// fill adds a word to a state that is too small.
func fill(x uint32, src []byte, at int) (uint32, int) {
	if x < low {
		if at+2 <= len(src) {
			x = x<<16 | uint32(binary.LittleEndian.Uint16(src[at:]))
		}
		at += 2
	}
	return x, at
}

// player decodes the changes of one player into rows, which begins with the player's first input. It returns false if
// an encoder cannot have written the changes.
func (d *Decoder) player(rows []byte, row, frames int) bool {
	small := d.depth() == 1
	for f := 0; f < frames; {
		if small {
			f = d.small(rows, row, f, frames)
		}
		gap, ok := d.next(frames - f)
		if f += gap; !ok || f >= frames {
			return ok
		}
		d.change(rows[f*row:], 0, 0)
		if f++; d.at > len(d.src) {
			return false
		}
	}
	return true
}

// next decodes a gap: with left if the player's input does not change in the frames that are left. It returns false if
// an encoder cannot have written the gap.
func (d *Decoder) next(left int) (gap int, ok bool) {
	s, found := d.gap.find(place(d.x))
	gap = int(gapBase[s&(maxSpans-1)])
	if gap >= left {
		d.pass(rest(d.gap, left))
		return left, true
	}
	d.pass(found)
	d.gap.see(s)
	if s < directGaps {
		return gap, true
	}
	more := int(gapBits[s&(maxSpans-1)])
	v := place(d.x) >> (scaleBits - more)
	d.pass(further(v, more))
	gap += int(v)
	return gap, gap < left
}

// pass goes to the state after the symbol with this span.
func (d *Decoder) pass(s span) { d.x, d.at = fill(pass(d.x, s), d.src, d.at) }

// change decodes a node of a change and those below it.
func (d *Decoder) change(to []byte, level, i int) {
	m := &d.levels[level][i]
	s, found := m.guess(place(d.x))
	d.pass(found)
	m.see(s)
	if level == d.depth() {
		to[i/2] |= byte(s+1) << (4 * (i & 1))
		return
	}
	for mask := uint8(s + 1); mask != 0; mask &= mask - 1 {
		d.change(to, level+1, 4*i+bits.TrailingZeros8(mask))
	}
}
