package rollback_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// streamed is two players with a stream.
func streamed(window int) rollback.Config {
	cfg := two(window)
	cfg.Stream, cfg.MaxOrders = true, 4
	return cfg
}

// read returns the agreed frames that are ready.
func (s *session) read() string {
	var list []string
	for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
		text := fmt.Sprint(a.Frame, ":")
		for p, in := range a.Inputs {
			text += fmt.Sprint(in, string(a.Orders[p]), a.Statuses[p].String()[:1])
		}
		if a.Finished {
			text += fmt.Sprint("=", a.Result)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// Rule: every agreed frame exactly once, in order, with inputs, orders and
// statuses, as soon as it is agreed, has run, and is right.
func TestTheStreamHasEveryFrameOnce(t *testing.T) {
	s := play(t, streamed(8))
	s.ok(s.AddInput(1, 0, 5, []byte("x")))
	s.ok(s.Agree(0))
	want(t, "nothing has run", s.read(), "")
	s.ticks(1, 1, 1)
	want(t, "nothing is agreed", s.read(), "")
	s.ok(s.Agree(1))
	want(t, "one", s.read(), "0:1c5xc")
	want(t, "once", s.read(), "")
	s.get(1, 6, 6)
	s.ok(s.Agree(3))
	want(t, "wrong yet", s.read(), "")
	s.ok(s.Disconnect(1, 4))
	s.get(3, 7)
	s.ticks(1, 1)
	s.ok(s.Agree(5))
	want(t, "all", s.read(), "1:1c6c 2:1c6c 3:1c7c 4:1c0d")
}

// Rule: agreement does not go back, nor beyond what is confirmed.
func TestAgreementIsBounded(t *testing.T) {
	s := play(t, two(8))
	s.get(0, 1, 1)
	s.ticks(1, 1, 1)
	s.ok(s.Agree(2))
	for n, why := range map[Frame]string{1: "cannot go back from 2 to 1", 3: "only 2 are confirmed", rollback.NoFrame: "only 2 are confirmed"} {
		if err := s.Agree(n); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%d frames are agreed: %v, want that %s", n, err, why)
		}
	}
	s.ok(s.Agree(2))
	want(t, "agreed", s.Agreed(), 2)
	want(t, "no stream", s.NextAgreed(), nil)
}

// Rule: without peers, what is confirmed is agreed.
func TestWithoutPeersEverythingIsAgreed(t *testing.T) {
	cfg := alone(2)
	cfg.Stream, cfg.MaxOrders = true, 1
	s := play(t, cfg)
	s.ticks(1, 1, 1)
	want(t, "agreed", s.Agreed(), 5)
	want(t, "stream", s.read(), "0:0c 1:0c 2:1c")
}

// Rule: the hash is that of state f+1, for the states whose number HashEvery
// divides; even if it is requested when the state is no longer held.
func TestTheStreamHasHashes(t *testing.T) {
	for every, due := range map[int]Frame{0: 1, 1: 1, 3: 3, -1: 0} {
		cfg := streamed(2)
		cfg.HashEvery = every
		s := play(t, cfg)
		var sums []uint64
		for f := range Frame(100) {
			s.get(f, button(f))
			s.ticks(1)
			s.ok(s.Agree(f + 1))
			sums = append(sums, worldPlan.Hash(s.State()))
		}
		for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
			if a.Hashed != (due > 0 && (a.Frame+1)%max(due, 1) == 0) || a.Hashed && a.Hash != sums[a.Frame] {
				t.Fatalf("every %d: %+v, not %x", every, *a, sums[a.Frame])
			}
		}
	}
}

// The hash of a state that is corrected while it is the oldest one held.
func TestTheHashOfTheOldestStateIsThatOfTheRightOne(t *testing.T) {
	s, right := play(t, streamed(2)), play(t, streamed(2))
	for f := range Frame(60) {
		right.get(f, button(f&7))
		right.ticks(1)
		s.ticks(1)
		if f >= 1 {
			s.get(f-1, button((f-1)&7)) // as late as the window lets it
		}
	}
	s.get(59, 59&7)
	s.ok(s.Settle())
	s.ok(s.Agree(60))
	right.ok(right.Agree(60))
	for range 60 {
		a, b := s.NextAgreed(), right.NextAgreed()
		if !a.Hashed || a.Hash != b.Hash || a.Frame != b.Frame {
			t.Fatalf("%+v, not %+v", *a, *b)
		}
	}
}

