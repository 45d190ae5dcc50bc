package coder

import (
	"encoding/binary"
	"math/bits"
)

// longest is at least how many bytes a change of a small input takes, with its gap: a word for each of at most seven
// symbols.
const longest = 16

// small decodes changes of a player whose inputs have one or two bytes, from frame f on. It returns the frame before
// which it stopped: before the last gap, before one that no encoder has written, or at the end of what there is.
//
// Most inputs are small, and decoding them takes most of the time of reading a recording. So there are no calls between
// the symbols of a change, and what happens rarely happens between two changes: each model codes at most one symbol of
// a change, and is recomputed after it.
func (d *Decoder) small(rows []byte, row, f, frames int) int {
	at, end := f*row, frames*row
	for d.at <= len(d.src) {
		src, from := d.src, d.at
		if from+longest > len(src) {
			clear(d.last[copy(d.last[:longest], src[from:]):])
			src, from = d.last[:], 0
		}
		was := d.at
		x, next, to := d.pair.changes(d.x, src, from, rows, row, at, end)
		d.x, d.at, at = x, was+next-from, to
		if !d.recompute() && d.at == was {
			break
		}
	}
	return at / row
}

// recompute recomputes the models of small inputs that are due, and returns whether one was.
func (d *Decoder) recompute() (due bool) {
	if d.gap.left == 0 {
		d.gap.update()
		due = true
	}
	if d.pair.root[0].left == 0 {
		d.pair.root[0].update()
		due = true
	}
	for i := range d.levels[1] {
		if m := &d.levels[1][i]; m.left == 0 {
			m.update()
			due = true
		}
	}
	return due
}

// changes decodes changes of a player into rows, of which the next one is at a place in rows. It returns the state
// after the last one, where its bytes and its row end: as soon as a model is due, there are fewer than longest bytes,
// or a gap leads to the end of the block.
//
// It is written out, since what a compiler keeps in registers decides how fast it is. Each symbol is found and passed
// as [model.find] and pass do it, and a word is added as by fill, from those that are loaded at once: with the gap at
// most three, and four nibbles have at most four more.
func (p *pair) changes(x uint32, src []byte, from int, rows []byte, row, at, end int) (uint32, int, int) {
	for from+longest <= len(src) {
		window := (*[longest]byte)(src[from:])
		words, used := binary.LittleEndian.Uint64(window[:]), uint32(0)

		s := uint(p.gap.table[x&(scale-1)>>cellBits])
		found := p.gap.spans[s&(maxSpans-1)]
		d := x&(scale-1) - found.start()
		for d >= found.length() {
			s++
			found = p.gap.spans[s&(maxSpans-1)]
			d = x&(scale-1) - found.start()
		}
		y := found.length()*(x>>scaleBits) + d
		if y < low {
			y = y<<16 | uint32(uint16(words))
			words >>= 16
			used = 16
		}

		g := s
		if s >= directGaps {
			more := uint(gapBits[s&(maxSpans-1)]) & 15
			v := y & (scale - 1) >> ((scaleBits - more) & 15)
			y = y>>scaleBits<<((scaleBits-more)&15) + y&(1<<((scaleBits-more)&15)-1)
			if y < low {
				y = y<<16 | uint32(uint16(words))
				words >>= 16
				used += 16
			}
			g = uint(gapBase[s&(maxSpans-1)]) + uint(v)
		}
		to := at + int(g)*row
		if to >= end {
			break
		}
		p.gap.counts[s&(maxSpans-1)] += increment
		p.gap.left--
		due := p.gap.left - 1

		root := &p.root[0]
		if d = y&(scale-1) - root.likely.start(); d < root.likely.length() {
			s = uint(root.top)
			y = root.likely.length()*(y>>scaleBits) + d
		} else {
			s = uint(root.table[y&(scale-1)>>cellBits])
			found = root.spans[s&(maxSpans-1)]
			d = y&(scale-1) - found.start()
			for d >= found.length() {
				s++
				found = root.spans[s&(maxSpans-1)]
				d = y&(scale-1) - found.start()
			}
			y = found.length()*(y>>scaleBits) + d
		}
		if y < low {
			y = y<<16 | uint32(uint16(words))
			used += 16
		}
		root.counts[s&(maxSpans-1)] += increment
		root.left--
		due |= root.left - 1

		words = binary.LittleEndian.Uint64(window[used/8&7:])
		for mask := uint32(s+1) & 15; mask != 0; mask &= mask - 1 {
			i := uint(bits.TrailingZeros32(mask)) & 3
			m := &p.nibbles[i]
			s = uint(m.table[y&(scale-1)>>cellBits])
			found = m.spans[s&(maxSpans-1)]
			d = y&(scale-1) - found.start()
			for d >= found.length() {
				s++
				found = m.spans[s&(maxSpans-1)]
				d = y&(scale-1) - found.start()
			}
			y = found.length()*(y>>scaleBits) + d
			if y < low {
				y = y<<16 | uint32(uint16(words))
				words >>= 16
				used += 16
			}
			m.counts[s&(maxSpans-1)] += increment
			m.left--
			due |= m.left - 1
			rows[uint(to)+i/2] |= byte(s+1) << (4 * (i & 1))
		}
		x, from, at = y, from+int(used/8), to+row
		if due < 0 {
			break
		}
	}
	return x, from, at
}
