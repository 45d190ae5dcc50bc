package held_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/bench/peers/held"
)

// Rule: the inputs are those of the file, which the program in Rust must make, too.
func TestTheInputsAreThoseOfTheProgramsInRust(t *testing.T) {
	text, err := os.ReadFile("../testdata/held.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		var n []uint64
		for _, w := range strings.Fields(line) {
			v, err := strconv.ParseUint(w, 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, v)
		}
		p := held.New(uint32(n[0]), int(n[1]))
		table := held.NewTable(uint32(n[0]), int(n[1])+1, len(n)-2)
		for f, want := range n[2:] {
			if got := uint64(p.Next()); got != want {
				t.Errorf("seed %d, player %d, frame %d: %d, want %d", n[0], n[1], f, got, want)
			}
			if got := table.At(int(n[1]), f+5*(len(n)-2)); uint64(got) != want {
				t.Errorf("seed %d, player %d: the table has %d, want %d", n[0], n[1], got, want)
			}
		}
	}
	if lines < 4 {
		t.Errorf("only %d lines", lines)
	}
}

// Rule: buttons are held, for a mean of six frames.
func TestButtonsAreHeld(t *testing.T) {
	p := held.New(7, 0)
	changes, last := 0, uint16(held.Buttons)
	const frames = 60_000
	for range frames {
		in := p.Next()
		if in >= held.Buttons {
			t.Fatalf("an input of %d", in)
		}
		if in != last {
			changes++
		}
		last = in
	}
	// One draw in 16 is what is held already.
	if want := frames / 6 * 15 / 16; changes < want*9/10 || changes > want*11/10 {
		t.Errorf("%d changes in %d frames, want about %d", changes, frames, want)
	}
}
