package tbr_test

import (
	"bytes"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// example is the recording whose bytes docs/reference/recording-format.md explains: two players; the
// first presses a button, then gives an order, and the second leaves.
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
		case f == 65:
			if err := w.Optional(tbr.KindStats, []byte("hello")); err != nil {
				t.Fatal(err)
			}
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

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/reference/recording-format.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// These bytes are the format. They change with the version, never alone.
func TestFrozenExample(t *testing.T) {
	_, block, _ := strings.Cut(readPage(t), "```hex\n")
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

// A reader that was written from docs/reference/recording-format.md reads the same from all files as
// ours.
func TestThePageIsEnoughForAReader(t *testing.T) {
	files := [][]byte{example(t)}
	file, _ := small(t)
	files = append(files, file, record(t, duelHeader(60, 0), duelFrames(t, 9000)))
	for seed, s := range shapes {
		for _, first := range []uint32{0, 37, 128} {
			h := tbr.Header{Game: "g", Shape: s, TickRate: 2, HashEvery: 3, KeyframeEvery: seed % 2, Info: tbr.Info{First: first}}
			files = append(files, record(t, h, newMatch(s, uint64(seed), 290).frames(290)[first:]))
		}
	}
	files = append(files, record(t, tbr.Header{Shape: agreed.Shape{Players: 1, InputSize: 1}, TickRate: 1000}, busy(40_000)))
	for i, file := range files {
		n, r := readNaively(file), open(t, file)
		if err := r.Check(); err != nil {
			t.Fatalf("file %d: %v", i, err)
		}
		readBack(t, r, n.frames, n.header.First)
		if end, _ := r.End(); end.Digest != n.end.Digest || end.Reason != n.end.Reason || end.Next != n.next {
			t.Errorf("file %d: the end is %+v, not %+v", i, n.end, end)
		}
		if g, w := n.header, r.Header(); g.Game != w.Game || g.Seed != w.Seed || g.Created != w.Created || g.HashEvery != w.HashEvery || !slices.Equal(g.Meta, w.Meta) {
			t.Errorf("file %d: the header is %+v, not %+v", i, g, w)
		}
		count := 0
		for h, err := range r.Hashes(0) {
			if err != nil || n.hashes[h.State] != h.Hash {
				t.Fatalf("file %d: %+v, %v, want %#x", i, h, err, n.hashes[h.State])
			}
			count++
		}
		for f := range r.Keyframes() {
			if _, state, err := r.Keyframe(f); err != nil || string(state) != n.states[f] {
				t.Fatalf("file %d: keyframe %d: %v", i, f, err)
			}
			delete(n.states, f)
		}
		if count != len(n.hashes) || len(n.states) > 0 {
			t.Errorf("file %d: %d hashes of %d, %d keyframes are left", i, count, len(n.hashes), len(n.states))
		}
	}
}

// busy makes frames with so many changes in a segment that counts are halved.
func busy(n int) (frames []*agreed.Frame) {
	r := rand.New(rand.NewPCG(5, 1))
	in := []byte{0}
	for i := range n {
		if r.IntN(10) > 0 {
			in = bytes.Clone(in)
			in[0] ^= byte(1 + r.IntN(3))
		}
		frames = append(frames, &agreed.Frame{Number: uint32(i), Inputs: in})
	}
	return frames
}
