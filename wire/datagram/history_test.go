package datagram

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"testing"
)

// historyOf pushes inputs, given as hex.
func historyOf(width int, inputs ...string) *History {
	h := new(History)
	h.Init(width)
	for _, in := range inputs {
		b, err := hex.DecodeString(in)
		if err != nil || len(b) != width {
			panic(in)
		}
		h.Push(b)
	}
	return h
}

// repeat returns the same input n times.
func repeat(n int, in string) (inputs []string) {
	for range n {
		inputs = append(inputs, in)
	}
	return inputs
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Each form of a token, byte for byte.
func TestFrozenBlocks(t *testing.T) {
	wide := func(first string) string { return first + "00000000" }
	for _, c := range []struct {
		name     string
		width    int
		inputs   []string
		from, to uint32
		want     string
	}{
		{"nothing", 1, nil, 0, 0, ""},
		{"no change", 1, repeat(9, "00"), 0, 9, ""},
		{"a change at once", 1, []string{"07"}, 0, 1, "01" + "07"},
		{"a run, a change, a tail", 2, []string{"0000", "0000", "0005", "0005"}, 0, 4, "22" + "05"},
		{"two bytes", 4, []string{"05000000", "01800000"}, 1, 2, "03" + "0180"},
		{"all bytes", 4, []string{"01020304"}, 0, 1, "0f" + "01020304"},
		{"back to zero", 1, []string{"09", "00"}, 0, 2, "0109" + "0100"},
		{"the largest run", 1, join(repeat(15, "00"), []string{"01"}), 0, 16, "f1" + "01"},
		{"one more", 1, join(repeat(16, "00"), []string{"01"}), 0, 17, "f0" + "01" + "01"},
		{"two such", 1, join(repeat(32, "00"), []string{"01"}), 0, 33, "f0" + "f0" + "01" + "01"},
		{"from the middle of a run", 1, join(repeat(40, "03"), []string{"04"}), 38, 41, "21" + "04"},
		{"wide", 5, []string{wide("00"), wide("09")}, 0, 2, "0101" + "09"},
		{"wide, the last byte", 9, []string{"0000000000000000ee"}, 0, 1, "000001" + "ee"},
		{"wide, two mask bytes", 12, []string{"aa00000000000000000000bb"}, 0, 1, "000108" + "aabb"},
		{"wide, the largest run", 5, join(repeat(255, wide("00")), []string{wide("01")}), 0, 256, "ff01" + "01"},
		{"wide, one more", 5, join(repeat(256, wide("00")), []string{wide("01")}), 0, 257, "ff00" + "0001" + "01"},
	} {
		h := historyOf(c.width, c.inputs...)
		b, end := h.AppendBlock(nil, c.from, c.to, 1000)
		if got := hex.EncodeToString(b); got != c.want || end != c.to {
			t.Errorf("%s: %s up to %d, not %s", c.name, got, end, c.want)
		}
		other := historyOf(c.width, c.inputs[:c.from]...)
		if fresh, err := other.ConsumeBlock(b, c.from, int(c.to-c.from)); err != nil || uint32(fresh) != c.to-c.from {
			t.Errorf("%s: %d are read, %v", c.name, fresh, err)
		}
		for f := range c.to {
			if !bytes.Equal(other.At(f), h.At(f)) {
				t.Errorf("%s: frame %d is %x, not %x", c.name, f, other.At(f), h.At(f))
			}
		}
	}
}

// Blocks with an invalid encoding are refused, and the inputs before the error stay.
func TestFaultyBlocksAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		width  int
		count  int
		bytes  string
		fresh  int
		reason error
	}{
		{"a change to the same", 1, 2, "0100", 0, ErrInputCode},
		{"cut off", 2, 2, "0307", 0, ErrInputCode},
		{"a mask beyond the width", 3, 2, "080000", 0, ErrInputCode},
		{"no change after a short run", 1, 9, "30", 0, ErrInputCode},
		{"a run to the end", 1, 3, "3101", 0, ErrInputCode},
		{"a token after the end", 1, 1, "01010102", 1, ErrInputCode},
		{"the second of two", 1, 4, "1105" + "0105", 2, ErrInputCode},
		{"a wide run without a mask", 9, 2, "00", 0, ErrInputCode},
		{"half of a mask", 9, 2, "0001", 0, ErrInputCode},
		{"a wide mask beyond the width", 5, 2, "002001", 0, ErrInputCode},
		{"a wide mask of nothing", 5, 255, "fe00", 0, ErrInputCode},
		{"256 wide frames of 255", 5, 255, "ff00", 0, ErrInputCode},
	} {
		b, _ := hex.DecodeString(c.bytes)
		h := historyOf(c.width)
		fresh, err := h.ConsumeBlock(b, 0, c.count)
		if fresh != c.fresh || h.Next() != uint32(fresh) || !errors.Is(err, c.reason) {
			t.Errorf("%s: %d are read, %v", c.name, fresh, err)
		}
	}
}

