package datagram

import (
	"bytes"
	"encoding/binary"
)

// HistoryFrames is how many frames of inputs a [History] holds. At most two windows (120 frames each) and two input
// delays (60 each) of inputs can be sent by one peer and not yet acknowledged by the other; the rest is room for inputs
// repeated by a late duplicate.
const HistoryFrames = 512

// MaxWidth is the maximum size of an input in bytes.
const MaxWidth = 64

// History holds the newest inputs of one player as they are sent: all of the same width, in the order of frames,
// without gaps. It begins at frame 0, with zeros before it, or at the frame given to [History.Start].
//
// On the wire an input is coded against the one before. A block of inputs is a
// sequence of tokens; each stands for a run of frames without a change and one
// frame with one. Frames after the last token have no change.
//
//	width 1 to 4:   1 byte   run (high 4 bits), mask of changed bytes (low 4)
//	width 5 to 64:  1 byte   run
//	                w/8      mask, low byte first (w/8 rounded up)
//	then            1 each   the changed bytes, the first ones first
//
// A mask of zero, allowed only with the largest run (15 or 255), stands for one
// more frame without a change.
type History struct {
	// Keep, if it is not 0, is the number of frames whose inputs are held, instead of [HistoryFrames]: a power of two,
	// and at most that. Set it before Start. It saves memory at an endpoint that only reads blocks.
	Keep uint32
	// Least, if it is not 0, is for how many frames there is room at first: a power of two. Room is made for more, up to
	// Keep, when a block that is read needs it, and for all inputs that are pushed. Set it before Start, at an endpoint
	// that only reads blocks, each of which begins where one that was sent before it begins, or later. How far they go back
	// depends on the round trip, and is far less than Keep in nearly all matches.
	Least uint32

	width   int
	first   uint32 // the first frame of the history
	next    uint32
	limit   uint32                     // inputs from this frame on are not taken from a block
	ring    uint32                     // the number of frames held, minus 1
	ample   uint32                     // a block of more frames makes the ring longer
	bits    uint64                     // the number of bits of an input in a word; 0 if it is longer than a word
	newest  uint64                     // the first bytes of the input in the frame before next
	gone    uint64                     // the input of the last frame that is no longer held, if it fits into a word
	changes [HistoryFrames / 64]uint64 // a bit per frame: the input differs from that of the frame before
	inputs  []byte                     // the ring, and the spare room after it
}

// wordSize is the maximum size in bytes of inputs that are read and written as a word. Nearly all inputs are that
// small.
const wordSize = 8

// Init makes the history empty, with inputs of this width, 1 to [MaxWidth], from
// frame 0 on.
func (h *History) Init(width int) { h.Start(width, 0, nil) }

// Start makes the history empty, with inputs of this width, 1 to [MaxWidth], from frame next on; before is the input of
// the frame before that, or nil for zeros. It is for a peer that joins a match, or a player who comes back: inputs sent
// from frame next on can be read if both ends have the same input before it, wherever the other end began.
func (h *History) Start(width int, next uint32, before []byte) {
	var input [MaxWidth]byte // a copy, since before may be a slice of this history
	copy(input[:width], before)
	h.ring = h.most() - 1
	if h.Least != 0 {
		h.ring = min(h.ring, h.Least-1)
	}
	h.ample = h.enough()
	if h.bits = 0; width <= wordSize {
		h.bits = 1<<(8*width) - 1
	}
	// The spare room makes it possible to read the last input as a word, too; it also holds the newest input that is
	// no longer in the ring.
	size := width*int(h.ring+1) + max(width, wordSize)
	//detlint:ignore capacity all of it is cleared, and what there is too much of is only memory
	if cap(h.inputs) < size || h.Least != 0 && cap(h.inputs) > size {
		h.inputs = make([]byte, size)
	}
	h.inputs = h.inputs[:size]
	clear(h.inputs)
	h.width, h.first, h.next, h.limit = width, next, next, 1<<32-1
	copy(h.At(next-1), input[:])
	h.newest = wordOf(input[:])
}

// most returns for how many frames there is room at most.
func (h *History) most() uint32 {
	if h.Keep == 0 {
		return HistoryFrames
	}
	return h.Keep
}

