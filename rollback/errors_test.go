package rollback_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Errors say who, where, and what would help.
func TestWhatErrorsSay(t *testing.T) {
	for _, c := range []struct {
		err  error
		says string
	}{
		{&rollback.PlayerError{Player: 3, Why: "is not there"}, "player 3 is not there"},
		{&rollback.ConflictError{Player: 1, Frame: 7, What: "input"}, "player 1, frame 7: a different input is confirmed already"},
		{&rollback.TooOldError{Player: 1, Frame: 2, Oldest: 9}, "player 1: an input for frame 2, and the oldest frame held is 9, where this engine began"},
		{&rollback.TooOldError{Player: 1, Frame: 2, Oldest: 9, Setting: "History"}, "player 1: an input for frame 2, and the oldest frame held is 9: raise History"},
		{&rollback.TooEarlyError{Player: 2, Frame: 300, Newest: 255}, "player 2: an input for frame 300, and there is room up to frame 255"},
		{&rollback.OrdersError{Player: 1, Len: 5}, "player 1: 5 bytes of orders, and the match has no orders: set MaxOrders"},
		{&rollback.OrdersError{Player: 1, Len: 5, Most: 4}, "player 1: 5 bytes of orders, more than MaxOrders (4)"},
		{&rollback.Stall{Frame: 9, Waiting: rollback.SetOf(1, 2), Have: 3}, "frame 9 waits for the input of players 1 and 2, from frame 3 on"},
		{&rollback.Stall{Frame: 9, Have: 3}, "frame 9 waits for frame 3 to be agreed, and read from the stream: History is full"},
		{&rollback.CapabilityError{Missing: "Hash", For: "comparing states"}, "the game gives no Hash, which comparing states needs"},
	} {
		if got := c.err.Error(); got != c.says {
			t.Errorf("%q, want %q", got, c.says)
		}
	}
}

// A mismatch says what differs: fields, effects, the end, the snapshot, or that nothing
// shows it.
func TestWhatAMismatchSays(t *testing.T) {
	fields := canon.Report{Total: 1, Differences: []canon.Difference{{Path: "HP", A: "1", B: "2"}}}
	for name, c := range map[string]struct {
		err    rollback.SyncTestError
		says   []string
		spares []string
	}{
		"fields":     {rollback.SyncTestError{Frame: 4, Report: fields}, []string{"frame 4", "state 5", "HP: 1 != 2"}, []string{"effects", "finished", "no field", "snapshot"}},
		"effects":    {rollback.SyncTestError{Frame: 4, Effects: true}, []string{"frame 4", "the effects of the frame differ"}, []string{"state 5", "no field", "finished"}},
		"the result": {rollback.SyncTestError{Frame: 4, Result: true}, []string{"frame 4", "finished the match differently"}, []string{"state 5", "no field", "effects"}},
		"all":        {rollback.SyncTestError{Frame: 4, Report: fields, Effects: true, Result: true}, []string{"HP: 1 != 2", "effects", "finished"}, []string{"no field"}},
		"nothing":    {rollback.SyncTestError{Frame: 4, Undescribed: errors.New("hidden")}, []string{"frame 4", "no field shows it: hidden"}, []string{"state 5", "effects", "finished"}},
		"a snapshot": {rollback.SyncTestError{Frame: 4, Snapshot: true, Report: fields, Effects: true}, []string{"the snapshot of state 5", "HP: 1 != 2"}, []string{"simulated again", "effects"}},
	} {
		got := c.err.Error()
		for _, s := range c.says {
			if !strings.Contains(got, s) {
				t.Errorf("%s: %q does not say %q", name, got, s)
			}
		}
		for _, s := range c.spares {
			if strings.Contains(got, s) {
				t.Errorf("%s: %q says %q", name, got, s)
			}
		}
	}
}

// A set has the players that were added, in order, and its text names them.
func TestSetsOfPlayers(t *testing.T) {
	for _, c := range []struct {
		players []rollback.Player
		says    string
	}{
		{nil, "no player"},
		{[]rollback.Player{2}, "player 2"},
		{[]rollback.Player{0, 3}, "players 0 and 3"},
		{[]rollback.Player{0, 3, 7}, "players 0, 3 and 7"},
		{[]rollback.Player{0, 8, 15}, "players 0, 8 and 15"},
	} {
		s := rollback.SetOf(c.players...)
		var all []rollback.Player
		for p := range s.All() {
			all = append(all, p)
		}
		if fmt.Sprint(s) != c.says || s.Len() != len(c.players) || fmt.Sprint(all) != fmt.Sprint(c.players) {
			t.Errorf("%v is %v, with %d: %v", c.players, s, s.Len(), all)
		}
		for p := range rollback.Player(20) {
			in := false
			for _, q := range c.players {
				in = in || p == q
			}
			if s.Has(p) != in {
				t.Errorf("%v has player %d: %v", s, p, !in)
			}
		}
	}
	if s := rollback.SetOf(16, 200, 1); s != rollback.SetOf(1) {
		t.Errorf("a number that no player has makes it %v", s)
	}
	for p := range rollback.SetOf(1, 2, 3).All() { // whoever looks for one stops at it
		if p != 1 {
			t.Errorf("player %d comes after the one who was looked for", p)
		}
		break
	}
	for s, want := range map[rollback.Status]string{rollback.Predicted: "predicted", rollback.Confirmed: "confirmed", rollback.Disconnected: "disconnected", 3: "unknown", 255: "unknown"} {
		if s.String() != want {
			t.Errorf("status %d is %q", s, s)
		}
	}
}
