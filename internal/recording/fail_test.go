package recording

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
)

// fullDisk is a disk with so much room.
type fullDisk struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(b []byte) (int, error) {
	n := min(len(b), f.room-f.Len())
	f.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// Rule: whatever moment a recording breaks off at, what was written opens, and all blocks that
// are complete are read.
func TestAFullDiskEndsTheRecording(t *testing.T) {
	const frames = 200
	whole := begin(t, nil, nil)
	whole.play(frames)
	whole.Control.Finish(session.ErrClosed)
	all := whole.Bytes()
	reader := open(t, all)
	var blocks []int // where they end
	for c, err := range reader.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == tbr.KindHashes {
			blocks = append(blocks, int(c.Offset)+5+1+c.Size+4)
		}
	}
	step := 1
	if testing.Short() {
		step = 23
	}
	for room := 0; room < len(all); room += step {
		disk := &fullDisk{room: room}
		s := begin(t, disk, nil)
		s.play(frames)
		if s.Control.Finish(session.ErrClosed); !s.recorded || !strings.Contains(s.why, errFull.Error()) {
			t.Fatalf("with %d bytes: %q", room, s.why)
		}
		want := uint32(0)
		for i, end := range blocks {
			if end <= room {
				want = uint32(i+1) * 8 * slowRate
			}
		}
		want = min(want, reader.Next())
		if blocks := want - want%(8*slowRate); uint32(s.upTo) != blocks {
			t.Fatalf("with %d bytes: up to frame %d, want %d", room, s.upTo, blocks)
		}
		if err := breaksOff(disk.Bytes(), want); err != nil {
			t.Fatalf("with %d bytes of %d: %v", room, len(all), err)
		}
	}
}

// breaksOff checks a recording that is cut off, of which so many frames are complete.
func breaksOff(b []byte, want uint32) error {
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil && errors.Is(err, tbr.ErrCut) && want == 0 {
		return nil // there is no header
	}
	if err != nil {
		return err
	}
	if _, closed := r.End(); closed || r.Damage() == nil {
		return errors.New("it says that it is complete")
	}
	// The frames of a block come before its hashes.
	if n := r.Next(); n < want || n > want+8*slowRate {
		return fmt.Errorf("it has %d frames, want %d", n, want)
	}
	return compare(r, 0)
}

// Rule: a crash costs at most the frames of a block, and what had not been handed on.
func TestACrashCostsTenSeconds(t *testing.T) {
	var disk syncBuffer
	s := begin(t, &disk, nil)
	for range 400 {
		s.play(1)
		least := s.next - min(s.next, 10*slowRate)
		for i := 0; ; i++ { // until the other goroutine has got so far
			r, err := tbr.Open(bytes.NewReader(disk.all()), int64(len(disk.all())))
			if err == nil && r.Next() >= least {
				break
			}
			if i > 1e6 {
				t.Fatalf("after frame %d the file has %d frames: %v", s.next, r.Next(), err)
			}
			runtime.Gosched()
		}
	}
	s.Control.Finish(session.ErrClosed)
}

// syncBuffer is a buffer for two goroutines.
type syncBuffer struct {
	mu sync.Mutex
	b  []byte
}

func (s *syncBuffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.b = append(s.b, b...)
	return len(b), nil
}

func (s *syncBuffer) all() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b
}

// stuck is a disk that takes nothing until it is let go.
type stuck struct {
	bytes.Buffer
	free chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	<-s.free
	return s.Buffer.Write(b)
}