// enough returns of how many frames a block may be before the ring has to be longer: half of it, so that blocks which
// were sent earlier, and arrive later, can be read, too.
func (h *History) enough() uint32 {
	if h.ring+1 == h.most() {
		return 1<<32 - 1
	}
	return h.ring / 2
}

// lengthen makes room for so many frames, as far as there may be. Those that are no longer held stay so.
func (h *History) lengthen(frames uint32) {
	old := *h
	for h.ring+1 < h.most() && h.ring+1 < frames {
		h.ring = 2*h.ring + 1
	}
	if h.ring == old.ring {
		return
	}
	h.ample = h.enough()
	h.inputs = make([]byte, h.width*int(h.ring+1)+max(h.width, wordSize))
	if h.next-h.first > old.ring {
		// Before the oldest frame that is held comes the input in the spare room.
		h.first = h.next - old.ring - 1
		if before := h.At(h.first - 1); h.bits != 0 {
			putWordOf(before, h.gone)
		} else {
			copy(before, old.spare())
		}
	} else {
		copy(h.At(h.first-1), old.At(h.first-1))
	}
	for f := h.first; f != h.next; f++ {
		copy(h.At(f), old.At(f))
	}
}

// putWordOf sets an input that fits into a word.
func putWordOf(input []byte, word uint64) {
	for i := range input {
		input[i] = byte(word >> (8 * i))
	}
}

// SetLimit makes the history ignore inputs in a peer's blocks from frame f on: they are read, but not taken. The
// default is 1<<32 - 1, which means no limit.
func (h *History) SetLimit(f uint32) { h.limit = f }

// Next returns the first frame that has no input yet.
func (h *History) Next() uint32 { return h.next }

// At returns the input of a frame. The frame must be one of the newest ones held before Next, and not before the first
// frame of the history; for the frame before the first, At returns the input given to Start. The bytes belong to the
// history.
func (h *History) At(frame uint32) []byte {
	i := int(frame&h.ring) * h.width
	return h.inputs[i : i+h.width : i+h.width]
}

// Push appends the input of frame Next.
func (h *History) Push(input []byte) {
	if h.Least != 0 && h.next-h.first >= h.ring {
		h.lengthen(2 * (h.ring + 1))
	}
	input = input[:h.width]
	word := wordOf(input)
	changed := word != h.newest
	if h.bits != 0 {
		h.putWord(word)
	} else {
		changed = changed || !bytes.Equal(input, h.At(h.next-1))
		h.put(input)
	}
	h.advance(word, changed)
}

// advance records that the input of frame Next is in its place; word is the beginning of the input.
func (h *History) advance(word uint64, changed bool) {
	bits, bit := &h.changes[h.next/64%uint32(len(h.changes))], uint64(1)<<(h.next%64)
	if changed {
		*bits |= bit
	} else {
		*bits &^= bit
	}
	h.newest = word
	h.next++
}

// wordOf returns the first bytes of an input as a number, with the first byte in its low bits.
func wordOf(input []byte) (word uint64) {
	switch {
	case len(input) == 4: // the usual case
		return uint64(binary.LittleEndian.Uint32(input))
	case len(input) >= wordSize:
		return binary.LittleEndian.Uint64(input)
	}
	for i, c := range input {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// word returns the input of a frame as a number, like wordOf. Inputs must have at most wordSize bytes.
func (h *History) word(f uint32) uint64 {
	i := int(f&h.ring) * h.width
	return binary.LittleEndian.Uint64(h.inputs[i:i+wordSize]) & h.bits
}

// putWord writes an input of at most wordSize bytes to the place of frame Next. The bytes after it, which belong to
// another frame, stay unchanged.
func (h *History) putWord(input uint64) {
	i := int(h.next&h.ring) * h.width
	here := h.inputs[i : i+wordSize]
	old := binary.LittleEndian.Uint64(here)
	h.gone = old & h.bits
	binary.LittleEndian.PutUint64(here, old&^h.bits|input)
}

// put writes a longer input to the place of frame Next.
func (h *History) put(input []byte) {
	here := h.At(h.next)
	copy(h.spare(), here)
	copy(here, input)
}

// spare returns the newest input that is no longer in the ring, if it does not fit into a word.
func (h *History) spare() []byte { return h.inputs[len(h.inputs)-h.width:] }
