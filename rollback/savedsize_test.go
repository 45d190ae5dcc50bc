package rollback

import "testing"

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
	const head = 16 + 8 + 24
	for _, c := range []struct {
		name      string
		got, want int
	}{
		{"plain", sizeOf(&[4]uint64{}), 32},
		{"slice", sizeOf(&one), head + 800},
		{"circle", sizeOf(ring), head + 5 + 800},
		{"map", sizeOf(&ints), 8 + 16},
		{"any", sizeOf(&[]any{uint64(1), nil}), 24 + 2*16 + 8},
		{"texts", sizeOf(&[2]string{"abc", "de"}), 32 + 5},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, c.got, c.want)
		}
	}
}
