package reliable

import "encoding/binary"

// sectionWriter appends one section to b.
type sectionWriter struct {
	b     []byte
	start int // position of the flags, which are written at the end
	flags byte
	count int
	after uint64 // number after that of the last fragment
	limit int    // maximum of len(b)
}

func newSectionWriter(b []byte, room int) sectionWriter {
	return sectionWriter{b: append(b, 0), start: len(b), limit: len(b) + room}
}

// finish returns b with the section, or without it if the section is empty.
func (w *sectionWriter) finish() []byte {
	flags := w.flags | byte(w.count)
	if flags == 0 {
		return w.b[:w.start]
	}
	w.b[w.start] = flags
	return w.b
}

// acknowledge writes the acknowledgement, which precedes all fragments, if there is room.
func (w *sectionWriter) acknowledge(a *acknowledgement) bool {
	holes := a.size()
	size := varintLen(a.arrived)
	if holes > 0 {
		size += 1 + holes
	}
	if len(w.b)+size > w.limit {
		return false
	}
	w.flags |= ackFlag
	w.b = binary.AppendUvarint(w.b, a.arrived)
	if holes > 0 {
		w.flags |= holesFlag
		w.b = append(append(w.b, byte(holes)), a.holes[:holes]...)
	}
	return true
}

// room returns how many bytes, at most want, fragment number may have in the rest of the section; the result is 0
// or less if there is no room.
func (w *sectionWriter) room(number uint64, want int) int {
	if w.count == countBits {
		return 0
	}
	left := w.limit - len(w.b)
	switch {
	case w.count == 0:
		left -= varintLen(number)
	case number != w.after:
		left -= varintLen(number - w.after)
	}
	if head := varintLen(uint64(want) << lengthShift); head+want <= left {
		return want
	}
	return min(want, left-2)
}

// fragment appends a fragment that fits. Numbers must ascend.
func (w *sectionWriter) fragment(number uint64, bytes []byte, continues bool) {
	head, gap := uint64(len(bytes))<<lengthShift, number-w.after
	if continues {
		head |= continuesBit
	}
	if w.count == 0 {
		w.b, gap = binary.AppendUvarint(w.b, number), 0
	}
	if gap != 0 {
		head |= gapBit
	}
	w.b = binary.AppendUvarint(w.b, head)
	if gap != 0 {
		w.b = binary.AppendUvarint(w.b, gap)
	}
	w.b = append(w.b, bytes...)
	w.after = number + 1
	w.count++
}
