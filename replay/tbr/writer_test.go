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

// body returns the chunks of the body of a file, from a frame on.
func body(t *testing.T, file []byte, from uint32) (chunks [][]byte) {
	t.Helper()
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Flags&tbr.Body != 0 && c.Frame >= from {
			chunks = append(chunks, file[c.Offset:c.End()])
		}
	}
	return chunks
}

// Peers of a match write the same body, whatever else they have in their files.
func TestPeersWriteTheSameBody(t *testing.T) {
	for seed, s := range shapes {
		frames := newMatch(s, uint64(seed), 300).frames(300)
		h := tbr.Header{Shape: s, TickRate: 2, HashEvery: 3}
		one := record(t, h, frames)

		h.Info = tbr.Info{Build: "other", Recorder: "a spectator", Created: 99, Meta: []tbr.Field{{Key: "k"}}}
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, h)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range frames {
			write(t, w, f)
			if i%30 == 0 {
				if err := w.Optional(tbr.KindEffects, []byte("some")); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(tbr.End{Reason: "the disk is full"}); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(body(t, one, 0), body(t, b.Bytes(), 0), bytes.Equal) {
			t.Errorf("shape %d: the bodies differ", seed)
		}
		endOne, _ := open(t, one).End()
		if endTwo, _ := open(t, b.Bytes()).End(); endOne.Digest != endTwo.Digest || endTwo.Digest == [32]byte{} {
			t.Errorf("shape %d: the digests differ", seed)
		}
		for _, first := range []uint32{1, 100, 128, 200} {
			h.First = first
			late := record(t, h, frames[first:])
			from := (first + 127) / 128 * 128
			want := body(t, one, from)
			if got := body(t, late, from); len(want) == 0 || !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("shape %d: from frame %d on, the body of a file that begins with %d differs", seed, from, first)
			}
		}
	}
}

// The negative control of the test above.
func TestAnotherMatchHasAnotherBody(t *testing.T) {
	s := shapes[1]
	h := tbr.Header{Shape: s, TickRate: 2}
	frames := newMatch(s, 1, 0).frames(300)
	one := record(t, h, frames)
	frames[290].Inputs[0] ^= 1
	other := record(t, h, frames)
	a, b := body(t, one, 0), body(t, other, 0)
	if last := len(a) - 1; bytes.Equal(a[last], b[last]) || !bytes.Equal(a[last-1], b[last-1]) {
		t.Error("an input of the last block does not change the last chunk, or changes more")
	}
}

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

// limited is a file for which there is only so much room.
type limited struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("the disk is full")

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.room)
	l.room -= n
	l.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// When the disk is full, the error stays, and the file is what was written by then.
func TestAWriteErrorStays(t *testing.T) {
	frames := newMatch(shapes[1], 1, 0).frames(100)
	h := tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: 1}
	whole := len(record(t, h, frames))
	for room := range whole {
		file := &limited{room: room}
		w, err := tbr.NewWriter(file, h)
		for i := 0; err == nil && i < len(frames); i++ {
			if w.WantsKeyframe() {
				err = w.Keyframe(stateOf(frames[i].Number))
			}
			if err == nil {
				err = w.Frame(frames[i])
			}
			if err == nil {
				err = w.Hash(frames[i].Number+1, hashOf(frames[i].Number+1))
			}
		}
		if err == nil {
			err = w.Close(tbr.End{Reason: "done"})
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("with room for %d bytes of %d: %v", room, whole, err)
		}
		if w == nil {
			continue // not even the header
		}
		if err := w.Close(tbr.End{}); !errors.Is(err, errFull) || w.WantsKeyframe() {
			t.Fatalf("then %v", err)
		}
		r := open(t, file.Bytes())
		if err := r.Check(); !errors.Is(err, tbr.ErrOpen) && !errors.Is(err, tbr.ErrChecksum) {
			t.Fatalf("with room for %d bytes, the file is %v", room, err)
		}
		readBack(t, r, frames[:r.Next()], 0)
	}
}