// The longest runs may occur without a change.
func TestRunsMayEndABlock(t *testing.T) {
	for width, block := range map[int][]byte{1: {0xF0}, 5: {0xFF, 0}} {
		h := historyOf(width)
		if fresh, err := h.ConsumeBlock(block, 0, 300); fresh != 300 || err != nil {
			t.Errorf("width %d: %d are read, %v", width, fresh, err)
		}
	}
}

// Inputs are read without gaps.
func TestGapsAreRefused(t *testing.T) {
	h := historyOf(1, repeat(10, "01")...)
	for _, start := range []uint32{11, 12, 1 << 30, 1 << 31} {
		for _, count := range []int{0, 1, 511} {
			if fresh, err := h.ConsumeBlock(nil, start, count); fresh != 0 || !errors.Is(err, ErrGap) {
				t.Errorf("%d from %d: %d are read, %v", count, start, fresh, err)
			}
		}
	}
	if fresh, err := h.ConsumeBlock(nil, 10, 2); fresh != 2 || err != nil {
		t.Errorf("from the next one: %d are read, %v", fresh, err)
	}
}

// Known inputs that come again change nothing; the last known input before the new ones must be unchanged.
func TestConflictsAreRefused(t *testing.T) {
	known := []string{"01", "01", "02", "03"}
	other := historyOf(1, "01", "01", "02", "04", "05")
	for from := range uint32(4) {
		h := historyOf(1, known...)
		b, _ := other.AppendBlock(nil, from, 5, 100)
		if fresh, err := h.ConsumeBlock(b, from, int(5-from)); fresh != 0 || !errors.Is(err, ErrConflict) {
			t.Errorf("from %d: %d are read, %v", from, fresh, err)
		}
		b, _ = other.AppendBlock(nil, from, 4, 100)
		if fresh, err := h.ConsumeBlock(b, from, int(4-from)); fresh != 0 || err != nil {
			t.Errorf("from %d, nothing new: %d are read, %v", from, fresh, err)
		}
		if h.Next() != 4 || h.At(3)[0] != 3 {
			t.Errorf("from %d: frame 3 is %x, next is %d", from, h.At(3), h.Next())
		}
	}
}

// A duplicate block is not read, however old it is, and a block with new inputs is read as long as its beginning is
// held.
func TestOldBlocksAreHarmless(t *testing.T) {
	h := historyOf(1)
	for f := range 2000 {
		h.Push([]byte{byte(f / 3)})
	}
	for _, start := range []uint32{0, 1, 1000, 1999, 2000} {
		if fresh, err := h.ConsumeBlock([]byte{0xFF, 0xFF}, start, min(2000-int(start), 511)); fresh != 0 || err != nil {
			t.Errorf("from %d: %d are read, %v", start, fresh, err)
		}
	}
	last := uint32(2000 - HistoryFrames)
	if _, err := h.ConsumeBlock(nil, last, HistoryFrames+1); !errors.Is(err, ErrGap) {
		t.Errorf("from %d, which is not held: %v", last, err)
	}
	b, _ := h.AppendBlock(nil, last+1, 2000, 2000)
	if fresh, err := h.ConsumeBlock(b, last+1, HistoryFrames); fresh != 1 || err != nil {
		t.Errorf("from %d, which is: %d are read, %v", last+1, fresh, err)
	}
}

// All frames that are held can be written, even the oldest one, for which the frame before is not held; and whether
// inputs were pushed or read.
func TestTheOldestFrameIsWritten(t *testing.T) {
	for width := 1; width <= MaxWidth; width++ {
		sent, read, l := historyOf(width), historyOf(width), naiveLog{width: width}
		in := make([]byte, width)
		for f := range uint32(2*HistoryFrames + 9) {
			if f%3 > 0 {
				in[int(f/7)%width] += byte(f % 5)
			}
			sent.Push(in)
			l.inputs = append(l.inputs, bytes.Clone(in))
			b, _ := sent.AppendBlock(nil, f, f+1, 100)
			if _, err := read.ConsumeBlock(b, f, 1); err != nil {
				t.Fatal(err)
			}
			if f < HistoryFrames-1 {
				continue
			}
			from := f + 1 - HistoryFrames
			want := l.block(from, from+20)
			for name, h := range map[string]*History{"sent": sent, "read": read} {
				if b, end := h.AppendBlock(nil, from, from+20, 10_000); !bytes.Equal(b, want) || end != from+20 {
					t.Fatalf("width %d, %s, frame %d on: % x to %d, want % x", width, name, from, b, end, want)
				}
			}
		}
	}
}

