package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: from the cut on the input is zero, the status Disconnected, and nothing
// is awaited any more.
func TestAPlayerWhoLeavesIsNotAwaited(t *testing.T) {
	s := play(t, two(2))
	s.get(0, 5, 6)
	s.ok(s.Disconnect(1, 2))
	want(t, "next", s.Next(1), rollback.NoFrame)
	want(t, "gone", s.ticks(1, 1, 1, 1, 1), "0:1,5 1:1,6 2:1,0x 3:1,0x 4:1,0x")
	want(t, "confirmed", s.Confirmed(), 5)
	in, _, status := s.Input(1, 900)
	want(t, "too far", fmt.Sprint(in, status), "0 predicted")
	in, _, status = s.Input(1, 100)
	want(t, "gone", fmt.Sprint(in, status), "0 disconnected")
	is(t, s.AddInput(1, 2, 1, nil), rollback.ErrDisconnected)
	is(t, s.AddInput(1, 40, 1, nil), rollback.ErrDisconnected)
	s.get(1, 6) // a duplicate
}

// Rule: inputs below the cut that have not arrived still are awaited.
func TestInputsBeforeTheCutAreAwaited(t *testing.T) {
	s := play(t, two(2))
	s.get(0, 5)
	s.ok(s.Disconnect(1, 3))
	want(t, "predicted", s.ticks(1, 1, 1), "0:1,5 1:1,5? 2:1,5?")
	s.sample(1)
	s.waits(rollback.SetOf(1), 1)
	s.get(2, 7)
	s.get(1, 6)
	want(t, "next", s.Next(1), rollback.NoFrame)
	want(t, "and then not", s.ticks(1, 1), "~1:1,6 ~2:1,7 3:1,0x 4:1,0x")
}

// Rule: if frames from the cut on have run with predictions, the next tick rolls back, all
// the way: which players are present is an input, too.
func TestACutInThePastRollsBack(t *testing.T) {
	s := playStyle(t, following, nil, two(8))
	s.ticks(1, 1, 1)
	s.ok(s.Disconnect(1, 1))
	s.get(0, 0)
	want(t, "back", s.ticks(1), "~1:1,0x ~2:1,0x 3:1,0x")
	want(t, "not mispredicted", s.Stats().Mispredicted[1], 0)
}

// What came early, beyond a gap and the cut, is dropped.
func TestEarlyInputsBeyondTheCutAreDropped(t *testing.T) {
	s := play(t, two(8))
	s.get(2, 5)
	s.get(4, 6)
	s.ticks(1, 1, 1, 1, 1)
	s.ok(s.Disconnect(1, 3))
	want(t, "dropped", s.ticks(1), "~3:1,0x ~4:1,0x 5:1,0x")
	s.get(0, 1, 2)
	want(t, "next", s.Next(1), rollback.NoFrame)
	want(t, "the rest", s.ticks(1), "~0:1,1 ~1:1,2 ~2:1,5 ~3:1,0x ~4:1,0x ~5:1,0x 6:1,0x")
}

// Rule: no confirmed input is taken back.
func TestACutDoesNotTakeBackInputs(t *testing.T) {
	s := play(t, two(2))
	s.get(0, 1, 2, 3)
	e := refused[*rollback.ConflictError](t, s.Disconnect(1, 2))
	want(t, "conflict", *e, rollback.ConflictError{Player: 1, Frame: 2, What: "cut"})
	s.ok(s.Disconnect(1, 3))
	refused[*rollback.PlayerError](t, s.Disconnect(1, 3))
	refused[*rollback.PlayerError](t, s.Disconnect(1, 30))
}

// Rule: a cut at frames that are no longer held is a TooOldError.
func TestACutTooLongAgoIsRefused(t *testing.T) {
	cfg := two(2)
	cfg.History = 128
	s := play(t, cfg)
	for f := range Frame(600) {
		s.get(f, 1)
		s.ticks(1)
		s.ok(s.Agree(f + 1))
	}
	refused[*rollback.TooOldError](t, s.Disconnect(1, 3))
	want(t, "as it was", s.Next(1), 600)
}

// Rule: a player who is connected again is awaited from that frame on.
func TestAPlayerComesBack(t *testing.T) {
	s := play(t, two(2))
	s.ok(s.Disconnect(1, 0))
	s.ticks(1)
	s.ok(s.Connect(1, 3))
	want(t, "next", s.Next(1), 3)
	is(t, s.AddInput(1, 2, 1, nil), rollback.ErrDisconnected)
	s.get(4, 8)
	want(t, "nothing is known", s.ticks(1, 1, 1, 1), "1:1,0x 2:1,0x 3:1,0? 4:1,8")
	s.sample(1)
	s.waits(rollback.SetOf(1), 3)
	s.get(3, 7)
	want(t, "there", s.ticks(1), "~3:1,7 ~4:1,8 5:1,8?")
	s.get(5, 8)
	s.ok(s.Disconnect(1, 6))
	s.ok(s.Connect(1, 9))
	want(t, "and again", s.ticks(1, 1, 1, 1), "6:1,0x 7:1,0x 8:1,0x 9:1,0?")
}