// Rule: a disk that hangs ends the recording when too much waits for it, or when it takes too
// long, and what it takes in the end is a recording; nothing waits for it, not even the end.
func TestADiskThatHangsEndsTheRecording(t *testing.T) {
	for name, change := range map[string]func(s *stage, o *Options){
		"too many bytes":  func(s *stage, _ *Options) { s.orders = 4096 },
		"too many states": func(_ *stage, o *Options) { o.KeyframeEvery = 1 },
		"too long":        func(s *stage, _ *Options) { s.Control.patience = -1 },
	} {
		disk := &stuck{free: make(chan struct{})}
		s := begin(t, disk, func(s *stage, o *Options) {
			s.Control.hangs = time.Minute
			o.KeyframeEvery = -1
			change(s, o)
		})
		if s.play(2500); s.recorder != nil {
			t.Fatalf("%s: it goes on", name)
		}
		close(disk.free)
		if s.await(t); !strings.Contains(s.why, "slow") || s.upTo < 1 || s.upTo > 2400 {
			t.Errorf("%s: %d, %q", name, s.upTo, s.why)
		}
		r := open(t, disk.Bytes())
		if end, ok := r.End(); !ok || end.Next != uint32(s.upTo) || !strings.Contains(end.Reason, "slow") || compare(r, s.orders) != nil {
			t.Errorf("%s: it ends with %+v, %v", name, end, compare(r, s.orders))
		}
	}
	for name, finish := range map[string]func(s *stage){
		"Finish": func(s *stage) { s.Control.Finish(session.ErrClosed) },
		"Watch":  func(s *stage) { s.StopRecording(session.ErrClosed); s.await(t) },
	} {
		disk := &stuck{free: make(chan struct{})}
		s := begin(t, disk, func(s *stage, _ *Options) { s.Control.hangs = time.Millisecond })
		s.play(100)
		if finish(s); !s.recorded || !strings.Contains(s.why, "hangs") || s.upTo != 0 {
			t.Errorf("%s: %d, %q", name, s.upTo, s.why)
		}
		close(disk.free)
	}
}

// Rule: so does a disk that is too slow for the last frames of a match.
func TestADiskThatIsTooSlowForTheEnd(t *testing.T) {
	disk := &stuck{free: make(chan struct{})}
	s := begin(t, disk, func(s *stage, _ *Options) { s.Control.patience = -1 })
	s.play(3) // two of them are a batch
	s.end(&session.RecordEnd{Ended: true, Outcome: session.Outcome{Summary: session.Summary{Frames: 3}}})
	close(disk.free)
	s.await(t)
	if end, ok := open(t, disk.Bytes()).End(); !ok || end.Next != 2 || !strings.Contains(end.Reason, "slow") || !strings.Contains(s.why, "slow") {
		t.Errorf("it ends with %+v, %q", end, s.why)
	}
}

// Rule: a disk that keeps up is never too slow, however much it takes in all.
func TestADiskThatKeepsUpIsNotSlow(t *testing.T) {
	s := begin(t, nil, func(s *stage, o *Options) { s.orders, o.KeyframeEvery = 2000, 1 })
	for q := s.Control.current.queue; s.next < 10*640; {
		s.play(64)
		for i := 0; q.bytes.Load() > 0; i++ {
			if time.Sleep(100 * time.Microsecond); i > 1e5 {
				t.Fatalf("%d bytes wait", q.bytes.Load())
			}
		}
	}
	if s.Control.Finish(session.ErrClosed); s.upTo != 10*640 || s.why != session.ErrClosed.Error() {
		t.Errorf("it ends at frame %d: %q", s.upTo, s.why)
	}
}

// Rule: a simulation that is told to waits for a disk, however slow, and loses nothing.
func TestASimulationWaitsForTheDisk(t *testing.T) {
	waits := func(s *stage, o *Options) { s.orders, o.Wait = 4096, true }
	var disk slowDisk
	s := begin(t, &disk, waits)
	s.play(5000)
	s.end(&session.RecordEnd{Ended: true, Outcome: session.Outcome{Summary: session.Summary{Frames: 5000}}})
	if s.await(t); s.why != "" || s.upTo != 5000 {
		t.Errorf("it ends with %d, %q", s.upTo, s.why)
	}
	s = begin(t, &fullDisk{room: 3000}, waits)
	s.play(5000)
	if s.await(t); !strings.Contains(s.why, errFull.Error()) {
		t.Errorf("a full disk: %q", s.why)
	}
}

// slowDisk lets others go first.
type slowDisk struct{ bytes.Buffer }

func (s *slowDisk) Write(b []byte) (int, error) {
	for range 1000 {
		runtime.Gosched()
	}
	return s.Buffer.Write(b)
}
