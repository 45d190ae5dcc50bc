package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/agreed"
)

const slowRate = 10 // frames a second, so that a segment has 640 frames

// stage is a session that agrees on made-up frames, and its recording.
type stage struct {
	bytes.Buffer
	Control  Control
	recorder session.Recorder // or nil
	wants    session.RecordWants
	next     uint32
	orders   int // bytes in each frame
	recorded bool
	upTo     session.Frame
	why      string
}

// begin records made-up frames: to out, or in memory.
func begin(t *testing.T, out io.Writer, change func(s *stage, o *Options)) *stage {
	t.Helper()
	s, o := new(stage), Options{}
	now := time.Unix(1000, 0)
	s.Control = New(Subject{Session: s, Game: "made up", TickRate: slowRate, Marshals: true}, func() time.Time { return now })
	if change != nil {
		change(s, &o)
	}
	if out == nil {
		out = s
	}
	if err := s.Control.Record(out, o); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) Record(r session.Recorder, wants session.RecordWants) error {
	s.recorder, s.wants = r, wants
	r.Begin(&session.RecordBegin{Match: 1, Shape: agreed.Shape{Players: 2, InputSize: 4, MaxOrders: 4096}})
	return nil
}

func (s *stage) StopRecording(why error) { s.end(&session.RecordEnd{Failed: why}) }

func (s *stage) Recorded(next session.Frame, why string) { s.recorded, s.upTo, s.why = true, next, why }

func (s *stage) Stats([]session.LinkStats) session.Stats { return session.Stats{} }

func (s *stage) end(e *session.RecordEnd) {
	if s.recorder != nil {
		s.recorder.End(e)
		s.recorder = nil
	}
}

// made returns a made-up frame, and the hash of the state after it.
func made(number uint32, orders int) (f *agreed.Frame, hash uint64) {
	hash = (uint64(number) + 1) * 0x9E3779B97F4A7C15
	f = &agreed.Frame{Number: number, Inputs: slices.Repeat([]byte{byte(hash >> 40)}, 8)}
	if orders > 0 {
		f.Orders = [][]byte{nil, bytes.Repeat([]byte{byte(number)}, orders)}
	}
	return f, hash
}

// play agrees on so many frames, whether they are recorded or not.
func (s *stage) play(frames int) {
	for range frames {
		f, hash := made(s.next, s.orders)
		if s.recorder != nil && s.next > 0 && s.wants.States > 0 && s.next%uint32(s.wants.States) == 0 {
			s.recorder.State(rollback.Frame(s.next), make([]byte, 100))
		}
		if s.next++; s.recorder != nil {
			s.recorder.Frame(f, hash, s.next%uint32(s.wants.Hashes) == 0)
		}
		s.Control.Watch()
	}
}

// await waits until the recording is complete.
func (s *stage) await(t *testing.T) {
	t.Helper()
	for range 10000 {
		if s.recorded {
			return
		}
		s.Control.Watch()
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the recording does not end")
}

func open(t *testing.T, b []byte) *tbr.Reader {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// compare says whether a recording has the frames that were made up, and their hashes.
func compare(r *tbr.Reader, orders int) error {
	c, err := r.Frames(r.First())
	if err != nil {
		return err
	}
	for {
		f, err := c.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if want, _ := made(f.Number, orders); !bytes.Equal(f.Inputs, want.Inputs) || !slices.EqualFunc(f.Orders, want.Orders, bytes.Equal) {
			return fmt.Errorf("frame %d is %v", f.Number, f)
		}
	}
	for h, err := range r.Hashes(0) {
		if err != nil {
			return err
		}
		if _, want := made(h.State-1, 0); !h.Matches(want) {
			return fmt.Errorf("state %d has another hash", h.State)
		}
	}
	return nil
}

// Rule: a recording has the frames, hashes and states that were agreed, and its header what the
// options and the match say; one runs at a time.
func TestARecordingHasWhatWasAgreed(t *testing.T) {
	s := begin(t, nil, func(s *stage, o *Options) { s.orders, o.KeyframeEvery = 3, 1 })
	if err := s.Control.Record(io.Discard, Options{}); !errors.Is(err, session.ErrRecording) {
		t.Errorf("a second recording: %v", err)
	}
	s.play(1500)
	s.end(&session.RecordEnd{Ended: true, Outcome: session.Outcome{Summary: session.Summary{Frames: 1500}}})
	s.await(t)
	r := open(t, s.Bytes())
	end, closed := r.End()
	if s.why != "" || s.upTo != 1500 || !closed || end.Next != 1500 || end.Reason != "" {
		t.Errorf("it ends at frame %d: %q, %+v", s.upTo, s.why, end)
	}
	if f, _, err := r.Keyframe(r.Next()); f != 1280 || err != nil {
		t.Errorf("the last keyframe is that of frame %d: %v", f, err)
	}
	if err := compare(r, 3); err != nil {
		t.Error(err)
	}
	if compare(r, 2) == nil {
		t.Error("orders were not compared")
	}
	if h := r.Header(); h.Game != "made up" || h.TickRate != slowRate || h.HashEvery != slowRate || h.Created != 1000_000 {
		t.Errorf("the header is %+v", h)
	}
	s.recorded = false
	if err := s.Control.Record(io.Discard, Options{}); err != nil {
		t.Errorf("the next one: %v", err)
	}
	s.Control.Finish(session.ErrClosed)
	if !s.recorded || s.why != session.ErrClosed.Error() {
		t.Errorf("the next one ends with %q", s.why)
	}
}

// Rule: options that no recording has are refused, with the error of the header.
func TestOptionsOfNoRecordingAreRefused(t *testing.T) {
	for _, bad := range []Options{
		{HashEvery: 1 << 40}, {KeyframeEvery: 1 << 40}, {Meta: make([]tbr.Field, 100)}, {Meta: []tbr.Field{{Value: strings.Repeat("x", 5000)}}},
	} {
		s := new(stage)
		s.Control = New(Subject{Session: s, Game: "made up", HashEvery: 7, Marshals: true}, time.Now)
		if err := s.Control.Record(io.Discard, bad); !errors.Is(err, tbr.ErrHeader) || s.recorder != nil {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
