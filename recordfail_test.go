package tickback_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/replay/tbr"
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

// Rule: whatever moment a recording breaks off at, what was written opens, and all blocks
// that are complete are read; the match does not notice.
func TestAFullDiskEndsTheRecordingOnly(t *testing.T) {
	const frames = 200
	whole, _ := filmed(t, frames, nil, nil)
	whole.Close()
	all := whole.Bytes()
	reader := whole.open(t)
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
		f, _ := filmed(t, frames, disk, nil)
		if err := f.Close(); err != nil || f.err != nil {
			t.Fatalf("with %d bytes the match ends: %v", room, f.err)
		}
		f.events = append(f.events, f.Events()...)
		if e := f.saw(tickback.Recorded); e == nil || !strings.Contains(e.Text, errFull.Error()) {
			t.Fatalf("with %d bytes: %v", room, e)
		}
		if v := f.View(); v.Frame < frames-2 {
			t.Fatalf("with %d bytes the match stands at frame %d", room, v.Frame)
		}
		want := uint32(0)
		for i, end := range blocks {
			if end <= room {
				want = uint32(i+1) * 8 * slowRate
			}
		}
		want = min(want, reader.Next())
		if err := breaksOff(disk.Bytes(), want); err != nil {
			t.Fatalf("with %d bytes of %d: %v", room, len(all), err)
		}
	}
}

// explosive is a writer that panics at its n-th call.
type explosive struct {
	bytes.Buffer
	n int
}

func (e *explosive) Write(b []byte) (int, error) {
	if e.n--; e.n < 0 {
		panic("out of ink")
	}
	return e.Buffer.Write(b)
}

// Rule: a writer that panics ends the recording, as one that fails does.
func TestAWriterThatPanicsEndsTheRecordingOnly(t *testing.T) {
	for calls := range 4 {
		out := &explosive{n: calls}
		f, _ := filmed(t, 200, out, nil)
		if err := f.Close(); err != nil || f.err != nil {
			t.Fatalf("after %d calls the match ends: %v, %v", calls, f.err, err)
		}
		f.events = append(f.events, f.Events()...)
		if e := f.saw(tickback.Recorded); e == nil || !strings.Contains(e.Text, "the writer panicked: out of ink") {
			t.Errorf("after %d calls: %v", calls, e)
		}
		if v := f.View(); v.Frame < 198 {
			t.Errorf("after %d calls the match stands at frame %d", calls, v.Frame)
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
	return replays(r)
}

// Rule: a crash costs at most the frames of a block, and what had not been handed on.
func TestACrashCostsTenSeconds(t *testing.T) {
	var disk syncBuffer
	f, w := filmed(t, 0, &disk, nil)
	for range 400 {
		update(t, f)
		w.advance(1e9 / slowRate)
		frame := uint32(f.View().Frame)
		least := frame - min(frame, 10*slowRate)
		for i := 0; ; i++ { // until the other goroutine has got so far
			r, err := tbr.Open(bytes.NewReader(disk.all()), int64(len(disk.all())))
			if err == nil && r.Next() >= least {
				break
			}
			if i > 1e6 {
				t.Fatalf("at frame %d the file has %d frames: %v", frame, r.Next(), err)
			}
			f.Poll()
		}
	}
	f.Close()
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

// Rule: a disk that hangs ends the recording when too much waits for it, or when it takes
// too long, and what it takes in the end is a recording; play goes on meanwhile, and
// Close does not hang.
func TestADiskThatHangsEndsTheRecording(t *testing.T) {
	for name, impatient := range map[string]bool{"too much": false, "too long": true} {
		if impatient {
			tickback.SetRecordPatience(t, -1, time.Minute)
		}
		disk := &stuck{free: make(chan struct{})}
		f, _ := filmed(t, 2000, disk, func(o *tickback.Options[counter, uint32]) {
			o.MaxOrders = 4096
			o.Orders = func(tickback.Player) []byte { return make([]byte, 4096) }
		})
		if f.err != nil || f.View().Frame < 1998 {
			t.Fatalf("%s: the match stands at frame %d: %v", name, f.View().Frame, f.err)
		}
		close(disk.free)
		e := f.recorded(t)
		if !strings.Contains(e.Text, "slow") || e.Frame < 1 || e.Frame > 1100 {
			t.Errorf("%s: %v", name, e)
		}
		r, err := tbr.Open(bytes.NewReader(disk.Bytes()), int64(disk.Len()))
		if err != nil {
			t.Fatal(name, err)
		}
		if end, ok := r.End(); !ok || end.Next != uint32(e.Frame) || !strings.Contains(end.Reason, "slow") || replays(r) != nil {
			t.Errorf("%s: it ends with %+v, %v", name, end, replays(r))
		}
		f.Close()
	}
	tickback.SetRecordPatience(t, time.Minute, time.Millisecond)
	disk := &stuck{free: make(chan struct{})}
	f, _ := filmed(t, 100, disk, nil)
	f.Close()
	f.events = append(f.events, f.Events()...)
	if e := f.saw(tickback.Recorded); e == nil || !strings.Contains(e.Text, "hangs") || e.Frame != 0 {
		t.Errorf("the end of it: %v", e)
	}
	close(disk.free)
}

// Rule: a simulation that is told to waits for a disk, however slow, and loses nothing.
func TestASimulationWaitsForTheDisk(t *testing.T) {
	disk := &slowDisk{}
	f, _ := filmed(t, 5000, disk, func(o *tickback.Options[counter, uint32]) {
		o.TickRate, o.Recording.Wait, o.MaxOrders = 10, true, 4096
		o.Orders = func(tickback.Player) []byte { return make([]byte, 4096) }
	})
	f.Close()
	f.events = append(f.events, f.Events()...)
	if e := f.saw(tickback.Recorded); e == nil || e.Text != "" || e.Frame < 4998 {
		t.Errorf("it ends with %v", e)
	}
	broken := &fullDisk{room: 3000}
	f, _ = filmed(t, 5000, broken, func(o *tickback.Options[counter, uint32]) { o.Recording.Wait = true })
	if e := f.recorded(t); !strings.Contains(e.Text, errFull.Error()) || f.View().Frame < 4998 {
		t.Errorf("a full disk: %v", e)
	}
	f.Close()
}

// slowDisk lets others go first.
type slowDisk struct{ bytes.Buffer }

func (s *slowDisk) Write(b []byte) (int, error) {
	for range 1000 {
		runtime.Gosched()
	}
	return s.Buffer.Write(b)
}
