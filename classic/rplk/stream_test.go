package rplk_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tickback/tickback/classic/rplk"
)

// seeker is a file in memory.
type seeker struct {
	bytes []byte
	at    int
}

func (s *seeker) Write(p []byte) (int, error) {
	if end := s.at + len(p); end > len(s.bytes) {
		s.bytes = append(s.bytes, make([]byte, end-len(s.bytes))...)
	}
	copy(s.bytes[s.at:], p)
	s.at += len(p)
	return len(p), nil
}

func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.at = int(offset)
	case io.SeekCurrent:
		s.at += int(offset)
	}
	return int64(s.at), nil
}

func drawRecording(t *rapid.T) rplk.Recording {
	r := rplk.Recording{Seed: rapid.Uint32Min(1).Draw(t, "seed")}
	// Around the size of a buffer, and small.
	n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(4090, 4100)).Draw(t, "frames")
	r.Frames = make([]rplk.Inputs, n)
	x := r.Seed
	for i := range r.Frames {
		x = x*1664525 + 1013904223
		r.Frames[i] = rplk.Inputs{uint16(x), uint16(x >> 16)}
	}
	return r
}

// Every way to write gives the same bytes, and every way to read gives the
// recording back, however the frames are cut into pieces.
func TestEveryWayInAndOutAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecording(t)
		want, err := rplk.Append([]byte("kept"), r)
		if err != nil || !bytes.HasPrefix(want, []byte("kept")) {
			t.Fatal(err)
		}
		want = want[4:]

		piece := rapid.IntRange(1, 5000).Draw(t, "piece")
		var pipe bytes.Buffer
		file := seeker{bytes: []byte("before"), at: 6}
		for _, dst := range []io.Writer{&pipe, &file} {
			writeInPieces(t, dst, r, piece)
		}
		if !bytes.Equal(pipe.Bytes(), want) || !bytes.Equal(file.bytes, append([]byte("before"), want...)) {
			t.Fatalf("a Writer's bytes differ from Append's: %x, %x, %x", pipe.Bytes(), file.bytes, want)
		}
		if file.at != len(file.bytes) {
			t.Fatalf("the file's position is %d, not its end", file.at)
		}

		decoded, err := rplk.Decode(want)
		if err != nil || decoded.Seed != r.Seed || !slices.Equal(decoded.Frames, r.Frames) {
			t.Fatal("Decode:", err, cmp.Diff(decoded, r))
		}
		all, err := rplk.ReadAll(iotest.HalfReader(bytes.NewReader(want)))
		if err != nil || all.Seed != r.Seed || !slices.Equal(all.Frames, r.Frames) {
			t.Fatal("ReadAll:", err, cmp.Diff(all, r))
		}
		if got := readInPieces(t, want, piece); !slices.Equal(got, r.Frames) {
			t.Fatal("Read:", cmp.Diff(got, r.Frames))
		}
	})
}

