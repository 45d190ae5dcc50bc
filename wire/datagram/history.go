package datagram

import (
	"encoding/binary"
	"math/bits"
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
	// takes less memory, and cannot append any.
	Keep uint32

	width  int
	first  uint32 // the frame that it begins with
	next   uint32
	limit  uint32   // inputs from there on are not taken from a block
	ring   uint32   // frames that are held, less 1
	masks  []uint64 // which bytes differ from the frame before; nil with Keep, and if there are at most 8
	small  []uint8  // the same for inputs of at most 8 bytes
	inputs []byte
}

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
		h.makeMasks(width)
	}
	size := width * int(h.ring+1)
	if cap(h.inputs) < size {
		h.inputs = make([]byte, size)
	}
	h.inputs = h.inputs[:size]
	clear(h.inputs)
	h.width, h.first, h.next, h.limit = width, next, next, 1<<32-1
	copy(h.At(next-1), input[:])
}

// makeMasks makes room for the masks of inputs of this width.
func (h *History) makeMasks(width int) {
	switch {
	case width > 8:
		if h.small = nil; h.masks == nil {
			h.masks = make([]uint64, HistoryFrames)
		}
	default:
		if h.masks = nil; h.small == nil {
			h.small = make([]uint8, HistoryFrames)
		}
	}
}

// setMask notes which bytes of a frame differ from those before.
func (h *History) setMask(f uint32, mask uint64) {
	if h.small != nil {
		h.small[f%HistoryFrames] = uint8(mask)
	} else if h.masks != nil {
		h.masks[f%HistoryFrames] = mask
	}
}

// mask returns which bytes of a frame differ from those before.
func (h *History) mask(f uint32) uint64 {
	if h.small != nil {
		return uint64(h.small[f%HistoryFrames])
	}
	return h.masks[f%HistoryFrames]
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
	before, here := h.At(h.next-1), h.At(h.next)
	if h.Keep == 0 {
		h.setMask(h.next, difference(before, input[:h.width]))
	}
	copy(here, input)
	h.next++
}

// difference returns which bytes of b are not those of a. Both are of one length,
// at most 64.
func difference(a, b []byte) (mask uint64) {
	if len(a) == 4 && len(b) == 4 {
		return uint64(changed(binary.LittleEndian.Uint32(a) ^ binary.LittleEndian.Uint32(b)))
	}
	for i := range b {
		if a[i] != b[i] {
			mask |= 1 << i
		}
	}
	return mask
}

// changed returns which bytes of x are not zero, without a branch.
func changed(x uint32) uint32 {
	x |= x >> 4
	x |= x >> 2
	x |= x >> 1
	return x & 0x01010101 * 0x10204080 >> 28
}

const (
	narrow    = 4 // bytes of an input whose token is one byte
	narrowRun = 15
	wideRun   = 255

	// maxToken is the length of the longest token, TokenSize of MaxWidth; two of them have room for a
	// change after the longest run that a history holds.
	maxToken = 1 + MaxWidth/8 + MaxWidth
)

// TokenSize is the most bytes that one frame of inputs of this width adds to a block, if
// it comes first.
func TokenSize(width int) int {
	if width <= narrow {
		return 1 + width
	}
	return 1 + (width+7)/8 + width
}

// AppendBlock appends the inputs of the frames from on, before to, as far as
// they fit into room bytes, and returns the first frame that did not. The frames
// must be held.
func (h *History) AppendBlock(b []byte, from, to uint32, room int) ([]byte, uint32) {
	largest := uint32(wideRun)
	if h.width <= narrow {
		largest = narrowRun
	}
	start := from // of the run that no token stands for yet
	for f := from; f != to; f++ {
		mask := h.mask(f)
		if mask == 0 {
			continue
		}
		if room < 2*maxToken && room < h.size(f-start, largest, mask) {
			return b, f
		}
		n := len(b)
		for ; f-start > largest; start += largest + 1 {
			b = h.appendToken(b, byte(largest), 0, f)
		}
		b = h.appendToken(b, byte(f-start), mask, f)
		room -= len(b) - n
		start = f + 1
	}
	return b, to
}

// size returns the length of the tokens of a change after a run.
func (h *History) size(run, largest uint32, mask uint64) int {
	token := 1
	if h.width > narrow {
		token += (h.width + 7) / 8
	}
	return token*int(1+run/(largest+1)) + bits.OnesCount64(mask)
}