// Rule: the frame must not have run, nor be the one of the cut or before.
func TestNobodyComesBackIntoThePast(t *testing.T) {
	s := play(t, two(4))
	s.ok(s.Disconnect(1, 2))
	s.get(0, 1, 1)
	s.ticks(1, 1, 1, 1)
	refused[*rollback.ConflictError](t, s.Connect(1, 2))
	refused[*rollback.ConflictError](t, s.Connect(1, 3))
	refused[*rollback.PlayerError](t, s.Connect(0, 30))
	s.ok(s.Connect(1, 5))
	refused[*rollback.PlayerError](t, s.Connect(1, 8))
	refused[*rollback.ConflictError](t, s.Disconnect(1, 4)) // while it is away
	s.get(5, 1)
	want(t, "back", s.ticks(1, 1), "4:1,0x 5:1,1")
	s.ok(s.Disconnect(1, 9))
}

// Rule: a player who is to come back may leave again before that, or never come.
func TestWhoIsToComeBackMayLeaveAgain(t *testing.T) {
	s := play(t, two(8))
	s.ok(s.Disconnect(1, 0))
	s.ticks(1)
	s.ok(s.Connect(1, 4))
	s.get(5, 7)
	s.ok(s.Disconnect(1, 4))
	want(t, "next", s.Next(1), rollback.NoFrame)
	want(t, "it never came", s.ticks(1, 1, 1, 1, 1), "1:1,0x 2:1,0x 3:1,0x 4:1,0x 5:1,0x")
	s.ok(s.Connect(1, 8))
	s.get(8, 3)
	s.ok(s.Disconnect(1, 10))
	want(t, "one is missing", s.Next(1), 9)
	want(t, "it was there for two", s.ticks(1, 1, 1, 1, 1), "6:1,0x 7:1,0x 8:1,3 9:1,3? 10:1,0x")
	s.get(9, 4)
	want(t, "and has gone", s.ticks(1), "~9:1,4 ~10:1,0x 11:1,0x")
}

// Rule: who was to come back and leaves with that very frame has not been there. It may come back before it, and with it, whatever of
// its first inputs is missing, and however far ahead that is.
func TestWhoDidNotComeBackMayComeBackSooner(t *testing.T) {
	cfg := two(8)
	cfg.History = 128
	for _, c := range []struct{ was, now Frame }{{6, 6}, {6, 4}, {6, 3}, {6, 9}, {400, 5}, {400, 400}} {
		s := play(t, cfg)
		s.ok(s.Disconnect(1, 2))
		s.ok(s.Connect(1, c.was))
		if c.was == 6 {
			s.get(7, 9) // early, and of nobody
		}
		s.ok(s.Disconnect(1, c.was))
		refused[*rollback.PlayerError](t, s.Disconnect(1, c.was))
		refused[*rollback.ConflictError](t, s.Connect(1, 2))
		s.ok(s.Connect(1, c.now))
		s.get(0, 1, 1)
		want(t, "next", s.Next(1), c.now)
		for f := Frame(0); f < c.now; f++ {
			s.ticks(1)
			s.ok(s.Agree(f + 1))
		}
		s.get(c.now, 5)
		want(t, "there", s.ticks(1), fmt.Sprintf("%d:1,5", c.now))
		s.ok(s.Disconnect(1, c.now+1))
		want(t, "and gone", s.ticks(1), fmt.Sprintf("%d:1,0x", c.now+1))
	}
}

// Rule: not if the return is so far ahead that the rows before it are not there yet,
// nor if inputs from before the absence are missing.
func TestAReturnFarAheadStands(t *testing.T) {
	cfg := two(8)
	cfg.History = 128
	s := play(t, cfg)
	s.ok(s.Disconnect(1, 2))
	s.ok(s.Connect(1, 40))
	refused[*rollback.PlayerError](t, s.Disconnect(1, 41)) // its inputs 0 and 1 are missing
	s.get(0, 1, 1)
	s.ok(s.Disconnect(1, 40))
	s.ok(s.Connect(1, 400))
	refused[*rollback.PlayerError](t, s.Disconnect(1, 500))
	for f := range Frame(300) {
		s.ticks(1)
		s.ok(s.Agree(f + 1))
	}
	s.ok(s.Disconnect(1, 400))
	for f := Frame(300); f < 600; f++ {
		want(t, "away", s.ticks(1), fmt.Sprintf("%d:1,0x", f))
		s.ok(s.Agree(f + 1))
	}
}

