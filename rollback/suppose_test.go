package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// away is a match without local players: a client supposes what player 0 does.
func away(window int) rollback.Config {
	return rollback.Config{Players: 2, Window: window, MaxOrders: 3}
}

// Rule: a supposed input replaces the prediction, with its orders, and later frames repeat
// it, but not its orders. If the truth is the same, it corrects nothing.
func TestWhatIsSupposedIsPredicted(t *testing.T) {
	s := play(t, away(8))
	s.ok(s.Assume(0, 0, 5, []byte("ab")))
	s.ok(s.Assume(0, 2, 6, nil))
	want(t, "supposed", s.ticks(0, 0, 0, 0), "0:5?ab,0? 1:5?,0? 2:6?,0? 3:6?,0?")
	for f, in := range []button{5, 5, 6} {
		var orders []byte
		if f == 0 {
			orders = []byte("ab")
		}
		s.ok(s.AddInput(0, Frame(f), in, orders))
		s.ok(s.AddInput(1, Frame(f), 0, nil))
	}
	s.ok(s.Settle())
	want(t, "confirmed", s.ran(), "")
	want(t, "rollbacks", s.Stats().Rollbacks, 0)
}

// Rule: the truth overrides the supposed input and its orders; suppositions for later frames
// stay.
func TestTheTruthOverrulesWhatIsSupposed(t *testing.T) {
	s := play(t, away(8))
	s.ok(s.Assume(0, 0, 5, []byte("ab")))
	s.ok(s.Assume(0, 1, 6, []byte("c")))
	s.ticks(0, 0, 0)
	s.ok(s.AddInput(0, 0, 5, nil)) // the same input without the orders
	s.ok(s.Settle())
	want(t, "the orders", s.ran(), "~0:5,0? ~1:6?c,0? ~2:6?,0?")
	s.ok(s.AddInput(0, 1, 7, []byte("c")))
	s.ok(s.Settle())
	want(t, "the input", s.ran(), "~1:7c,0? ~2:7?,0?")
	want(t, "mispredicted", s.Stats().Mispredicted[0], 2)

	s.ok(s.Assume(0, 3, 1, []byte("d")))
	s.ok(s.AddInput(0, 2, 7, nil))
	s.ok(s.AddInput(0, 3, 2, nil)) // before the frame has run
	want(t, "early", s.ticks(0), "3:2,0?")
}

// Rule: the last supposition counts, and predictors see it as if it were known.
func TestWhatIsSupposedAgain(t *testing.T) {
	s := playStyle(t, chaining, fade, away(8))
	s.ok(s.Assume(0, 0, 5, []byte("a")))
	s.ok(s.Assume(0, 0, 9, nil))
	want(t, "the last one", s.ticks(0, 0, 0), "0:9?,1? 1:9?,1? 2:10?,1?")
	if _, _, status := s.Input(0, 0); status != rollback.Predicted {
		t.Errorf("it is %v", status)
	}
}

// Rule: impossible suppositions are refused with a typed error, and nothing changes.
func TestWhatCannotBeSupposed(t *testing.T) {
	cfg := away(8)
	cfg.Players, cfg.Local = 3, rollback.SetOf(2)
	s := play(t, cfg)
	s.ok(s.AddInput(0, 1, 3, nil))
	s.ok(s.Disconnect(1, 0))
	s.ticks(0)
	is(t, s.Assume(0, 0, 1, nil), rollback.ErrPast)
	is(t, s.Assume(0, 1, 1, nil), rollback.ErrKnown)
	is(t, s.Assume(1, 2, 1, nil), rollback.ErrDisconnected)
	refused[*rollback.PlayerError](t, s.Assume(2, 5, 1, nil))
	refused[*rollback.PlayerError](t, s.Assume(3, 5, 1, nil))
	want(t, "orders", *refused[*rollback.OrdersError](t, s.Assume(0, 5, 1, []byte("long"))), rollback.OrdersError{Player: 0, Len: 4, Most: 3})
	far := refused[*rollback.TooEarlyError](t, s.Assume(0, 1000, 1, nil))
	s.ok(s.Assume(0, far.Newest, 1, nil))
	want(t, "it goes on", s.ticks(0), "1:3,0x,0")
}

// Rule: a player that leaves does nothing, whatever was supposed.
func TestAPlayerThatGoesDoesNothing(t *testing.T) {
	s := play(t, away(8))
	s.ok(s.Assume(0, 0, 5, []byte("a")))
	s.ok(s.Assume(0, 1, 5, []byte("b")))
	s.ok(s.Disconnect(0, 1))
	want(t, "gone", s.ticks(0, 0), "0:5?a,0? 1:0x,0?")
	s.ok(s.Connect(0, 3))
	want(t, "back", s.ticks(0, 0), "2:0x,0? 3:0?,0?")
}