func (h *History) appendToken(b []byte, run byte, mask uint64, f uint32) []byte {
	if h.width <= narrow {
		b = append(b, run<<4|byte(mask))
	} else {
		b = append(b, run)
		for i := 0; i < h.width; i += 8 {
			b = append(b, byte(mask>>i))
		}
	}
	input := h.At(f)
	for ; mask != 0; mask &= mask - 1 {
		b = append(b, input[bits.TrailingZeros64(mask)])
	}
	return b
}

// ConsumeBlock reads the inputs of count frames from start on, which b consists
// of, and pushes those that are new. It returns how many there were. The block
// may begin at any frame that is held, or at Next; one that holds nothing new is
// not looked at. What is before the frame that the history began with is not held.
//
// After an error, frames before the faulty one may have been pushed. The errors
// are ErrGap, ErrConflict and ErrInputCode.
func (h *History) ConsumeBlock(b []byte, start uint32, count int) (fresh int, err error) {
	known := h.next - start // frames of the block that are known
	if int32(known) < 0 {
		return 0, ErrGap
	}
	if known >= uint32(count) {
		return 0, nil
	}
	if known > h.ring || known > h.next-h.first {
		return 0, ErrGap
	}
	r := reader{history: h, frame: start, end: start + uint32(count), before: h.next}
	copy(r.input[:], h.At(start-1))
	if err := r.tokens(b); err != nil {
		return int(h.next - r.before), err
	}
	if !r.run(r.end) {
		return int(h.next - r.before), ErrConflict
	}
	return int(h.next - r.before), nil
}

// reader is a block that is being read.
type reader struct {
	history    *History
	frame, end uint32
	before     uint32 // Next of the history when it began
	input      [MaxWidth]byte
}

func (r *reader) tokens(b []byte) error {
	width := r.history.width
	for len(b) > 0 {
		run, mask, n := splitToken(b, width)
		if n == 0 {
			return ErrInputCode
		}
		b = b[n:]
		if r.end-r.frame <= uint32(run) {
			return ErrInputCode
		}
		if !r.run(r.frame + uint32(run)) {
			return ErrConflict
		}
		if width < MaxWidth && mask>>width != 0 {
			return ErrInputCode
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) % MaxWidth
			if len(b) == 0 || r.input[i] == b[0] {
				return ErrInputCode // cut off, or a change that is none
			}
			r.input[i], b = b[0], b[1:]
		}
		if !r.put(mask) {
			return ErrConflict
		}
	}
	return nil
}

// splitToken reads the front of a token, up to the changed bytes. n is 0 if it is
// none.
func splitToken(b []byte, width int) (run byte, mask uint64, n int) {
	if width <= narrow {
		run, mask = b[0]>>4, uint64(b[0]&0x0F)
		if mask == 0 && run != narrowRun {
			return 0, 0, 0
		}
		return run, mask, 1
	}
	n = 1 + (width+7)/8
	if len(b) < n {
		return 0, 0, 0
	}
	for i, c := range b[1:n] {
		mask |= uint64(c) << (8 * i)
	}
	if mask == 0 && b[0] != wideRun {
		return 0, 0, 0
	}
	return b[0], mask, n
}

// run takes r.input as that of all frames before to.
func (r *reader) run(to uint32) bool {
	if last := r.before - 1; int32(to-last) <= 0 {
		r.frame = to // all of them are known, and before the one that is compared
		return true
	}
	for r.frame != to {
		if !r.put(0) {
			return false
		}
	}
	return true
}

// put takes r.input as that of r.frame. Of the frames that are known, only the
// last is compared: a difference before shows there, or is made good by the time,
// and what is known stays in either case.
func (r *reader) put(mask uint64) bool {
	h, f := r.history, r.frame
	r.frame++
	if f == h.next {
		if f >= h.limit {
			return true // and what follows is not taken either
		}
		if here := h.At(f); len(here) == 4 {
			*(*[4]byte)(here) = [4]byte(r.input[:4])
		} else {
			copy(here, r.input[:])
		}
		h.setMask(f, mask)
		h.next++
		return true
	}
	return f+1 != h.next || difference(h.At(f), r.input[:h.width]) == 0
}
