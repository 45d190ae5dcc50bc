package app_test

import (
	"testing"

	"github.com/tickback/tickback/play/app"
)

// Rule: the bot waits for the first input. A player who presses nothing is not attacked; after an input the bot fights.
func TestTheBotWaitsForTheFirstInput(t *testing.T) {
	idle := start(t, app.Options{Mode: "versus-bot"}).pictures(120)
	for range 6 {
		if s := idle.pictures(100).Status(); s.Rounds != 0 {
			t.Fatalf("the round of somebody that presses nothing is over at frame %d", s.Frame)
		}
	}
	// Hard, so that the bot comes at once: key 3 selects it while the bot waits.
	for _, presses := range []bool{false, true} {
		c := start(t, app.Options{Mode: "versus-bot"}).pictures(150).press("Digit3")
		if presses {
			c.press("KeyA")
		}
		rounds := 0
		for range 20 {
			rounds = max(rounds, c.pictures(60).Status().Rounds)
		}
		if fought := rounds > 0; fought != presses {
			t.Errorf("after an input %v the bot has fought %v", presses, fought)
		}
	}
}