func TestAWriterRefusesWhatIsNoRecording(t *testing.T) {
	for name, change := range map[string]func(*tbr.Header){
		"nine players":         func(h *tbr.Header) { h.Shape.Players = 9 },
		"no tick rate":         func(h *tbr.Header) { h.TickRate = 0 },
		"a huge tick rate":     func(h *tbr.Header) { h.TickRate = 1001 },
		"a negative HashEvery": func(h *tbr.Header) { h.HashEvery = -1 },
		"KeyframeEvery -2":     func(h *tbr.Header) { h.KeyframeEvery = -2 },
		"a long name":          func(h *tbr.Header) { h.Game = fmt.Sprint(make([]int, 200)) },
		"much data":            func(h *tbr.Header) { h.Data = make([]byte, tbr.MaxData+1) },
		"many fields":          func(h *tbr.Header) { h.Meta = make([]tbr.Field, tbr.MaxMeta+1) },
		"a long value":         func(h *tbr.Header) { h.Meta = []tbr.Field{{"k", string(make([]byte, tbr.MaxValue+1))}} },
	} {
		h := tbr.Header{Shape: shapes[1], TickRate: 60}
		change(&h)
		if _, err := tbr.NewWriter(io.Discard, h); !errors.Is(err, tbr.ErrHeader) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w, err := tbr.NewWriter(io.Discard, tbr.Header{Shape: shapes[2], TickRate: 1, HashEvery: 2, Info: tbr.Info{First: 10}})
	if err != nil {
		t.Fatal(err)
	}
	in := make([]byte, 24)
	refuse := func(name string, got, want error) {
		t.Helper()
		if !errors.Is(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	refuse("a late frame without a keyframe", w.Frame(&agreed.Frame{Number: 10, Inputs: in}), tbr.ErrGap)
	refuse("a state that is too large", w.Keyframe(make([]byte, tbr.MaxState+1)), tbr.ErrTooLarge)
	refuse("a keyframe", w.Keyframe([]byte("state")), nil)
	refuse("a second keyframe", w.Keyframe([]byte("state")), tbr.ErrGap)
	refuse("another frame", w.Frame(&agreed.Frame{Number: 11, Inputs: in}), tbr.ErrGap)
	refuse("other inputs", w.Frame(&agreed.Frame{Number: 10, Inputs: in[1:]}), tbr.ErrShape)
	refuse("a fourth player gone", w.Frame(&agreed.Frame{Number: 10, Inputs: in, Gone: 8}), tbr.ErrShape)
	refuse("long orders", w.Frame(&agreed.Frame{Number: 10, Inputs: in, Orders: [][]byte{make([]byte, 21)}}), tbr.ErrShape)
	refuse("a hash of a state that is not due", w.Hash(11, 1), nil)
	refuse("a hash of a state to come", w.Hash(12, 1), tbr.ErrGap)
	refuse("a frame", w.Frame(&agreed.Frame{Number: 10, Inputs: in}), nil)
	refuse("a frame", w.Frame(&agreed.Frame{Number: 11, Inputs: in}), nil)
	refuse("a frame before a hash", w.Frame(&agreed.Frame{Number: 12, Inputs: in}), tbr.ErrGap)
	refuse("a hash", w.Hash(12, 1), nil)
	refuse("a hash again", w.Hash(12, 1), tbr.ErrGap)
	refuse("frames as an optional chunk", w.Optional(tbr.KindFrames, nil), tbr.ErrKind)
	refuse("a kind of no letters", w.Optional(tbr.Kind{}, nil), tbr.ErrKind)
	refuse("the last frame", w.Frame(&agreed.Frame{Number: 12, Inputs: in, Finished: true}), nil)
	refuse("a frame after the last one", w.Frame(&agreed.Frame{Number: 13, Inputs: in}), tbr.ErrGap)
	refuse("a long reason", w.Close(tbr.End{Reason: string(make([]byte, 256))}), tbr.ErrTooLarge)
	refuse("closing", w.Close(tbr.End{}), nil)
	refuse("closing again", w.Close(tbr.End{}), tbr.ErrClosed)
	refuse("a frame of a closed recording", w.Frame(&agreed.Frame{Number: 13}), tbr.ErrClosed)
}

// Whoever closes in the middle of a block, before its last hash, has a whole file.
func TestTheLastHashMayBeMissing(t *testing.T) {
	frames := newMatch(shapes[1], 1, 0).frames(24)
	for n := 1; n <= 24; n++ {
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames[:n-1] {
			write(t, w, f)
		}
		if err := w.Frame(frames[n-1]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(tbr.End{}); err != nil {
			t.Fatal(err)
		}
		r := open(t, b.Bytes())
		if err := r.Check(); err != nil {
			t.Errorf("%d frames: %v", n, err)
		}
		count := 0
		for _, err := range r.Hashes(0) {
			if err != nil {
				t.Fatal(err)
			}
			count++
		}
		if want := (n - 1) / 2; count != want {
			t.Errorf("%d frames have %d hashes, want %d", n, count, want)
		}
	}
}

// In the steady state, neither a writer nor a cursor allocates.
func TestFramesAllocateNothing(t *testing.T) {
	s := agreed.Shape{Players: 2, InputSize: 2}
	w, err := tbr.NewWriter(io.Discard, tbr.Header{Shape: s, TickRate: 1, HashEvery: 4, KeyframeEvery: tbr.NoKeyframes})
	if err != nil {
		t.Fatal(err)
	}
	f := &agreed.Frame{Inputs: make([]byte, 4)}
	some := func() {
		for range 64 {
			f.Inputs[0]++
			if err := errors.Join(w.Frame(f), w.Hash(f.Number+1, 1)); err != nil {
				t.Fatal(err)
			}
			f.Number++
		}
	}
	some()
	if n := testing.AllocsPerRun(50, some); n > 0 {
		t.Errorf("%v allocations to write 64 frames", n)
	}

	file := record(t, tbr.Header{Shape: s, TickRate: 1, HashEvery: 4}, newMatch(s, 1, 0).frames(10_000))
	c, err := open(t, file).Frames(0)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(50, func() {
		for range 64 {
			if _, err := c.Next(); err != nil {
				t.Fatal(err)
			}
		}
	}); n > 0 {
		t.Errorf("%v allocations to read 64 frames", n)
	}
}
