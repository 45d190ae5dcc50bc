package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: frame f may run while f - confirmed < window.
func TestAFrameRunsWithinTheWindow(t *testing.T) {
	s := play(t, two(2))
	want(t, "ahead", s.ticks(1, 1), "0:1,0? 1:1,0?")
	s.sample(1)
	s.waits(rollback.SetOf(1), 0)
	s.get(1, 4) // does not help
	s.waits(rollback.SetOf(1), 0)
	s.get(0, 4)
	want(t, "goes on", s.ticks(1), "~0:1,4 ~1:1,4 2:1,4?")
	want(t, "stalls", s.Stats().Stalls, 2)
}

// Rule: window 0 is lockstep, f < confirmed: nothing is ever predicted.
func TestLockstepPredictsNothing(t *testing.T) {
	s := play(t, two(0))
	s.sample(3)
	s.waits(rollback.SetOf(1), 0)
	s.get(0, 1, 2)
	want(t, "runs", s.ticks(4, 5), "0:3,1 1:5,2")
	want(t, "rollbacks", s.Stats().Rollbacks, 0)
}

// Rule: a stall names all players that are awaited, and the oldest frame.
func TestAStallNamesWhoIsAwaited(t *testing.T) {
	s := play(t, rollback.Config{Players: 4, Local: rollback.SetOf(3), Window: 1})
	s.ticks(1)
	s.ok(s.AddInput(1, 0, 1, nil))
	s.sample(1)
	s.waits(rollback.SetOf(0, 2), 0)
	s.ok(s.AddInput(0, 0, 1, nil))
	s.waits(rollback.SetOf(2), 0)
}

// Rule: a tick without the sample of a local player changes nothing.
func TestATickNeedsTheLocalSamples(t *testing.T) {
	s := play(t, rollback.Config{Players: 2, Local: rollback.SetOf(0, 1), Window: 2})
	s.ok(s.AddLocal(1, 1, nil))
	is(t, s.Tick(), rollback.ErrNotSampled)
	want(t, "frame", s.Frame(), 0)
	is(t, s.AddLocal(1, 2, nil), rollback.ErrSampled)
	s.ok(s.AddLocal(0, 2, nil))
	s.ok(s.Tick())
	want(t, "the first sample", s.ran(), "0:2,1")
}

// Rule: all corrections between two ticks cause one rollback, from the earliest.
func TestCorrectionsCauseOneRollback(t *testing.T) {
	s := play(t, two(8))
	s.ticks(1, 1, 1, 1, 1)
	s.get(3, 7)
	s.get(2, 0) // as predicted
	s.get(1, 6)
	want(t, "one", s.ticks(1), "~1:1,6 ~2:1,0 ~3:1,7 ~4:1,7? 5:1,7?")
	st := s.Stats()
	want(t, "stats", fmt.Sprint(st.Ticks, st.Rollbacks, st.Resimulated, st.Deepest, st.Histogram[4], st.Mispredicted[1]), "6 1 4 4 1 2")
	s.get(0, 0)
	want(t, "as predicted", s.ticks(1), "6:1,7?")
}

// Rule: the window is the maximum depth of a rollback, and it reaches frame 0.
func TestARollbackReachesTheOldestSnapshot(t *testing.T) {
	s := play(t, two(3))
	s.ticks(1, 1, 1)
	s.get(0, 9)
	want(t, "to frame 0", s.ticks(1), "~0:1,9 ~1:1,9? ~2:1,9? 3:1,9?")
	s.get(1, 8)
	want(t, "to the oldest", s.ticks(1), "~1:1,8 ~2:1,8? ~3:1,8? 4:1,8?")
	want(t, "depth", s.Stats().Histogram[3], 2)
}

// Rule: a resimulation stops early if the remaining inputs are unchanged, and
// the state is exactly the same.
func TestAResimulationStopsWhereNothingChangesAnyMore(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.get(0, 2)
	s.ticks(1, 1, 1, 1, 1)
	s.get(2, 2)
	s.get(3, 2)
	s.get(1, 5) // for one frame
	want(t, "stops", s.ticks(1), "~1:1,5 ~2:1,2 5:1,2?")
	st := s.Stats()
	want(t, "stats", fmt.Sprint(st.Rollbacks, st.Resimulated, st.EarlyStops, st.Skipped, st.Deepest), "1 2 1 2 4")
	s.get(4, 2)
	s.get(5, 3) // the newest frame: there is nothing to skip
	want(t, "the end", s.ticks(1), "~5:1,3 6:1,3?")
	want(t, "no more", s.Stats().EarlyStops, 1)
}

// The state may be the same again while the inputs are not: no early stop.
func TestAnEqualStateIsNotEnoughToStop(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.ticks(0, 0, 0, 0)
	s.get(0, 1) // leads to the same state as 0 does
	want(t, "all", s.ticks(0), "~0:0,1 ~1:0,1? ~2:0,1? ~3:0,1? 4:0,1?")
}