// Absences that are longer than the ring survive its turns.
func TestAnAbsenceOutlastsTheHistory(t *testing.T) {
	cfg := two(2)
	cfg.History, cfg.Stream = 128, true
	s := play(t, cfg)
	s.ok(s.Disconnect(1, 10))
	s.get(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	s.ok(s.Connect(1, 900))
	for f := range Frame(1100) {
		if f >= 900 {
			s.get(f, 2)
		}
		s.ticks(1)
		s.ok(s.Agree(f + 1))
		a := s.NextAgreed()
		if gone := f >= 10 && f < 900; gone != (a.Statuses[1] == rollback.Disconnected) {
			t.Fatalf("frame %d: %v", f, a.Statuses)
		}
	}
}

// Rule: a local player who is away is not sampled, and samples that would take
// effect only then are dropped; after the return the delay counts anew.
func TestALocalPlayerLeavesAndComesBack(t *testing.T) {
	cfg := rollback.Config{Players: 2, Local: rollback.SetOf(0, 1), Window: 2}
	cfg.Delay[1] = 2
	s := play(t, cfg)
	want(t, "there", s.ticks(1, 2), "0:1,0 1:2,0")
	s.ok(s.Disconnect(1, 5))
	s.ok(s.Connect(1, 7))
	want(t, "sampled once", s.ticks(3, 4, 5), "2:3,1 3:4,2 4:5,3")
	want(t, "no sample", s.NeedsInput(1), false)
	is(t, s.AddLocal(1, 1, nil), rollback.ErrDisconnected)
	want(t, "back", s.ticks(6, 7, 8, 9, 10, 11), "5:6,0x 6:7,0x 7:8,0 8:9,0 9:10,8 10:11,9")
}

// The same holds if the player is to leave once more after the return, before the first
// absence has begun.
func TestASampleBeforeAnAbsenceNeverTakesEffectAfterIt(t *testing.T) {
	cfg := rollback.Config{Players: 2, Local: rollback.SetOf(0, 1), Window: 2}
	cfg.Delay[1] = 2
	s := play(t, cfg)
	s.ticks(1, 2)
	s.ok(s.Disconnect(1, 5))
	s.ok(s.Connect(1, 7))
	s.ticks(3)
	want(t, "next", s.Next(1), 7)
	s.ok(s.Disconnect(1, 11))
	want(t, "dropped", s.ticks(4, 5), "3:4,2 4:5,3")
	want(t, "next", s.Next(1), 7)
	want(t, "back", s.ticks(6, 7, 8, 9, 10, 11, 12), "5:6,0x 6:7,0x 7:8,0 8:9,0 9:10,8 10:11,9 11:12,0x")
}

// Connecting a player does not make another player be sampled twice for a frame.
func TestConnectAsksForNoSecondSample(t *testing.T) {
	s := play(t, two(8))
	s.sample(1)
	s.ok(s.Disconnect(0, 10))
	s.ok(s.Connect(0, 20))
	want(t, "needs input", s.NeedsInput(0), false)
	is(t, s.AddLocal(0, 2, nil), rollback.ErrSampled)
}

// Rule: confirmed never goes back, also if the last player leaves, and those who
// left may come back.
func TestAMatchGoesOnWithoutAnybody(t *testing.T) {
	s := play(t, alone(6))
	s.ticks(1, 1, 1)
	want(t, "confirmed", s.Confirmed(), 9)
	s.ok(s.Disconnect(0, 9))
	want(t, "confirmed", s.Confirmed(), 9)
	for range 10 {
		s.ticks(1)
	}
	want(t, "confirmed", s.Confirmed(), 13)
	s.ok(s.Connect(0, 14))
	s.tape.runs = nil
	want(t, "back", s.ticks(1, 2), "13:0x 14:0")
}

// Rule: the inputs of a player who has come back may come in any order, like those of
// everybody, also when the absence has been forgotten meanwhile.
func TestWhoHasComeBackMaySendInAnyOrder(t *testing.T) {
	cfg := two(8)
	cfg.History = 128
	s := play(t, cfg)
	s.get(0, 1, 1, 1)
	s.ticks(0, 0, 0)
	s.ok(s.Disconnect(1, 3))
	s.ticks(0, 0, 0)
	s.ok(s.Connect(1, 6))
	for f := Frame(6); f < 400; f++ {
		s.get(f+1, button(f+1)) // before its elder, which comes after the tick
		s.ticks(1)
		s.get(f, button(f))
		want(t, "next", s.Next(1), f+2)
		s.ok(s.Agree(f))
	}
}

// Rule: what may be agreed goes back with Confirmed, when a player returns. The game has no
// effects, so that Agree remembers what the last tick has found to be confirmed.
func TestAReturnTakesBackWhatMayBeAgreed(t *testing.T) {
	cfg := two(8)
	cfg.Delay[0] = 5
	e, err := rollback.New(tinyGame(), cfg)
	must(err)
	must(e.AddInput(1, 0, 0, nil))
	must(e.Disconnect(1, 1))
	for range 3 {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
	}
	if e.Confirmed() <= 4 {
		t.Fatalf("only %d frames are confirmed: nothing can go back", e.Confirmed())
	}
	must(e.Connect(1, 3))
	want(t, "confirmed", e.Confirmed(), 3)
	if err := e.Agree(4); err == nil {
		t.Error("a frame is agreed whose input is awaited")
	}
	must(e.Agree(3))
}
