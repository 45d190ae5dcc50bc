package tbr_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// failsOnce is a file with one read that fails: the one with this number.
type failsOnce struct {
	file  []byte
	reads int
}

var errDisk = errors.New("the disk fails")

func (f *failsOnce) ReadAt(p []byte, at int64) (int, error) {
	if f.reads--; f.reads == -1 {
		return 0, errDisk
	}
	return bytes.NewReader(f.file).ReadAt(p, at)
}

// Rule: whichever read fails, and whatever is done with a recording, the error is that of
// the source, and everything read until then is right.
func TestWhicheverReadFailsIsTold(t *testing.T) {
	frames := newMatch(shapes[4], 1, 0).frames(300) // each of its blocks takes more than is read at a time
	file := record(t, tbr.Header{Shape: shapes[4], TickRate: 2, HashEvery: 1}, frames)
	f := &failsOnce{file: file}
	count := func() (reads int) { return math.MaxInt - f.reads }
	for what, do := range map[string]func(r *tbr.Reader) error{
		"Check":       (*tbr.Reader).Check,
		"CheckChunks": (*tbr.Reader).CheckChunks,
		"Chunks": func(r *tbr.Reader) error {
			for c, err := range r.Chunks() {
				if err == nil {
					_, err = r.Payload(c)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
		"Hashes": func(r *tbr.Reader) error {
			next := uint32(30)
			for h, err := range r.Hashes(30) {
				if err != nil {
					return err
				}
				if h.State != next || !h.Matches(hashOf(next)) {
					t.Errorf("hash %+v, want that of state %d", h, next)
				}
				next++
			}
			return nil
		},
		"Keyframe": func(r *tbr.Reader) error {
			for at := range r.Keyframes() {
				_, state, err := r.Keyframe(at)
				if err != nil {
					return err
				}
				if !bytes.Equal(state, stateOf(at)) {
					t.Errorf("the keyframe of frame %d is %q", at, state)
				}
			}
			return nil
		},
		"Frames": func(r *tbr.Reader) error {
			c, err := r.Frames(130)
			if err != nil {
				return err
			}
			for at := 130; err == nil; at++ {
				var f *agreed.Frame
				if f, err = c.Next(); err == nil && !same(f, frames[at]) {
					t.Errorf("frame %d differs", at)
				}
			}
			if _, again := c.Next(); again != err {
				t.Errorf("after %v comes %v", err, again)
			}
			if err == io.EOF {
				return nil
			}
			return err
		},
		"Frames, from a later one on": func(r *tbr.Reader) error {
			_, err := r.Frames(299)
			return err
		},
		"Open": func(*tbr.Reader) error {
			_, err := tbr.Open(f, int64(len(file)))
			return err
		},
	} {
		f.reads = math.MaxInt
		r, err := tbr.Open(f, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		opened := count()
		if err := do(r); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		reads, step := count()-opened, 1
		if testing.Short() {
			step = max(1, reads/40)
		}
		if reads == 0 {
			t.Errorf("%s reads nothing", what)
		}
		for f.reads = 0; f.reads < reads; {
			k := f.reads
			if err := do(r); !errors.Is(err, errDisk) {
				t.Fatalf("%s: read %d of %d fails, and it ends with %v", what, k, reads, err)
			}
			f.reads = k + step
		}
	}
}

// Rule: a caller that has seen enough of a recording stops, and gets nothing more.
func TestWhoHasSeenEnoughStops(t *testing.T) {
	file, _ := small(t)
	r := open(t, file)
	for range r.Chunks() {
		break
	}
	for range r.Hashes(0) {
		break
	}
	for range r.Keyframes() {
		break
	}
}

// Rule: a recording has the frames that it claims, and no others.
func TestFramesThatThereAreNot(t *testing.T) {
	file, _ := small(t)
	r := open(t, file)
	for frame, want := range map[uint32]error{0: tbr.ErrNoFrame, 59: tbr.ErrNoFrame, 60: nil, 140: nil, 141: nil, 142: tbr.ErrNoFrame, 1<<32 - 1: tbr.ErrNoFrame} {
		if _, err := r.Frames(frame); !errors.Is(err, want) {
			t.Errorf("frame %d: %v", frame, err)
		}
	}
}

// Rule: a source that ends before its given size is a truncated file.
func TestASourceThatIsShorter(t *testing.T) {
	frames := newMatch(shapes[4], 1, 0).frames(300)
	file := record(t, tbr.Header{Shape: shapes[4], TickRate: 2, HashEvery: 1}, frames)
	s := &shrinking{}
	s.file = file
	r, err := tbr.Open(s, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	step := 997
	if testing.Short() {
		step *= 10
	}
	for n := len(file) - 200; n >= 0; n -= step {
		s.file = file[:n]
		if err := r.Check(); !errors.Is(err, tbr.ErrCut) {
			t.Fatalf("%d bytes of %d: %v", n, len(file), err)
		}
	}
}

// stingy is a writer that writes less than it is given, and returns no error.
type stingy struct{ takes int }

func (s *stingy) Write(b []byte) (int, error) {
	n := min(len(b), s.takes)
	s.takes -= n
	return n, nil
}

// Rule: a destination that writes less is out of room, whatever it returns, and then nothing
// more is written.
func TestAWriterThatTakesLess(t *testing.T) {
	w, err := tbr.NewWriter(&stingy{200}, tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: 1})
	if err != nil {
		t.Fatal(err)
	}
	if w.Header().TickRate != 1 || w.Next() != 0 {
		t.Errorf("it begins with frame %d", w.Next())
	}
	if err := w.Optional(tbr.KindStats, make([]byte, 300)); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a chunk that is not taken whole: %v", err)
	}
	for what, err := range map[string]error{
		"a frame": w.Frame(&agreed.Frame{Inputs: make([]byte, 4)}), "a keyframe": w.Keyframe(nil), "a hash": w.Hash(1, 1),
		"a chunk": w.Optional(tbr.KindStats, nil), "the end": w.Close(tbr.End{}),
	} {
		if !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("then %s: %v", what, err)
		}
	}
	if w.Next() != 0 || w.WantsKeyframe() {
		t.Errorf("then it has frames up to %d", w.Next())
	}
}

// Rule: arguments may have at most the sizes in docs/reference/recording-format.md.
func TestWhatIsWrittenIsBounded(t *testing.T) {
	w, err := tbr.NewWriter(io.Discard, tbr.Header{
		Game: string(make([]byte, 255)), Shape: shapes[4], TickRate: 1000, Data: make([]byte, 64<<10),
		Info: tbr.Info{Meta: slices.Repeat([]tbr.Field{{Key: string(make([]byte, 255)), Value: string(make([]byte, 4<<10))}}, 64)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Optional(tbr.KindEffects, make([]byte, tbr.MaxChunk+1)); !errors.Is(err, tbr.ErrTooLarge) {
		t.Errorf("a payload that is too large: %v", err)
	}
	for _, c := range []struct {
		what string
		f    agreed.Frame
		want error
	}{
		{"orders of nine", agreed.Frame{Inputs: make([]byte, 512), Orders: make([][]byte, 9)}, tbr.ErrShape},
		{"long orders", agreed.Frame{Inputs: make([]byte, 512), Orders: [][]byte{7: make([]byte, 4097)}}, tbr.ErrShape},
		{"inputs that are too long", agreed.Frame{Inputs: make([]byte, 513)}, tbr.ErrShape},
		{"another number", agreed.Frame{Number: 2, Inputs: make([]byte, 512)}, tbr.ErrGap},
		{"the longest that is", agreed.Frame{Inputs: make([]byte, 512), Orders: [][]byte{7: make([]byte, 4096)}, Gone: 0xFF}, nil},
		{"the same again", agreed.Frame{Inputs: make([]byte, 512)}, tbr.ErrGap},
	} {
		if err := w.Frame(&c.f); !errors.Is(err, c.want) || w.Next() > 1 {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// Rule: the data in the end is compared with the frames, in both directions.
func TestAnEndThatLies(t *testing.T) {
	unfinished := record(t, tbr.Header{Shape: shapes[1], TickRate: 1, HashEvery: 1}, newMatch(shapes[1], 1, 0).frames(20))
	for what, lie := range map[string]func(_ []int64, _ []bool, e *tbr.End){
		"finished":       func(_ []int64, _ []bool, e *tbr.End) { e.Finished = true },
		"another hash":   func(_ []int64, _ []bool, e *tbr.End) { e.Hashed, e.Hash = true, hashOf(20)^1 },
		"another digest": func(_ []int64, _ []bool, e *tbr.End) { e.Digest[0]++ },
	} {
		err := open(t, tbr.Reindex(unfinished, lie)).Check()
		if want := map[bool]error{true: tbr.ErrDigest, false: tbr.ErrRange}[what == "another digest"]; !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	truth := tbr.Reindex(unfinished, func(_ []int64, _ []bool, e *tbr.End) { e.Hashed, e.Hash = true, hashOf(20) })
	if err := open(t, truth).Check(); err != nil {
		t.Errorf("the truth: %v", err)
	}
}

// Rule: a file that consists only of its first bytes is truncated, and a keyframe without a
// following frame is out of place.
func TestFilesThatEndEarly(t *testing.T) {
	file, _ := small(t)
	for n, want := range map[int]error{0: tbr.ErrCut, 7: tbr.ErrCut, 8: tbr.ErrCut, 20: tbr.ErrCut} {
		if _, err := tbr.Open(bytes.NewReader(file[:n]), int64(n)); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	c := first(t, file, tbr.KindKeyframe)
	r := open(t, file[:c.End()])
	if err := r.Check(); !errors.Is(err, tbr.ErrOpen) || r.Next() != r.First() {
		t.Errorf("a keyframe alone: %v, frames up to %d", err, r.Next())
	}
}
