package tbr_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// shapes of matches, from empty to the maximum.
var shapes = []agreed.Shape{{Players: 1}, {Players: 2, InputSize: 2}, {Players: 3, InputSize: 8, MaxOrders: 20}, {Players: 8, InputSize: 1}, {Players: 8, InputSize: 64, MaxOrders: 4096}, {Players: 4, InputSize: 9, MaxOrders: 1}, {Players: 9, InputSize: 2, MaxOrders: 4}, {Players: 16, InputSize: 4, MaxOrders: 64}}

// match makes frames as a match has them: most like the one before.
type match struct {
	shape  agreed.Shape
	r      *rand.Rand
	frame  agreed.Frame
	length uint32 // frames; 0 is without an end
}

func newMatch(s agreed.Shape, seed uint64, length uint32) *match {
	return &match{s, rand.New(rand.NewPCG(seed, 1)), agreed.Frame{Inputs: make([]byte, s.Players*s.InputSize)}, length}
}

// next returns the next frame, which does not change afterwards.
func (m *match) next() *agreed.Frame {
	f := &m.frame
	for i := range f.Inputs {
		if m.r.IntN(12) == 0 {
			f.Inputs[i] = byte(m.r.Uint32())
		}
	}
	if m.r.IntN(100) == 0 {
		f.Gone ^= 1 << m.r.IntN(m.shape.Players)
	}
	f.Orders = nil
	if m.shape.MaxOrders > 0 && m.r.IntN(10) == 0 {
		f.Orders = make([][]byte, m.shape.Players)
		o := make([]byte, 1+m.r.IntN(m.shape.MaxOrders))
		for i := range o {
			o[i] = byte(m.r.Uint32())
		}
		f.Orders[m.r.IntN(m.shape.Players)] = o
	}
	if f.Number+1 == m.length {
		f.Finished, f.Result = true, m.r.Uint64()
	}
	c := m.frame
	c.Inputs = slices.Clone(f.Inputs)
	f.Number++
	return &c
}

func (m *match) frames(n int) (all []*agreed.Frame) {
	for range n {
		all = append(all, m.next())
	}
	return all
}

func same(a, b *agreed.Frame) bool {
	return a.Number == b.Number && bytes.Equal(a.Inputs, b.Inputs) && a.Gone == b.Gone &&
		slices.EqualFunc(full(a.Orders), full(b.Orders), bytes.Equal) && a.Finished == b.Finished && a.Result == b.Result
}

func full(orders [][]byte) [][]byte {
	return append(slices.Clone(orders), make([][]byte, agreed.MaxPlayers-len(orders))...)
}

// hashOf and stateOf stand for a game: their results for a state are always the
// same.
func hashOf(state uint32) uint64 { return uint64(state+1) * 0x9E3779B97F4A7C15 }

func stateOf(state uint32) []byte { return bytes.Repeat(fmt.Appendf(nil, "state %d;", state), 10) }

// record writes frames as a session does, and returns the file.
func record(t testing.TB, h tbr.Header, frames []*agreed.Frame) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		write(t, w, f)
	}
	if err := w.Close(tbr.End{Reason: "done"}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func write(t testing.TB, w *tbr.Writer, f *agreed.Frame) {
	t.Helper()
	if w.WantsKeyframe() {
		if err := w.Keyframe(stateOf(f.Number)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Frame(f); err != nil {
		t.Fatal(err)
	}
	if err := w.Hash(f.Number+1, hashOf(f.Number+1)); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, file []byte) *tbr.Reader {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whatever frames are written, a reader gets them back, from any frame on, with the
// hashes and keyframes.
func TestARecordingGivesBackItsFrames(t *testing.T) {
	for seed, s := range shapes {
		for _, first := range []uint32{0, 37, 128} {
			frames := newMatch(s, uint64(seed), 290).frames(290)[first:]
			h := tbr.Header{Game: "g", Shape: s, TickRate: 2, HashEvery: 3}
			h.First = first
			r := open(t, record(t, h, frames))
			for _, from := range []uint32{first, first + 1, 130, 200, 289, 290} {
				readBack(t, r, frames, from)
			}
			checkHashes(t, r, first+1)
			checkHashes(t, r, 200)
			frame, state, err := r.Keyframe(289)
			if want := uint32(256); err != nil || frame != want || !bytes.Equal(state, stateOf(want)) {
				t.Errorf("shape %d: keyframe %d, %v", seed, frame, err)
			}
		}
	}
}

func readBack(t *testing.T, r *tbr.Reader, frames []*agreed.Frame, from uint32) {
	t.Helper()
	c, err := r.Frames(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range frames[from-r.First():] {
		f, err := c.Next()
		if err != nil {
			t.Fatalf("frame %d: %v", want.Number, err)
		}
		if !same(f, want) {
			t.Fatalf("frame %d: %+v, want %+v", want.Number, f, want)
		}
	}
	if _, err := c.Next(); err != io.EOF {
		t.Fatalf("at the end: %v", err)
	}
}

func checkHashes(t *testing.T, r *tbr.Reader, from uint32) {
	t.Helper()
	every := uint32(r.Header().HashEvery)
	want := (from + every - 1) / every * every
	for h, err := range r.Hashes(from) {
		if err != nil {
			t.Fatal(err)
		}
		if h.State != want || !h.Matches(hashOf(want)) || h.Matches(hashOf(want+1)) {
			t.Fatalf("%+v, want state %d", h, want)
		}
		want += every
	}
	if want <= r.Next() {
		t.Errorf("the hashes end before state %d", want)
	}
}

// A recording that was not closed is read up to its last block.
func TestARecordingThatWasCutIsReadUpToItsLastBlock(t *testing.T) {
	frames := newMatch(shapes[2], 1, 0).frames(290)
	whole := record(t, tbr.Header{Shape: shapes[2], TickRate: 2, HashEvery: 3}, frames)
	r := open(t, whole[:len(whole)-1])
	if err := r.Damage(); !errors.Is(err, tbr.ErrOpen) {
		t.Errorf("the damage is %v", err)
	}
	if _, closed := r.End(); closed || r.Next() != 290 {
		t.Errorf("it has frames up to %d, closed %t", r.Next(), closed)
	}
	readBack(t, r, frames, 0)
}