// A history that is reused has nothing of its earlier content.
func TestInitForgets(t *testing.T) {
	h := historyOf(4, repeat(700, "01020304")...)
	for _, width := range []int{4, 2, 64} {
		h.Init(width)
		if h.Next() != 0 || !bytes.Equal(h.At(1<<32-1), make([]byte, width)) {
			t.Errorf("width %d: next %d, before that %x", width, h.Next(), h.At(1<<32-1))
		}
		h.Push(make([]byte, width))
		if b, _ := h.AppendBlock(nil, 0, 1, 99); len(b) != 0 {
			t.Errorf("width %d: % x", width, b)
		}
	}
}

// AppendBlock never takes more room than given, stops at a frame only if that does not fit, and continues from there.
func TestAppendBlockKeepsToItsRoom(t *testing.T) {
	players := map[string]func(f, i int) bool{ // whether byte i changes in frame f
		"busy":             func(f, i int) bool { return (f+i)%(1+f/60) == 0 },
		"the longest runs": func(f, _ int) bool { return f == 15 || f == 15+256 },
		"longer runs":      func(f, _ int) bool { return f == 299 },
	}
	for _, width := range []int{1, 4, 5, 8, 17, 64} {
		for name, changes := range players {
			h, in := historyOf(width), make([]byte, width)
			for f := range 300 {
				for i := range in {
					if changes(f, i) {
						in[i]++
					}
				}
				h.Push(in)
			}
			for room := range 400 {
				if err := checkRoom(h, room); err != nil {
					t.Fatalf("%s, width %d, room %d: %v", name, width, room, err)
				}
			}
		}
	}
}

func checkRoom(h *History, room int) error {
	b, end := h.AppendBlock(nil, 0, 300, room)
	if len(b) > room {
		return fmt.Errorf("%d bytes", len(b))
	}
	if whole, _ := h.AppendBlock(nil, 0, end, 1<<20); !bytes.Equal(whole, b) {
		return fmt.Errorf("the block to %d is % x, and % x with more room", end, b, whole)
	}
	if end == 300 {
		return nil
	}
	if more, _ := h.AppendBlock(nil, 0, end+1, 1<<20); len(more) <= room {
		return fmt.Errorf("it ends at %d, where %d bytes would do", end, len(more))
	}
	return nil
}

// The maximum that a frame adds to a block, if it comes first, is what it adds when each of its bytes changes.
func TestTheSizeOfAToken(t *testing.T) {
	for width := 1; width <= MaxWidth; width++ {
		var h History
		h.Init(width)
		h.Push(bytes.Repeat([]byte{0xFF}, width))
		b, next := h.AppendBlock(nil, 0, 1, 1<<10)
		if len(b) != TokenSize(width) || next != 1 {
			t.Errorf("%d bytes take %d, and %d are said", width, len(b), TokenSize(width))
		}
	}
	if TokenSize(MaxWidth) != maxToken {
		t.Errorf("the longest token has %d bytes, and %d are reckoned with", TokenSize(MaxWidth), maxToken)
	}
}

// Rule: a history that keeps fewer frames reads the same blocks, if they begin with a frame that it keeps; and it uses
// less memory.
func TestAHistoryKeepsFewerFrames(t *testing.T) {
	const keep = 16
	var sender History
	sender.Init(2)
	reader := History{Keep: keep}
	reader.Start(2, 0, nil)
	if len(reader.inputs) > 2*keep+wordSize {
		t.Errorf("it has room for %d bytes", len(reader.inputs))
	}
	for f := uint32(0); f < 5*keep; f++ {
		sender.Push([]byte{byte(f * 7), byte(f / 5)})
		for _, back := range []uint32{1, 4, keep, keep + 1} {
			from := f + 1 - min(back, f+1)
			b, _ := sender.AppendBlock(nil, from, f+1, 1000)
			fresh, err := reader.ConsumeBlock(b, from, int(f+1-from))
			if want := back == 1; err != nil || (fresh == 1) != want {
				t.Fatalf("frame %d, a block from %d on: %d are new, %v", f, from, fresh, err)
			}
		}
		if !bytes.Equal(reader.At(f), sender.At(f)) {
			t.Fatalf("frame %d is %x", f, reader.At(f))
		}
	}
	sender.Push([]byte{1, 1})
	b, _ := sender.AppendBlock(nil, sender.Next()-keep-1, sender.Next(), 1000)
	if _, err := reader.ConsumeBlock(b, sender.Next()-keep-1, keep+1); !errors.Is(err, ErrGap) {
		t.Errorf("a block that begins before what it keeps: %v", err)
	}
}
