package rollback

import (
	"math/bits"
	"testing"
)

// Rule: the size of a saved state counts all memory that it leads to, once.
func TestTheSizeOfASavedStateIsAllThatItLeadsTo(t *testing.T) {
	type node struct {
		name string
		next *node
		data []uint64
	}
	one := node{data: make([]uint64, 100)}
	ring := &node{name: "12345", data: one.data}
	ring.next = ring
	ints := map[uint32]uint32{1: 2, 3: 4}
	const (
		word = bits.UintSize / 8
		head = (2 + 1 + 3) * word
	)
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"plain", sizeOf(&[4]uint64{}), 32},
		{"slice", sizeOf(&one), head + 800},
		{"circle", sizeOf(ring), head + 5 + 800},
		{"map", sizeOf(&ints), word + 16},
		{"any", sizeOf(&[]any{uint64(1), nil}), (3+2*2)*word + 8},
		{"texts", sizeOf(&[2]string{"abc", "de"}), 2*2*word + 5},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, c.got, c.want)
		}
	}
}

// Rule: what leads nowhere takes nothing of the bound on the work, however much of it
// there is: what comes after it is counted.
func TestWhatLeadsNowhereIsNotWalked(t *testing.T) {
	type state struct {
		grid [maxSized + 1]uint8
		dots []struct{ x, y uint8 }
		name string
	}
	s := state{dots: make([]struct{ x, y uint8 }, maxSized+1), name: "12345"}
	s.grid[0] = 1
	plain := sizeOf(&state{})
	if got, want := sizeOf(&s), plain+2*(maxSized+1)+5; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