// Rule: the history is full when the owner neither agrees nor reads; then the
// engine waits for the owner.
func TestTheOwnerIsAwaited(t *testing.T) {
	for _, stream := range []bool{false, true} {
		cfg := two(8)
		cfg.History, cfg.Stream = 128, stream
		s := play(t, cfg)
		for f := range Frame(128) {
			s.get(f, 1)
			s.ticks(1)
		}
		s.get(128, 1)
		s.sample(1)
		s.waits(0, 0)
		s.ok(s.Agree(3))
		if stream {
			s.waits(0, 0)
			s.NextAgreed()
			s.NextAgreed()
			s.NextAgreed()
			s.ticks(1)
		}
		s.tape.runs = nil
		for f := Frame(129 + len(s.ran())); s.Frame() < 131; f++ {
			s.get(s.Frame(), 1)
			s.ticks(1)
		}
		s.get(131, 1)
		s.sample(1)
		s.waits(0, 3)
	}
}

// referee ends the match when player 1 presses 9, with the frame as the result.
func referee(t *testing.T, cfg rollback.Config) *session {
	t.Helper()
	tp := new(tape)
	game := tp.game(following, nil, nil)
	step := game.Step
	game.Step = func(w *world, tick *rollback.Tick[button]) {
		step(w, tick)
		if tick.Input(1) == 9 {
			tick.Finish(1)
			tick.Finish(uint64(tick.Frame()) * 10)
		}
	}
	return &session{fresh(rollback.New(game, cfg)), t, tp}
}

// Rule: the first agreed frame that finished is the result, reported once; the
// last call in a frame counts.
func TestTheFirstAgreedFinishIsTheResult(t *testing.T) {
	s := referee(t, streamed(8))
	s.get(0, 1, 1)
	s.get(2, 9) // and is predicted from now on
	s.ticks(0, 0, 0, 0, 0)
	o, over := s.Provisional()
	want(t, "provisional", fmt.Sprint(o, over), "{2 20} true")
	_, over = s.Result()
	want(t, "not agreed", over, false)
	s.get(3, 1, 9)
	s.ticks(0)
	s.ok(s.Agree(5))
	o, over = s.Result()
	want(t, "agreed", fmt.Sprint(o, over), "{2 20} true")
	want(t, "stream", s.read(), "0:0c1c 1:0c1c 2:0c9c=20 3:0c1c 4:0c9c")
	o, over = s.Result()
	want(t, "for good", fmt.Sprint(o, over), "{2 20} true")
	s.Restart(nil)
	_, over = s.Provisional()
	want(t, "anew", over, false)
}

// Rule: a predicted end that did not happen is taken back, and an earlier one
// replaces it.
func TestAPredictedEndIsTakenBack(t *testing.T) {
	s := referee(t, streamed(8))
	s.get(0, 1)
	s.get(3, 9)
	s.ticks(0, 0, 0, 0, 0, 0)
	s.get(1, 9)
	s.ok(s.Settle())
	o, _ := s.Provisional()
	want(t, "earlier", o, rollback.Outcome{Frame: 1, Result: 10})

	s = referee(t, streamed(8))
	s.get(0, 9)
	s.ticks(0, 0)
	s.Restart(nil)
	s.get(0, 1)
	s.ticks(0, 0, 0)
	_, over := s.Provisional()
	want(t, "of another match", over, false)
	s.get(2, 9)
	s.ticks(0)
	s.ok(s.Disconnect(1, 3))
	s.get(1, 1)
	s.ticks(0)
	o, _ = s.Provisional()
	want(t, "stays", o, rollback.Outcome{Frame: 2, Result: 20})
	want(t, "not predicted any more", s.Confirmed(), 5)
}

// A result is found, however late Result is first called.
func TestAResultIsNotForgotten(t *testing.T) {
	cfg := two(2)
	cfg.History = 128
	s := referee(t, cfg)
	for f := range Frame(900) {
		s.get(f, map[bool]button{true: 9}[f == 5 || f == 800])
		s.ticks(0)
		s.ok(s.Agree(f + 1))
	}
	o, over := s.Result()
	want(t, "result", fmt.Sprint(o, over), "{5 50} true")
}