// Rule: Settle does the same as a tick, without a new frame.
func TestSettleCorrectsWithoutANewFrame(t *testing.T) {
	s := play(t, two(2))
	s.ok(s.Settle())
	s.ticks(1, 1)
	s.get(0, 3, 4)
	s.sample(1)
	s.ok(s.Settle())
	want(t, "corrected", s.ran(), "~0:1,3 ~1:1,4")
	s.ok(s.Settle())
	want(t, "once", s.ran(), "")
	other := play(t, two(2))
	other.get(0, 3, 4)
	other.ticks(1, 1)
	want(t, "state", *s.State(), *other.State())
}

// Rule: Restart begins another match at frame 0; delays stay, statistics do not.
func TestRestartBeginsAnew(t *testing.T) {
	s := play(t, two(4))
	s.ok(s.SetDelay(0, 2))
	first := s.ticks(1, 2, 3)
	s.get(0, 5)
	s.ticks(1)
	s.Restart(nil)
	want(t, "numbers", fmt.Sprint(s.Frame(), s.Confirmed(), s.Agreed(), s.Next(1), s.Stats().Ticks, s.Stats().Rollbacks), "0 0 0 0 0 0")
	want(t, "the same again", s.ticks(1, 2, 3), first)
}

// Rule: Load begins in the middle of a match. It needs a state, and nothing
// before it.
func TestLoadBeginsInTheMiddle(t *testing.T) {
	a, b := play(t, two(4)), play(t, two(4))
	a.get(0, 1, 2, 3)
	a.ticks(4, 5, 6)
	enc, err := a.Marshal([]byte("ab"), 2)
	a.ok(err)
	if err := b.Load(2, enc[3:]); err == nil {
		t.Fatal("half a state was loaded")
	}
	want(t, "as it was", b.ticks(9), "0:9,0?")
	b.ok(b.Load(2, enc[2:]))
	want(t, "numbers", fmt.Sprint(b.Frame(), b.Confirmed(), b.Agreed(), b.Next(1), b.Stats().Ticks), "2 2 2 2 0")
	b.get(2, 3)
	want(t, "goes on", b.ticks(6), "2:6,3")
	want(t, "state", *b.State(), *a.State())
	_, err = b.Marshal(nil, 1)
	is(t, err, rollback.ErrNotHeld)
	_, err = b.Marshal(nil, 4)
	is(t, err, rollback.ErrNotHeld)
}

// Rule: frame numbers end, and nothing wraps around before.
func TestTheNumbersEnd(t *testing.T) {
	s := play(t, two(2))
	enc, err := s.Marshal(nil, 0)
	s.ok(err)
	for _, f := range []Frame{rollback.NoFrame, rollback.NoFrame - 1} {
		is(t, s.Load(f, enc), rollback.ErrFrames)
	}
	s.ok(s.Load(rollback.NoFrame-1<<16-300, enc))
	for range 400 {
		s.get(s.Frame(), 3)
		s.sample(1)
		if err = s.Tick(); err != nil {
			break
		}
		s.ok(s.Agree(s.Confirmed()))
	}
	is(t, err, rollback.ErrFrames)
	want(t, "ticks", s.Stats().Ticks, 300)
}

// Rule: the newest Config.Snapshots states are held, and no others.
func TestTheNewestStatesAreHeld(t *testing.T) {
	cfg := two(2)
	cfg.Snapshots = 5
	s := play(t, cfg)
	var seen []world
	for range 20 {
		seen = append(seen, *s.State())
		s.get(s.Frame(), 3)
		s.ticks(button(s.Frame()))
		for f := range s.Frame() + 2 {
			w := s.StateAt(f)
			if held := f <= s.Frame() && f+5 > s.Frame(); held != (w != nil) {
				t.Fatalf("at frame %d, state %d is held: %v", s.Frame(), f, w != nil)
			}
			if w != nil && f < s.Frame() && *w != seen[f] {
				t.Fatalf("state %d is %v", f, *w)
			}
		}
	}
}

// Two engines share nothing, even if they were made from one game.
func TestEnginesShareNothing(t *testing.T) {
	tp := new(tape)
	game := tp.game(chaining, nil, nil)
	a, b := fresh(rollback.New(game, two(4))), fresh(rollback.New(game, two(4)))
	for f := range Frame(10) {
		must(a.AddLocal(0, 1, nil))
		must(a.AddInput(1, f, button(f), nil))
		must(a.Tick())
	}
	want(t, "frame", b.Frame(), 0)
	want(t, "state", *b.State(), world{})
	want(t, "ticks", b.Stats().Ticks+b.Stats().Histogram[0], 0)
}
