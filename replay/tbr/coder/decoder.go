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
	x, src, at := d.x, d.src, d.at
	for f := 0; f < frames; f++ {
		s, found := d.gap.find(place(x))
		g := int(gapBase[s&(maxSpans-1)])
		if g >= frames-f {
			x, at = fill(pass(x, rest(&d.gap, frames-f)), src, at)
			break
		}
		x, at = fill(pass(x, found), src, at)
		d.gap.see(s)
		if s >= directGaps {
			more := int(gapBits[s&(maxSpans-1)])
			v := place(x) >> (scaleBits - more)
			x, at = fill(pass(x, further(v, more)), src, at)
			if g += int(v); g >= frames-f {
				return false
			}
		}
		f += g
		if d.depth() == 1 {
			x, at = d.small(rows[f*row:], x, at)
		} else {
			d.x, d.at = x, at
			d.change(rows[f*row:], 0, 0)
			x, at = d.x, d.at
		}
		if at > len(src) {
			return false
		}
	}
	d.x, d.at = x, at
	return true
}

// small decodes a change of an input of one or two bytes.
func (d *Decoder) small(to []byte, x uint32, at int) (uint32, int) {
	root, nibbles := &d.levels[0][0], d.levels[1]
	s, found := root.guess(place(x))
	x, at = fill(pass(x, found), d.src, at)
	root.see(s)
	for mask := uint8(s + 1); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros8(mask)
		m := &nibbles[i]
		s, found = m.find(place(x))
		x, at = fill(pass(x, found), d.src, at)
		m.see(s)
		to[i/2] |= byte(s+1) << (4 * (i & 1))
	}
	return x, at
}

// change decodes a node of a change and those below it.
func (d *Decoder) change(to []byte, level, i int) {
	m := &d.levels[level][i]
	s, found := m.guess(place(d.x))
	d.x, d.at = fill(pass(d.x, found), d.src, d.at)
	m.see(s)
	if level == d.depth() {
		to[i/2] |= byte(s+1) << (4 * (i & 1))
		return
	}
	for mask := uint8(s + 1); mask != 0; mask &= mask - 1 {
		d.change(to, level+1, 4*i+bits.TrailingZeros8(mask))
	}
}
