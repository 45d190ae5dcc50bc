package rollback_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: a prediction is the exact input if it is known; after the newest, the
// newest; in a gap, the nearest before; otherwise zero. Predicted orders are
// empty.
func TestInputsArePredictedByTheNewestBefore(t *testing.T) {
	s := play(t, two(8))
	want(t, "nothing known", s.ticks(1), "0:1,0?")
	s.get(0, 5)
	want(t, "beyond the newest", s.ticks(1), "~0:1,5 1:1,5?")
	s.get(4, 9)
	want(t, "in the gap", s.ticks(1, 1), "2:1,5? 3:1,5?")
	want(t, "exact, and after it", s.ticks(1, 1), "4:1,9 5:1,9?")
	s.get(2, 7)
	want(t, "in a smaller gap", s.ticks(2), "~2:1,7 ~3:1,7? ~4:1,9 ~5:1,9? 6:2,9?")
}

func TestOrdersArePredictedAsNone(t *testing.T) {
	cfg := two(8)
	cfg.MaxOrders = 4
	s := play(t, cfg)
	s.ok(s.AddInput(1, 0, 3, []byte("ab")))
	want(t, "orders", s.ticks(1, 1), "0:1,3ab 1:1,3?")
	s.ok(s.AddInput(1, 1, 3, []byte("c")))
	want(t, "orders alone are a correction", s.ticks(1), "~1:1,3c 2:1,3?")
	want(t, "mispredicted", s.Stats().Mispredicted[1], 1)
}

// Rule: a game may give its own predictor. It is told the player, the frame, the
// newest frame known before it and the input there.
func TestThePredictorOfTheGameIsAsked(t *testing.T) {
	var asked [][3]int
	predict := func(p Player, f, known Frame, last button) button {
		if known == rollback.NoFrame {
			known = 99
		}
		asked = append(asked, [3]int{int(f), int(known), int(last)})
		return button(10*p) + button(f)
	}
	s := playStyle(t, chaining, predict, two(8))
	want(t, "own prediction", s.ticks(1), "0:1,10?")
	s.get(0, 5)
	s.get(3, 6)
	want(t, "own predictions", s.ticks(1, 1, 1, 1), "~0:1,5 1:1,11? 2:1,12? 3:1,6 4:1,14?")
	if wanted := [][3]int{{0, 99, 0}, {1, 0, 5}, {2, 0, 5}, {4, 3, 6}}; len(asked) != 4 || asked[0] != wanted[0] || asked[1] != wanted[1] || asked[2] != wanted[2] || asked[3] != wanted[3] {
		t.Errorf("asked: %v, not %v", asked, wanted)
	}
}

// Rule: an input that is already known is ignored if it is the same, and a
// ConflictError if not; the first input stays.
func TestTheFirstInputStays(t *testing.T) {
	cfg := two(8)
	cfg.MaxOrders = 4
	s := play(t, cfg)
	s.ok(s.AddInput(1, 2, 5, []byte("a")))
	s.ok(s.AddInput(1, 2, 5, []byte("a")))
	want(t, "duplicates", s.Stats().Duplicates, 1)
	e := refused[*rollback.ConflictError](t, s.AddInput(1, 2, 6, []byte("a")))
	want(t, "conflict", *e, rollback.ConflictError{Player: 1, Frame: 2, What: "input"})
	for _, orders := range []string{"", "b", "aa"} {
		e = refused[*rollback.ConflictError](t, s.AddInput(1, 2, 5, []byte(orders)))
		want(t, "conflict", *e, rollback.ConflictError{Player: 1, Frame: 2, What: "orders"})
	}
	want(t, "the first", s.ticks(1, 1, 1), "0:1,0? 1:1,0? 2:1,5a")
}

// Rule: orders are copied, and at most Config.MaxOrders long.
func TestOrdersAreCopiedAndBounded(t *testing.T) {
	cfg := two(8)
	cfg.MaxOrders = 2
	s := play(t, cfg)
	mine := []byte("ab")
	s.ok(s.AddInput(1, 0, 1, mine))
	s.ok(s.AddLocal(0, 1, mine))
	mine[0] = 'z'
	s.ok(s.Tick())
	want(t, "copied", s.ran(), "0:1ab,1ab")
	_, orders, status := s.Input(1, 0)
	want(t, "asked for", string(orders), "ab")
	want(t, "status", status, rollback.Confirmed)
	for _, err := range []error{s.AddInput(1, 1, 1, []byte("abc")), s.AddLocal(0, 1, []byte("abc"))} {
		e := refused[*rollback.OrdersError](t, err)
		want(t, "length", e.Len*10+e.Most, 32)
	}
	want(t, "still needed", s.NeedsInput(0), true)
	none := play(t, two(1))
	refused[*rollback.OrdersError](t, none.AddInput(1, 0, 1, []byte("a")))
	none.ok(none.AddInput(1, 0, 1, []byte{}))
}

