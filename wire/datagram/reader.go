package datagram

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// ConsumeBlock reads the inputs of count frames from start on, which must be all of b, and pushes those that are new.
// It returns how many there were. The block may begin at any frame that is held, or at Next; a block without new inputs
// is not read. Frames before the beginning of the history are not held.
//
// After an error, frames before the faulty one may have been pushed. The errors are ErrGap, ErrConflict and
// ErrInputCode.
func (h *History) ConsumeBlock(b []byte, start uint32, count int) (fresh int, err error) {
	if uint(count) > uint(h.ample) {
		h.lengthen(2*uint32(count) + 1) // what the sender sends next begins here at the earliest
	}
	known := h.next - start // frames of the block whose inputs are known already
	if int32(known) < 0 {
		return 0, ErrGap
	}
	if known >= uint32(count) {
		return 0, nil
	}
	if known > h.ring || known > h.next-h.first {
		return 0, ErrGap
	}
	if h.width <= narrow {
		before := h.next
		err = h.readNarrow(b, start, start+uint32(count))
		return int(h.next - before), err
	}
	r := reader{history: h, frame: start, end: start + uint32(count), last: h.next - 1}
	if h.bits != 0 {
		binary.LittleEndian.PutUint64(r.input[:], h.word(start-1))
	} else {
		copy(r.input[:], h.At(start-1))
	}
	err = r.read(b)
	return int(h.next - 1 - r.last), err
}

// readNarrow does what a reader does, for inputs that are so short that a token has one byte. Nearly all games have such
// inputs; held in a register, one costs half as much.
func (h *History) readNarrow(b []byte, frame, end uint32) error {
	word, last := h.word(frame-1), h.next-1
	for len(b) > 0 {
		run, mask := uint32(b[0]>>4), b[0]&0x0F
		if mask == 0 && run != narrowRun || end-frame <= run {
			return ErrInputCode
		}
		to := frame + run
		if int32(to-last) > 0 && !h.takeWord(word, frame, to, last, false) {
			return ErrConflict
		}
		b, frame = b[1:], to+1
		if mask != 0 {
			size := bits.OnesCount8(mask)
			if mask>>h.width != 0 || len(b) < size {
				return ErrInputCode // not in the input, or cut off
			}
			changes := scatter(b, mask, word)
			if changed(changes^word) != uint64(mask) {
				return ErrInputCode // a change without a difference
			}
			word, b = changes, b[size:]
		}
		if int32(frame-last) > 0 && !h.takeWord(word, to, frame, last, mask != 0) {
			return ErrConflict
		}
	}
	if int32(end-last) > 0 && !h.takeWord(word, frame, end, last, false) {
		return ErrConflict
	}
	return nil
}

// scatter returns an input with the bytes of b, which has enough of them, in place of those in the mask.
func scatter(b []byte, mask byte, word uint64) uint64 {
	if mask == 0x0F && len(b) >= 4 { // without a loop, as some inputs mix all their bits
		return uint64(binary.LittleEndian.Uint32(b))
	}
	for _, c := range b[:bits.OnesCount8(mask)] {
		shift := 8 * bits.TrailingZeros8(mask)
		word = word&^(0xFF<<shift) | uint64(c)<<shift
		mask &= mask - 1
	}
	return word
}

// takeWord uses an input that is a word for those frames from f on, before to, that are new or the last known one; at
// least one is. last is the last frame that was known when the block began.
func (h *History) takeWord(word uint64, f, to, last uint32, changed bool) bool {
	if int32(f-last) <= 0 {
		if f = last + 1; word != h.newest {
			return false
		}
	}
	for ; f != to && f < h.limit; f++ {
		h.putWord(word)
		h.advance(word, changed)
	}
	return true
}

// reader is a block that is being read.
type reader struct {
	history    *History
	frame, end uint32
	last       uint32         // the last known frame when the block began
	input      [MaxWidth]byte // the input of the frame before, followed by zeros
}

func (r *reader) read(b []byte) error {
	width := uint(r.history.width)
	for at := uint(0); at < uint(len(b)); {
		run, mask := uint32(b[at]>>4), uint64(b[at]&0x0F)
		if width <= narrow {
			if at++; mask == 0 && run != narrowRun {
				return ErrInputCode
			}
		} else {
			var n uint
			if run, mask, n = splitWide(b[at:], width); n == 0 {
				return ErrInputCode
			}
			at += n
		}
		if r.end-r.frame <= run {
			return ErrInputCode
		}
		if !r.take(r.frame+run, false) {
			return ErrConflict
		}
		if mask>>width != 0 { // cannot happen for the largest width
			return ErrInputCode
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros64(m) % MaxWidth
			if at >= uint(len(b)) || r.input[i] == b[at] {
				return ErrInputCode // cut off, or a change without a difference
			}
			r.input[i] = b[at]
			at++
		}
		if !r.take(r.frame+1, mask != 0) {
			return ErrConflict
		}
	}
	if !r.take(r.end, false) {
		return ErrConflict
	}
	return nil
}

// splitWide reads the front of a wide token, up to the changed bytes. n is 0 if there is no valid token.
func splitWide(b []byte, width uint) (run uint32, mask uint64, n uint) {
	n = 1 + (width+7)/8
	if uint(len(b)) < n {
		return 0, 0, 0
	}
	for i, c := range b[1:n] {
		mask |= uint64(c) << (8 * i)
	}
	if mask == 0 && b[0] != wideRun {
		return 0, 0, 0
	}
	return uint32(b[0]), mask, n
}

// take uses the input for all frames from r.frame on, before to. changed, which requires a single frame, says that the
// input differs from the frame before. Of the known frames, only the last is compared: an earlier difference is either
// still visible there or has no effect, and known inputs stay in both cases.
func (r *reader) take(to uint32, changed bool) bool {
	if int32(to-r.last) <= 0 {
		r.frame = to
		return true
	}
	return r.takeLast(to, changed)
}

// takeLast uses the input for those frames that are new or the last known one, if there are any.
func (r *reader) takeLast(to uint32, changed bool) bool {
	h, f := r.history, r.frame
	word, wide := binary.LittleEndian.Uint64(r.input[:]), h.bits == 0
	r.frame = to
	if int32(f-r.last) <= 0 {
		if f = r.last + 1; word != h.newest || wide && !bytes.Equal(h.At(r.last), r.input[:h.width]) {
			return false
		}
	}
	for ; f != to && f < h.limit; f++ { // inputs beyond the limit are not taken either
		if wide {
			h.put(r.input[:])
		} else {
			h.putWord(word)
		}
		h.advance(word, changed)
	}
	return true
}
