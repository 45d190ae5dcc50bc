package stream

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// hearer is both evidence and spectators, and records what it is given.
type hearer struct {
	hashes []string
	marks  []agreed.Mark
	frames int
	err    error
}

func (h *hearer) Hash(state uint32, hash uint64) {
	h.hashes = append(h.hashes, fmt.Sprint(state, "=", hash))
}

func (h *hearer) Frame(f *agreed.Frame) error {
	if h.frames++; f.Marked {
		h.marks = append(h.marks, f.Mark)
	}
	return h.err
}

// Rule: each frame goes to the recording, the chain, the evidence and the spectators;
// these get the chain as it is after the frame.
func TestAFrameGoesToAll(t *testing.T) {
	var h hearer
	var got notes
	s := Stream{evidence: &h, spectators: &h}
	s.Begin(30, 60)
	s.Recording.Prepare(&got, Wants{})
	s.Recording.Start(Begin{Match: 2})
	want := new(Chain)
	want.Begin(60)
	for n := range rollback.Frame(130) {
		if s.Next() != n {
			t.Fatalf("frame %d is next, not %d", s.Next(), n)
		}
		f := Frame{Number: n, Hash: uint64(n), Hashed: (n+1)%30 == 0, Encoded: &agreed.Frame{Number: uint32(n)}}
		if f.Hashed {
			want.fold(n+1, f.Hash)
		}
		if err := s.Take(&f); err != nil {
			t.Fatal(err)
		}
	}
	if s.Chain.Value() != want.Value() || s.Chain.Hashed() != 120 {
		t.Errorf("the chain is %x at %d", s.Chain.Value(), s.Chain.Hashed())
	}
	if !slices.Equal(h.hashes, []string{"30=29", "60=59", "90=89", "120=119"}) {
		t.Errorf("evidence: %v", h.hashes)
	}
	if h.frames != 130 || len(h.marks) != 2 || h.marks[1] != (agreed.Mark{Chain: want.Value(), Hash: 119}) {
		t.Errorf("the audience has %d frames and %v", h.frames, h.marks)
	}
	if len(got) != 131 || got[30] != "frame 29 29 true" {
		t.Errorf("%d notes, %q", len(got), got[30])
	}
	h.err = errors.New("no room")
	if err := s.Take(&Frame{Number: 130, Encoded: &agreed.Frame{Number: 130}}); !errors.Is(err, h.err) {
		t.Errorf("the error of the audience is %v", err)
	}
	s.Begin(30, 60)
	if s.Next() != 0 || s.Chain.Hashed() != 0 || s.Chain.Value() != 0 {
		t.Error("the next match does not begin anew")
	}
}

// Rule: while the chain is not known, frames are recorded, and neither hashed nor shown.
func TestAStreamWithoutItsChain(t *testing.T) {
	var h hearer
	var got notes
	s := Stream{evidence: &h, spectators: &h}
	s.Begin(1, 60)
	s.Chain.Lose()
	s.Recording.Prepare(&got, Wants{})
	s.Recording.Start(Begin{Match: 2})
	take := func(n rollback.Frame) {
		t.Helper()
		if err := s.Take(&Frame{Number: n, Hash: 3, Hashed: true, Encoded: &agreed.Frame{Number: uint32(n)}}); err != nil {
			t.Fatal(err)
		}
	}
	take(0)
	if h.frames != 0 || len(h.hashes) != 0 || len(got) != 2 || s.Chain.Hashed() != 0 {
		t.Errorf("%+v, %v", h, got)
	}
	s.Chain.Resume(9)
	if take(1); h.frames != 1 || len(h.hashes) != 1 || len(got) != 3 {
		t.Errorf("then %+v, %v", h, got)
	}
}

// Spectators get the chain about once a second, at a state that is hashed, if any is.
func TestWhereAnAudienceIsToldTheChain(t *testing.T) {
	for every, want := range map[rollback.Frame]rollback.Frame{0: 60, 1: 60, 2: 60, 7: 56, 31: 31, 60: 60, 61: 61, 100: 100} {
		var s Stream
		s.Begin(every, 60)
		for f := range 10 * want {
			if s.marked(f) != (f%want == 0) {
				t.Fatalf("hashed every %d: frame %d is marked: %v", every, f, s.marked(f))
			}
		}
	}
}
