package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

const both = PlayerSet(0b11)

// Rule: a learned frame corrects predictions, whether it has run or not, and is agreed if all of
// it is known.
func TestAClientLearnsTheTruth(t *testing.T) {
	s := play(t, away(8))
	s.ok(s.Assume(0, 0, 5, nil))
	s.ticks(0, 0)
	s.ok(s.SetTruth(0, []button{5, 3}, [][]byte{nil, []byte("x")}, both, 0))
	want(t, "agreed", s.Agreed(), 1)
	want(t, "corrected", s.ticks(0), "~0:5,3x ~1:5?,3? 2:5?,3?")
	for f := Frame(1); f < 5; f++ { // frames 3 and 4 have not run
		s.ok(s.SetTruth(f, []button{5, 3}, nil, both, 0))
	}
	want(t, "agreed before they run", [2]Frame{s.Agreed(), s.Confirmed()}, [2]Frame{5, 5})
	want(t, "as learnt", s.ticks(0, 0, 0), "3:5,3 4:5,3 5:5?,3?")
}

// Rule: nothing is known about players that are not told.
func TestWhatIsNotToldIsPredicted(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0)
	s.ok(s.SetTruth(0, []button{7, 9}, nil, rollback.SetOf(1, 9), 0))
	want(t, "agreed", s.Agreed(), 0)
	want(t, "next", [2]Frame{s.Next(0), s.Next(1)}, [2]Frame{0, 1})
	want(t, "corrected", s.ticks(0), "~0:0?,9 ~1:0?,9? 2:0?,9?")
	s.ok(s.SetTruth(0, []button{7, 0}, nil, rollback.SetOf(0), 0))
	want(t, "agreed", s.Agreed(), 1)
}

// Rule: players leave, and come back, even in frames that have already run differently.
func TestAClientLearnsWhoIsThere(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0)
	s.ok(s.SetTruth(0, []button{1, 2}, nil, both, rollback.SetOf(1)))
	want(t, "gone, and for as long as nothing else is known", s.ticks(0), "~0:1,0x ~1:1?,0x 2:1?,0x")
	s.ok(s.SetTruth(1, []button{1, 2}, nil, both, rollback.SetOf(1)))
	s.ok(s.SetTruth(1, []button{1, 2}, nil, both, rollback.SetOf(1))) // once more
	s.ok(s.SetTruth(2, []button{1, 2}, nil, both, 0))
	want(t, "back", s.ticks(0), "~2:1,2 3:1?,2?")
	want(t, "agreed", s.Agreed(), 3)
	c := refused[*rollback.ConflictError](t, s.SetTruth(1, []button{1, 2}, nil, both, 0))
	want(t, "conflict", *c, rollback.ConflictError{Player: 1, Frame: 1, What: "cut"})
	refused[*rollback.ConflictError](t, s.SetTruth(2, []button{4, 2}, nil, both, 0))
	refused[*rollback.ConflictError](t, s.SetTruth(2, []button{1, 2}, nil, both, rollback.SetOf(0)))
}

// Rule: what a local player does is not learned, nor that it has gone: it is known here.
func TestALocalPlayerIsNotLearned(t *testing.T) {
	cfg := away(8)
	cfg.Local = rollback.SetOf(0)
	for _, gone := range []PlayerSet{0, rollback.SetOf(0)} {
		s := play(t, cfg)
		e := refused[*rollback.PlayerError](t, s.SetTruth(0, []button{1, 2}, nil, both, gone))
		want(t, "the player", e.Player, 0)
		want(t, "its sample is still wanted", s.NeedsInput(0), true)
	}
}

// Rule: an absence of no frames does not count. A player that was gone from a frame on, and was
// present in it after all, may be gone from it on again, even before its earlier inputs are known.
func TestAnAbsenceOfNoFrames(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0, 0)
	one := rollback.SetOf(1)
	s.ok(s.SetTruth(2, []button{0, 2}, nil, one, one))
	s.ok(s.SetTruth(2, []button{0, 2}, nil, one, 0))
	s.ok(s.SetTruth(2, []button{0, 2}, nil, one, one))
	want(t, "gone again", s.ticks(0), "~2:0?,0x 3:0?,0x")
	want(t, "next", s.Next(1), 0)
}

// Rule: if all are gone the client goes on, and a player comes back only in a frame whose state
// is held.
func TestAPlayerComesBackTooLate(t *testing.T) {
	s := play(t, away(2))
	s.ok(s.SetTruth(0, make([]button, 2), nil, both, both))
	s.ticks(0, 0, 0, 0, 0, 0)
	old := refused[*rollback.TooOldError](t, s.SetTruth(3, make([]button, 2), nil, both, rollback.SetOf(0)))
	want(t, "too old", *old, rollback.TooOldError{Player: 1, Frame: 3, Oldest: 4, Setting: "Snapshots"})
	s.ok(s.SetTruth(4, []button{0, 6}, nil, both, rollback.SetOf(0)))
	s.ran()
	want(t, "in time", s.ticks(0), "~4:0x,6 ~5:0x,6? 6:0x,6?")
}

// Rule: Learn refuses invalid frames, and anything that the calls that it replaces refuse.
func TestLearnRefuses(t *testing.T) {
	cfg := away(8)
	cfg.Local = rollback.SetOf(0)
	s := play(t, cfg)
	if s.SetTruth(0, make([]button, 1), nil, both, 0) == nil || s.SetTruth(0, make([]button, 2), make([][]byte, 1), both, 0) == nil {
		t.Error("it learns of players that there are not")
	}
	refused[*rollback.PlayerError](t, s.SetTruth(0, make([]button, 2), nil, both, 0))
	refused[*rollback.TooEarlyError](t, s.SetTruth(1000, make([]button, 2), nil, rollback.SetOf(1), 0))
	refused[*rollback.OrdersError](t, s.SetTruth(0, make([]button, 2), [][]byte{nil, []byte("long")}, rollback.SetOf(1), 0))
	s.ok(s.SetTruth(0, make([]button, 2), nil, rollback.SetOf(1), 0))
	want(t, "next", s.Next(1), 1)
}

// Rule: a machine that joins late is fed the past, and then learns.
func TestANewcomerLearnsWhereItWasFed(t *testing.T) {
	s, old := play(t, away(8)), play(t, away(8))
	for f := range Frame(20) {
		s.ok(s.SetTruth(f, []button{button(f), 3}, nil, both, 0))
		s.ticks(0)
		if f < 10 {
			s.ok(old.Feed([]button{button(f), 3}, nil, 0))
		}
	}
	b, err := old.Marshal(nil, 10)
	s.ok(err)
	n := play(t, away(8))
	s.ok(n.Load(10, b))
	s.ok(n.Feed([]button{10, 3}, nil, 0))
	for f := Frame(11); f < 20; f++ {
		s.ok(n.Assume(0, f, button(f), nil))
		n.ticks(0)
		s.ok(n.SetTruth(f, []button{button(f), 3}, nil, both, 0))
	}
	s.ok(n.Settle())
	want(t, "the state", *n.State(), *s.State())
	want(t, "agreed", n.Agreed(), 20)
}
