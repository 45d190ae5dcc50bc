package datagram

import (
	"encoding/binary"
	"math/bits"
)

const (
	narrow    = 4 // the maximum size in bytes of an input whose token is one byte
	narrowRun = 15
	wideRun   = 255

	// maxToken is the length of the longest token, TokenSize of MaxWidth; two of them have room for a
	// change after the longest run that a history holds.
	maxToken = 1 + MaxWidth/8 + MaxWidth
)

// TokenSize is the maximum number of bytes that one frame of inputs of this width adds to a block, if it is the first
// frame.
func TokenSize(width int) int {
	if width <= narrow {
		return 1 + width
	}
	return 1 + (width+7)/8 + width
}

// AppendBlock appends the inputs of the frames from from to before to, as many as fit into room bytes, and returns the
// first frame that did not fit. The frames must be held.
func (h *History) AppendBlock(b []byte, from, to uint32, room int) ([]byte, uint32) {
	b, end, _ := h.appendBlock(b, from, to, room)
	return b, end
}

// appendBlock also returns the first frame after the last token.
func (h *History) appendBlock(b []byte, from, to uint32, room int) (block []byte, end, start uint32) {
	was := len(b)
	start = from // the first frame of the run for which no token has been written yet
	for at := from; at != to; {
		changes, n := h.changesFrom(at), min(to-at, 64)
		for changes &= ^uint64(0) >> ((64 - n) % 64); changes != 0; changes &= changes - 1 {
			f := at + uint32(bits.TrailingZeros64(changes))
			size := len(b)
			if b = h.appendChange(b, f-start, f, room-(size-was)); len(b) == size {
				return b, f, start
			}
			start = f + 1
		}
		at += n
	}
	return b, to, start
}

// appendChange appends the tokens of a run and of the change after it, in frame f, if they fit into room bytes.
func (h *History) appendChange(b []byte, run, f uint32, room int) []byte {
	var mask, word uint64
	oldest := h.next-f > h.ring // the frame before is not held
	switch {
	case h.bits != 0:
		before := h.gone
		if !oldest {
			before = h.word(f - 1)
		}
		word = h.word(f)
		mask = changed(word ^ before)
	case oldest:
		mask = difference(h.At(f), h.spare())
	default:
		mask = difference(h.At(f), h.At(f-1))
	}
	if room < 2*maxToken && room < h.size(run, mask) {
		return b
	}
	for largest := h.largest(); run > largest; run -= largest + 1 {
		b = h.appendHead(b, largest, 0)
	}
	b = h.appendHead(b, run, mask)
	if h.bits != 0 {
		if mask == 0x0F {
			return binary.LittleEndian.AppendUint32(b, uint32(word)) // without a loop, as some inputs mix all their bits
		}
		for ; mask != 0; mask >>= 1 {
			if mask&1 != 0 {
				b = append(b, byte(word))
			}
			word >>= 8
		}
		return b
	}
	input := h.At(f)
	for ; mask != 0; mask &= mask - 1 {
		b = append(b, input[bits.TrailingZeros64(mask)])
	}
	return b
}

// changesFrom returns, as bits, the frames among 64 in which the input differs from that of the frame before; the
// lowest bit is for frame f.
func (h *History) changesFrom(f uint32) uint64 {
	i, n := f/64, uint32(len(h.changes))
	return h.changes[i%n]>>(f%64) | h.changes[(i+1)%n]<<1<<(63-f%64)
}

// difference returns, as a mask, the bytes of b that differ from those of a. Both must have the same length, at most
// 64.
func difference(a, b []byte) (mask uint64) {
	for i := range b {
		if a[i] != b[i] {
			mask |= 1 << i
		}
	}
	return mask
}

// changed returns, as a mask, the bytes of x that are not zero, without a branch.
func changed(x uint64) uint64 {
	x |= x >> 4
	x |= x >> 2
	x |= x >> 1
	return x & 0x0101010101010101 * 0x0102040810204080 >> 56
}

// largest returns the length of the longest run that one token can represent.
func (h *History) largest() uint32 {
	if h.width <= narrow {
		return narrowRun
	}
	return wideRun
}

// size returns the length of the tokens of a change after a run.
func (h *History) size(run uint32, mask uint64) int {
	token := 1
	if h.width > narrow {
		token += (h.width + 7) / 8
	}
	return token*int(1+run/(h.largest()+1)) + bits.OnesCount64(mask)
}

// appendHead appends the part of a token that precedes the changed bytes.
func (h *History) appendHead(b []byte, run uint32, mask uint64) []byte {
	if h.width <= narrow {
		return append(b, byte(run<<4)|byte(mask))
	}
	b = append(b, byte(run))
	for i := 0; i < h.width; i += 8 {
		b = append(b, byte(mask>>i))
	}
	return b
}
