package tbr_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// limited is a file with limited room.
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

// unwilling is a file where each call is work, even one without data.
type unwilling struct{ calls, empty int }

func (u *unwilling) Write(b []byte) (int, error) {
	if u.calls++; len(b) == 0 {
		u.empty++
	}
	return len(b), nil
}

// A file is written to when there is something to write, and not in each frame.
func TestNothingIsNotWritten(t *testing.T) {
	file := &unwilling{}
	w, err := tbr.NewWriter(file, tbr.Header{Shape: shapes[1], TickRate: 60, HashEvery: 1})
	frames := newMatch(shapes[1], 1, 0).frames(100)
	for i := 0; err == nil && i < len(frames); i++ {
		if err = w.Frame(frames[i]); err == nil {
			err = w.Hash(frames[i].Number+1, hashOf(frames[i].Number+1))
		}
	}
	if err != nil || file.empty > 0 || file.calls == 0 || file.calls > 10 {
		t.Errorf("%d calls, %d of them for nothing; %v", file.calls, file.empty, err)
	}
}

// When the disk is full, the error stays, and the file has everything that was
// written by then.
func TestAWriteErrorStays(t *testing.T) {
	frames := newMatch(shapes[1], 1, 0).frames(100)
	h := tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: 1}
	whole := len(record(t, h, frames))
	step := 1
	if testing.Short() {
		step = 29
	}
	for room := 0; room < whole; room += step {
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
		file.room = 1 << 20 // there is room again, but what is missing would be a hole
		written := file.Len()
		if err := w.Close(tbr.End{}); !errors.Is(err, errFull) || w.WantsKeyframe() || file.Len() != written {
			t.Fatalf("then %v, and %d bytes more", err, file.Len()-written)
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
		"seventeen players":    func(h *tbr.Header) { h.Shape.Players = 17 },
		"no tick rate":         func(h *tbr.Header) { h.TickRate = 0 },
		"a huge tick rate":     func(h *tbr.Header) { h.TickRate = 1001 },
		"no rate":              func(h *tbr.Header) { h.Rate.Frames = 60 },
		"a rate below 1":       func(h *tbr.Header) { h.TickRate, h.Rate = 1, rate.Rate{Frames: 2, Seconds: 3} },
		"a huge rate":          func(h *tbr.Header) { h.TickRate, h.Rate = 1000, rate.Rate{Frames: 3001, Seconds: 3} },
		"an integer as a rate": func(h *tbr.Header) { h.Rate = rate.Rate{Frames: 60, Seconds: 1} },
		"no lowest terms":      func(h *tbr.Header) { h.Rate = rate.Rate{Frames: 242, Seconds: 4} },
		"two rates":            func(h *tbr.Header) { h.TickRate, h.Rate = 61, ntsc },
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
	if text := w.Hash(14, 1).Error(); !strings.Contains(text, "state 14 after frame 11") {
		t.Error(text)
	}
	refuse("frames as an optional chunk", w.Optional(tbr.KindFrames, nil), tbr.ErrKind)
	refuse("a kind of no letters", w.Optional(tbr.Kind{}, nil), tbr.ErrKind)
	refuse("the last frame", w.Frame(&agreed.Frame{Number: 12, Inputs: in, Finished: true}), nil)
	refuse("a frame after the last one", w.Frame(&agreed.Frame{Number: 13, Inputs: in}), tbr.ErrGap)
	refuse("a long reason", w.Close(tbr.End{Reason: string(make([]byte, 256))}), tbr.ErrTooLarge)
	refuse("closing", w.Close(tbr.End{}), nil)
	refuse("closing again", w.Close(tbr.End{}), tbr.ErrClosed)
	refuse("a frame of a closed recording", w.Frame(&agreed.Frame{Number: 13}), tbr.ErrClosed)
}

// A writer that is closed in the middle of a block, before its last hash, leaves a
// complete file.
func TestTheLastHashMayBeMissing(t *testing.T) {
	for every := 1; every <= 3; every++ {
		for n := 1; n <= 24; n++ {
			lastHashMayBeMissing(t, every, n)
		}
	}
}

func lastHashMayBeMissing(t *testing.T, every, n int) {
	t.Helper()
	frames := newMatch(shapes[1], 1, 0).frames(24)
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: every})
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
	if want := (n - 1) / every; count != want {
		t.Errorf("%d frames have %d hashes, want %d", n, count, want)
	}
	// So does one whose last bytes are not read.
	r = open(t, b.Bytes()[:b.Len()-1])
	for _, err := range r.Hashes(0) {
		if count--; err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Check(); !errors.Is(err, tbr.ErrOpen) || count != 0 {
		t.Errorf("%d frames, without the last byte: %v, and %d hashes less", n, err, count)
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
