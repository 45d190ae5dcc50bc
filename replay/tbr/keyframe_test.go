package tbr_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// States that are large when compressed are keyframes of rarer segments, and the
// first one is always there.
func TestKeyframesAreWrittenWhereTheyAreSmall(t *testing.T) {
	s := agreed.Shape{Players: 1}
	for _, c := range []struct {
		name         string
		every, bytes int
		first        uint32
		want         []uint32
	}{
		{"small states", 0, 500, 0, []uint32{64, 128, 192, 256, 320, 384, 448, 512}},
		{"states of 3 KiB", 0, 3000, 0, []uint32{256, 512}},
		{"large states", 0, 70000, 0, nil},
		{"large states that begin late", 0, 70000, 70, []uint32{70}},
		{"large states that begin with a segment", 0, 70000, 64, []uint32{64}},
		{"every segment", 1, 70000, 0, []uint32{64, 128, 192, 256, 320, 384, 448, 512}},
		{"every second segment", 2, 70000, 0, []uint32{128, 256, 384, 512}},
		{"every third segment", 3, 70000, 0, []uint32{192, 384}},
		{"none", tbr.NoKeyframes, 500, 0, nil},
		{"none but the first", tbr.NoKeyframes, 500, 70, []uint32{70}},
	} {
		h := tbr.Header{Shape: s, TickRate: 1, KeyframeEvery: c.every, Info: tbr.Info{First: c.first}}
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, h)
		if err != nil {
			t.Fatal(err)
		}
		state := func(frame uint32) []byte {
			r, s := rand.New(rand.NewPCG(uint64(frame), 1)), make([]byte, c.bytes)
			for i := range s {
				s[i] = byte(r.Uint32())
			}
			return s
		}
		for f := c.first; f < 513; f++ {
			if w.WantsKeyframe() {
				if err := w.Keyframe(state(f)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Frame(&agreed.Frame{Number: f}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(tbr.End{}); err != nil {
			t.Fatal(err)
		}
		r := open(t, b.Bytes())
		if got := slices.Collect(r.Keyframes()); !slices.Equal(got, c.want) {
			t.Errorf("%s: keyframes of %d, want %d", c.name, got, c.want)
		}
		for f := range r.Keyframes() {
			if frame, got, err := r.Keyframe(f + 10); err != nil || frame != f || !bytes.Equal(got, state(f)) {
				t.Errorf("%s: keyframe of frame %d: %d, %v", c.name, f, frame, err)
			}
		}
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		cut := open(t, b.Bytes()[:b.Len()-1])
		if got := slices.Collect(cut.Keyframes()); !slices.Equal(got, c.want) {
			t.Errorf("%s: without an index, keyframes of %d, want %d", c.name, got, c.want)
		}
		if _, _, err := r.Keyframe(c.first); c.first == 0 && !errors.Is(err, tbr.ErrNoKeyframe) {
			t.Errorf("%s: the keyframe of frame 0: %v", c.name, err)
		}
	}
}

// Rule: the keyframe of segment m is written if it has up to 1 KiB when compressed, and 64 KiB
// when not, both doubled as often as 2 divides m, six times at most.
func TestHowLargeAKeyframeMayBe(t *testing.T) {
	for _, c := range []struct {
		every   int
		segment uint32
		noise   bool // it cannot be compressed
		bytes   int
		written bool
	}{
		{0, 1, true, 1 << 10, true},
		{0, 1, true, 1<<10 + 1, false},
		{0, 2, true, 2 << 10, true},
		{0, 2, true, 2<<10 + 1, false},
		{0, 3, true, 1<<10 + 1, false},
		{0, 64, true, 64 << 10, true},
		{0, 64, true, 64<<10 + 1, false},
		{0, 128, true, 64 << 10, true},
		{0, 128, true, 64<<10 + 1, false},
		{0, 1, false, 64 << 10, true},
		{0, 1, false, 64<<10 + 1, false},
		{0, 64, false, 4 << 20, true},
		{0, 64, false, 4<<20 + 1, false},
		{1, 1, false, 32 << 20, true},
	} {
		h := tbr.Header{Shape: agreed.Shape{Players: 1}, TickRate: 1, KeyframeEvery: c.every}
		state := make([]byte, c.bytes)
		if r := rand.New(rand.NewPCG(1, 1)); c.noise {
			for i := range state {
				state[i] = byte(r.Uint32())
			}
		}
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, h)
		for f := uint32(0); err == nil && f <= 64*c.segment; f++ {
			if f == 64*c.segment {
				if c.bytes == 32<<20 && !errors.Is(w.Keyframe(append(state, 0)), tbr.ErrTooLarge) {
					t.Error("a state of more than 32 MiB is taken")
				}
				err = w.Keyframe(state)
			}
			if err == nil {
				err = w.Frame(&agreed.Frame{Number: f})
			}
		}
		if err == nil {
			err = w.Close(tbr.End{})
		}
		if err != nil {
			t.Fatal(err)
		}
		_, got, err := open(t, b.Bytes()).Keyframe(64 * c.segment)
		if written := err == nil && bytes.Equal(got, state); written != c.written || !written && !errors.Is(err, tbr.ErrNoKeyframe) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Rule: a chunk that the index wrongly calls a keyframe is not read as one, even if it looks
// like the keyframe of that frame.
func TestAnotherChunkIsNoKeyframe(t *testing.T) {
	file, _ := small(t)
	stats := first(t, file, tbr.KindStats)
	fake := tbr.Replace(file[:len(file)-1], stats, stats.Flags, append([]byte{64, 0, 0, 0}, "a state"...))
	if _, got, err := open(t, fake).Keyframe(64); err != nil || string(got) == "a state" {
		t.Fatalf("%q, %v", got, err)
	}
	fake = tbr.Reindex(tbr.Replace(file, stats, stats.Flags, append([]byte{64, 0, 0, 0}, "statist"...)[:10]), func(at []int64, keyframe []bool, _ *tbr.End) {
		at[1], keyframe[1] = stats.Offset, true
	})
	if _, got, err := open(t, fake).Keyframe(64); !errors.Is(err, tbr.ErrIndex) {
		t.Errorf("%q is the state of frame 64: %v", got, err)
	}
}

// A keyframe without a following frame is not written: a recording that ends with one is the
// same as one that ends before it.
func TestAKeyframeWithoutAFrameIsNotWritten(t *testing.T) {
	s := agreed.Shape{Players: 1}
	for _, first := range []uint32{0, 64} {
		var files [2]bytes.Buffer
		for i := range files {
			w, err := tbr.NewWriter(&files[i], tbr.Header{Shape: s, TickRate: 1, Info: tbr.Info{First: first}})
			for f := first; err == nil && f < 64; f++ {
				err = w.Frame(&agreed.Frame{Number: f})
			}
			if err == nil && i == 0 {
				err = w.Keyframe([]byte("a state"))
			}
			if err == nil {
				err = w.Close(tbr.End{})
			}
			if err != nil {
				t.Fatal(err)
			}
			r := open(t, files[i].Bytes())
			if err := r.Check(); err != nil || r.Next() != 64 {
				t.Errorf("from frame %d, file %d: %v, frames up to %d", first, i, err, r.Next())
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("from frame %d: the files differ", first)
		}
	}
}

// Rule: a state that is passed to a writer remains the caller's. No later one is written into
// it, even if it could not be compressed, and so was not copied.
func TestAWriterKeepsItsHandsOffStates(t *testing.T) {
	w, err := tbr.NewWriter(io.Discard, tbr.Header{Shape: agreed.Shape{Players: 1}, TickRate: 1, KeyframeEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 1))
	noise := make([]byte, 300)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var given, kept [][]byte
	for f := range uint32(400) {
		if w.WantsKeyframe() {
			state := bytes.Repeat([]byte{byte(f)}, 300)
			if len(given)%2 == 0 {
				state = slices.Clone(noise)
			}
			given, kept = append(given, state), append(kept, slices.Clone(state))
			if err := w.Keyframe(state); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Frame(&agreed.Frame{Number: f}); err != nil {
			t.Fatal(err)
		}
	}
	if len(given) < 4 {
		t.Fatalf("only %d states were wanted", len(given))
	}
	for i := range given {
		if !bytes.Equal(given[i], kept[i]) {
			t.Errorf("state %d of the caller has changed", i)
		}
	}
}
