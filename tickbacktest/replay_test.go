package tickbacktest

import (
	"regexp"
	"testing"

	"github.com/tickback/tickback/rollback"
)

var lineOf = regexp.MustCompile(`Replay\(t, game, "([^"]*)"\)`)

// The line of a failure fails in the same frame with the same values, however often it is played, and passes once the
// game is fixed.
func TestReplayPlaysTheFailureAgain(t *testing.T) {
	for name, helper := range map[string]func(t testing.TB){
		"SyncTest": func(t testing.TB) { SyncTest(t, comboGame, Options[pad]{}) },
		"Purity":   func(t testing.TB) { Purity(t, comboGame, Options[pad]{}) },
	} {
		line := lineOf.FindStringSubmatch(reports(t, helper, "frame 20 "))[1]
		first := reports(t, func(t testing.TB) { Replay(t, comboGame, line) }, "tickbacktest."+name, "frame 20 ", "Broken", "Buttons:1", line)
		if again := Failure(t, func(t testing.TB) { Replay(t, comboGame, line) }); again != first {
			t.Errorf("a second time it is\n%s\nand was\n%s", again, first)
		}
		Replay(t, rollback.Game[comboState, pad]{Step: func(s *comboState, t *rollback.Tick[pad]) { s.Frame++ }}, line)
	}
}

// Orders and absences are in the line too.
func TestReplayHasOrdersAndAbsences(t *testing.T) {
	game := stepped(func(s *counters, t *rollback.Tick[pad]) {
		if t.Status(1) == rollback.Disconnected && len(t.Orders(0)) > 2 && t.Resimulating() {
			s.Value++
		}
	})
	text := reports(t, func(t testing.TB) { SyncTest(t, game, Options[pad]{MaxOrders: 9}) },
		"frame 0 ", "orders 000000", "gone", "1 frame, 0 inputs")
	line := lineOf.FindStringSubmatch(text)[1]
	reports(t, func(t testing.TB) { Replay(t, game, line) }, "frame 0 ", "orders 000000", "gone")
}