// Rule: an input for a frame that is no longer held is a TooOldError that names
// the setting, one too far ahead a TooEarlyError, and the match is as it was.
func TestInputsOutsideOfTheHistoryAreRefused(t *testing.T) {
	cfg := two(8)
	cfg.History = 128
	s := play(t, cfg)
	for f := range Frame(1000) {
		s.get(f, button(f))
		s.ticks(1)
		s.ok(s.Agree(f + 1))
		if f >= 127 {
			s.get(f-127, button(f-127)) // the oldest that is certainly held: a duplicate
		}
	}
	before := *s.State()
	old := refused[*rollback.TooOldError](t, s.AddInput(1, 500, 1, nil))
	want(t, "setting", old.Setting, "History")
	if text := old.Error(); !strings.Contains(text, "raise History") || !strings.Contains(text, "frame 500") {
		t.Error(text)
	}
	if old.Oldest > 1000-128 || old.Oldest < 1000-128-128/8-1 || old.Frame != 500 || old.Player != 1 {
		t.Errorf("%+v", old)
	}
	refused[*rollback.TooOldError](t, s.AddInput(1, old.Oldest-1, button(old.Oldest-1), nil))
	s.get(old.Oldest, button(old.Oldest&255)) // a duplicate
	early := refused[*rollback.TooEarlyError](t, s.AddInput(1, 5000, 1, nil))
	if early.Newest < 1000+60 {
		t.Errorf("there is room up to %d only", early.Newest)
	}
	refused[*rollback.TooEarlyError](t, s.AddInput(1, early.Newest+1, 1, nil))
	s.get(early.Newest, 9)
	refused[*rollback.TooEarlyError](t, s.AddInput(1, rollback.NoFrame, 1, nil))
	want(t, "next", s.Next(1), 1000)
	want(t, "state", *s.State(), before)
}

// Rule: before the frame at which an engine was loaded, no setting would help.
func TestInputsBeforeTheBeginningNameNoSetting(t *testing.T) {
	s := play(t, two(8))
	b, err := s.Marshal(nil, 0)
	s.ok(err)
	s.ok(s.Load(700, b))
	e := refused[*rollback.TooOldError](t, s.AddInput(1, 699, 1, nil))
	want(t, "error", *e, rollback.TooOldError{Player: 1, Frame: 699, Oldest: 700})
	if text := e.Error(); strings.Contains(text, "raise") || !strings.Contains(text, "where this engine began") {
		t.Error(text)
	}
	s.get(700, 1)
}

// Rule: each player's inputs are given by one kind of call only.
func TestWrongPlayersAreRefused(t *testing.T) {
	s := play(t, two(8))
	for _, err := range []error{
		s.AddInput(0, 0, 1, nil), s.AddInput(2, 0, 1, nil), s.AddInput(16, 0, 1, nil), s.AddInput(9, 0, 1, nil), s.AddInput(255, 0, 1, nil),
		s.AddLocal(1, 1, nil), s.AddLocal(2, 1, nil), s.AddLocal(16, 1, nil), s.AddLocal(255, 1, nil),
		s.SetDelay(1, 0), s.SetDelay(16, 0), s.Disconnect(2, 0), s.Disconnect(255, 9), s.Connect(16, 0), s.Connect(1, 5),
	} {
		refused[*rollback.PlayerError](t, err)
	}
	for _, p := range []Player{2, 7, 8, 15, 16, 255} {
		if _, _, status := s.Input(p, 0); status != rollback.Predicted || s.Next(p) != rollback.NoFrame || s.NeedsInput(p) {
			t.Errorf("player %d has an input", p)
		}
	}
}

// Inputs that came in the wrong order count as soon as the gap is closed.
func TestInputsBeyondAGapWaitForIt(t *testing.T) {
	s := play(t, two(8))
	for _, f := range []Frame{3, 1, 4, 2} {
		s.get(f, button(f))
		want(t, "next", s.Next(1), 0)
	}
	s.get(0, 9)
	want(t, "next", s.Next(1), 5)
	want(t, "in order", s.ticks(0, 0, 0, 0, 0, 0), "0:0,9 1:0,1 2:0,2 3:0,3 4:0,4 5:0,4?")
}