func writeInPieces(t *rapid.T, dst io.Writer, r rplk.Recording, piece int) {
	w, err := rplk.NewWriter(dst, r.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for left := r.Frames; len(left) > 0; {
		n := min(piece, len(left))
		if err := w.Write(left[:n]); err != nil {
			t.Fatal(err)
		}
		left = left[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.Close() != rplk.ErrClosed || w.Write(r.Frames) != rplk.ErrClosed {
		t.Fatal("a closed Writer goes on")
	}
}

func readInPieces(t *rapid.T, b []byte, piece int) []rplk.Inputs {
	reader, err := rplk.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	frames := []rplk.Inputs{}
	dst := make([]rplk.Inputs, piece)
	for {
		n, err := reader.Read(dst)
		frames = append(frames, dst[:n]...)
		if err == io.EOF {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A header may claim 2^32-1 frames: memory follows the data that is there.
func TestAbsurdCountsAllocateNothingMuch(t *testing.T) {
	header, err := rplk.AppendHeader(nil, rplk.Header{Seed: 1, Frames: rplk.MaxFrames})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = decodeBoth(t, header)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, rplk.ErrLength) {
		t.Error(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100<<10 {
		t.Errorf("%d bytes allocated for a file of 32", used)
	}
}

// Errors of the file itself are not mistaken for damage.
func TestSourceErrorsComeThrough(t *testing.T) {
	whole := unhex(t, smallHex)
	for _, broken := range []error{
		errors.New("the disk is on fire"),
		fmt.Errorf("the peer is gone: %w", io.EOF),
		fmt.Errorf("the peer is gone: %w", io.ErrUnexpectedEOF),
	} {
		for n := range len(whole) + 1 {
			src := io.MultiReader(bytes.NewReader(whole[:n]), iotest.ErrReader(broken))
			if _, err := rplk.ReadAll(src); !errors.Is(err, broken) {
				t.Errorf("%v after %d bytes: %v", broken, n, err)
			}
		}
	}
}

// A recording in a file is held once, and read from where the file stands.
func TestReadAllHoldsAFileOnce(t *testing.T) {
	const frames = 1 << 20
	content, err := rplk.Append([]byte("before"), rplk.Recording{Seed: 1, Frames: make([]rplk.Inputs, frames)})
	if err != nil {
		t.Fatal(err)
	}
	file := bytes.NewReader(content)
	if _, err := file.Seek(int64(len("before")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := rplk.ReadAll(file)
	runtime.ReadMemStats(&after)
	if err != nil || len(r.Frames) != frames {
		t.Fatal(len(r.Frames), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > frames*rplk.FrameSize*11/10 {
		t.Errorf("%d bytes allocated for %d", used, frames*rplk.FrameSize)
	}
}

// failing writes n bytes and then fails; it cannot seek.
type failing struct{ left int }

var errFull = errors.New("no space left")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.left {
		n := f.left
		f.left = 0
		return n, errFull
	}
	f.left -= len(p)
	return len(p), nil
}

// failingFile is the same with a Seek that works.
type failingFile struct{ failing }

func (f *failingFile) Seek(int64, int) (int64, error) { return 0, nil }

// A full disk is an error, at the latest on Close, and it stays.
func TestFullDisk(t *testing.T) {
	size := len(unhex(t, smallHex))
	for room := range size + rplk.HeaderSize {
		for _, dst := range []io.Writer{&failing{room}, &failingFile{failing{room}}} {
			if _, ok := dst.(*failing); ok && room >= size {
				continue // it fits: the header is written once
			}
			w, err := rplk.NewWriter(dst, small.Seed)
			if err != nil {
				continue // the room ended within the first header
			}
			if err = w.Write(small.Frames); err == nil {
				err = w.Close()
			}
			if !errors.Is(err, errFull) || !errors.Is(w.Close(), errFull) {
				t.Errorf("%T with room for %d bytes: %v", dst, room, err)
			}
		}
	}
}

// A file that was never closed is refused, not taken for a shorter match.
func TestUnclosedFileIsRefused(t *testing.T) {
	for _, frames := range []int{0, 1, 4095, 4096, 4097, 10000} {
		var file seeker
		w, err := rplk.NewWriter(&file, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(make([]rplk.Inputs, frames)); err != nil {
			t.Fatal(err)
		}
		if _, err := decodeBoth(t, file.bytes); !errors.Is(err, rplk.ErrLength) {
			t.Errorf("%d frames: %v", frames, err)
		}
	}
}

// A file that appends cannot have its header completed, empty or not.
func TestAppendingFileIsRefused(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("here a file that appends reports the position that it was told to seek")
	}
	for _, before := range []string{"", "something"} {
		path := filepath.Join(t.TempDir(), "match.rplk")
		if err := os.WriteFile(path, []byte(before), 0o666); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := rplk.NewWriter(file, 1); !errors.Is(err, rplk.ErrAppends) {
			t.Errorf("after %q: %v", before, err)
		}
	}
}

func TestSeedZeroCannotBeWritten(t *testing.T) {
	if _, err := rplk.NewWriter(io.Discard, 0); !errors.Is(err, rplk.ErrSeed) {
		t.Error("NewWriter:", err)
	}
	if b, err := rplk.Append([]byte("x"), rplk.Recording{}); !errors.Is(err, rplk.ErrSeed) || string(b) != "x" {
		t.Errorf("Append: %q, %v", b, err)
	}
}
