package tbr_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// example is the recording whose bytes docs/REPLAY.md explains: two players, of whom
// the first presses a button, then gives an order, and the second goes.
func example(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, tbr.Header{
		Game: "toy", Shape: agreed.Shape{Players: 2, InputSize: 1, MaxOrders: 4}, TickRate: 1, Seed: 7, HashEvery: 4,
		Info: tbr.Info{Build: "1.0", Created: 1_700_000_000_000, First: 62, Meta: []tbr.Field{{Key: "stage", Value: "dojo"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Keyframe([]byte("state")); err != nil {
		t.Fatal(err)
	}
	for f := uint32(62); f < 70; f++ {
		frame := &agreed.Frame{Number: f, Inputs: []byte{0, 0}, Finished: f == 69, Result: 1}
		switch {
		case f == 64:
			if err := w.Keyframe([]byte("STATE")); err != nil {
				t.Fatal(err)
			}
			if err := w.Optional(tbr.KindStats, []byte("hello")); err != nil {
				t.Fatal(err)
			}
		case f == 65:
			frame.Orders = [][]byte{[]byte("go")}
		case f >= 67:
			frame.Gone = 2
		}
		if f == 65 || f == 66 {
			frame.Inputs[0] = 0x12
		}
		if err := w.Frame(frame); err != nil {
			t.Fatal(err)
		}
		if err := w.Hash(f+1, uint64(f+1)<<32|uint64(f+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(tbr.End{Chain: 3, Hashed: true, Hash: 9, Gone: 2, Reason: "end"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// These bytes are the format. They change with the version, never alone.
func TestFrozenExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/REPLAY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```hex\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	text := ""
	for line := range strings.Lines(block) {
		code, _, _ := strings.Cut(line, "  ")
		text += strings.Join(strings.Fields(code), "")
	}
	want, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := example(t); !bytes.Equal(got, want) {
		t.Fatalf("the writer writes\n%x, the page has\n%x", got, want)
	}
	if err := open(t, want).Check(); err != nil {
		t.Error(err)
	}
}
