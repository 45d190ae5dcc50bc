package datagram

import (
	"bytes"
	"encoding/binary"
)

// HistoryFrames is how many frames of inputs a [History] holds. Between two peers
// lie at most two windows (120 frames each) and two input delays (60 each) of
// inputs that one has sent and the other has not acknowledged; the rest is room
// for those that a late duplicate repeats.
const HistoryFrames = 512

// MaxWidth is the most bytes of an input.
const MaxWidth = 64

// History holds the newest inputs of one player as they are sent: each of the
// same width, in the order of frames, without gaps: from 0 on, before which there
// are zeros, or from where [History.Start] says.
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
	// Keep, if it is not 0, is for how many frames inputs are held, instead of [HistoryFrames]: a power
	// of two up to that. Set it before Start. It is for an end that only reads blocks: such a history
	// takes less memory.
	Keep uint32

	width   int
	first   uint32 // the frame that it begins with
	next    uint32
	limit   uint32                     // inputs from there on are not taken from a block
	ring    uint32                     // frames that are held, less 1
	bits    uint64                     // of a word that an input takes, which begins with it; 0 if it is longer
	newest  uint64                     // the first bytes of the input of the frame before next
	gone    uint64                     // the input of the last frame that is not held any more, if it is a word
	changes [HistoryFrames / 64]uint64 // in which frames the input differs from that of the frame before
	inputs  []byte                     // the ring, and spare
}

// wordSize is how long an input is at most that is read and written as a word. Nearly all are.
const wordSize = 8

// Init makes the history empty, with inputs of this width, 1 to [MaxWidth], from
// frame 0 on.
func (h *History) Init(width int) { h.Start(width, 0, nil) }

// Start makes the history empty, with inputs of this width, 1 to [MaxWidth], from
// frame next on; before is the input of the frame before that, or nil for zeros.
// It is for a peer that joins a match, or a player who comes back: what is sent
// from frame next on can be read if both ends have the same input before it,
// wherever the other one began.
func (h *History) Start(width int, next uint32, before []byte) {
	var input [MaxWidth]byte // before may be a part of this history
	copy(input[:width], before)
	if h.ring = h.Keep - 1; h.Keep == 0 {
		h.ring = HistoryFrames - 1
	}
	if h.bits = 0; width <= wordSize {
		h.bits = 1<<(8*width) - 1
	}
	// The spare is for the last input to be the beginning of a word, too; or for one that is gone.
	size := width*int(h.ring+1) + max(width, wordSize)
	if cap(h.inputs) < size {
		h.inputs = make([]byte, size)
	}
	h.inputs = h.inputs[:size]
	clear(h.inputs)
	h.width, h.first, h.next, h.limit = width, next, next, 1<<32-1
	copy(h.At(next-1), input[:])
	h.newest = wordOf(input[:])
}

// SetLimit says that blocks of another peer give no new inputs from a frame on: they
// are read, and left. Without a limit it is 1<<32 - 1.
func (h *History) SetLimit(f uint32) { h.limit = f }

// Next returns the first frame of which there is no input yet.
func (h *History) Next() uint32 { return h.next }

// At returns the input of a frame, which must be one of the newest ones that are held before
// Next, and not before the one that the history began with; for the frame before that,
// the input that was given to Start. The bytes are the history's.
func (h *History) At(frame uint32) []byte {
	i := int(frame&h.ring) * h.width
	return h.inputs[i : i+h.width : i+h.width]
}

// Push appends the input of frame Next.
func (h *History) Push(input []byte) {
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

// advance counts the input of frame Next, which is in its place and begins with a word.
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

// wordOf returns the first bytes of an input as a number, the first one in its low bits.
func wordOf(input []byte) (word uint64) {
	switch {
	case len(input) == 4: // as nearly always
		return uint64(binary.LittleEndian.Uint32(input))
	case len(input) >= wordSize:
		return binary.LittleEndian.Uint64(input)
	}
	for i, c := range input {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// word returns the input of a frame, which has at most wordSize bytes, as wordOf does.
func (h *History) word(f uint32) uint64 {
	i := int(f&h.ring) * h.width
	return binary.LittleEndian.Uint64(h.inputs[i:i+wordSize]) & h.bits
}

// putWord puts such an input in the place of frame Next. The bytes behind it, of another frame,
// stay.
func (h *History) putWord(input uint64) {
	i := int(h.next&h.ring) * h.width
	here := h.inputs[i : i+wordSize]
	old := binary.LittleEndian.Uint64(here)
	h.gone = old & h.bits
	binary.LittleEndian.PutUint64(here, old&^h.bits|input)
}

// put puts a longer input there.
func (h *History) put(input []byte) {
	here := h.At(h.next)
	copy(h.spare(), here)
	copy(here, input)
}

// spare is the input of the last frame that is not held any more, if it is no word.
func (h *History) spare() []byte { return h.inputs[len(h.inputs)-h.width:] }
