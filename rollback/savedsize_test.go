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
	text, number := new(string), new(uint64)
	*text = "12345"
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
		{"a text behind a pointer", sizeOf(&text), word + 2*word + 5},
		{"a text behind an interface", sizeOf(&[]any{"abc"}), 3*word + 2*word + 2*word + 3},
		{"texts in a map", sizeOf(&map[string]string{"abc": "de"}), word + 4*word + 5},
		{"texts in structs", sizeOf(&[]struct{ name string }{{"abc"}}), 3*word + 2*word + 3},
		{"nil", sizeOf(new(*string)), word},
		{"an array of pointers", sizeOf(&[2]*uint64{number, nil}), 2*word + 8},
		{"a pointer twice", sizeOf(&[2]*uint64{number, number}), 2*word + 8},
		{"a slice of one", sizeOf(&[]uint64{1}), 3*word + 8},
		{"a slice twice", sizeOf(&[2][]uint64{one.data, one.data}), 2*3*word + 800},
		{"a map of one", sizeOf(&map[uint32]uint32{1: 2}), word + 8},
		{"an empty map", sizeOf(&map[uint32]uint32{}), word},
		{"a map twice", sizeOf(&[2]map[uint32]uint32{ints, ints}), 2*word + 16},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, c.got, c.want)
		}
	}
}

// Rule: values without pointers do not count towards the limit on the work, however
// many there are: values after them are counted.
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

// Rule: a million values are examined, and further ones are not counted.
func TestTheWorkOfSizingIsBounded(t *testing.T) {
	const (
		word    = bits.UintSize / 8
		million = 1 << 20
	)
	text := "12345"
	for _, c := range []struct{ others, want int }{ // besides them there are the slice, a pointer and a text
		{million - 3, 2*word + 5},
		{million - 2, 2 * word}, // the text is beyond
		{million - 1, 0},
	} {
		s := make([]*string, c.others+1)
		s[c.others] = &text
		if got := sizeOf(&s) - (3+len(s))*word; got != c.want {
			t.Errorf("a text behind %d values is counted with %d bytes, want %d", c.others, got, c.want)
		}
	}
}
