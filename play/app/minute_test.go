package app_test

import (
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// Rule: the bot waits for the first input. Whoever presses nothing is hit by nobody; after an input the bot
// fights.
func TestTheBotWaitsForTheFirstInput(t *testing.T) {
	idle := start(t, app.Options{Mode: "versus-bot"}).pictures(120)
	for range 6 {
		if s := idle.pictures(100).Status(); s.Rounds != 0 {
			t.Fatalf("the round of somebody that presses nothing is over at frame %d", s.Frame)
		}
	}
	// Hard, so that it comes at once: 3 chooses it while the bot waits.
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

// Rule: on a phone that lies, no touch button is where the fighters stand at the start.
func TestTouchButtonsLeaveTheFightersFree(t *testing.T) {
	pad := controls.NewTouchPad(draw.Box{W: 844, H: 390}, app.DuelLabels)
	const left, right = 152, 640 // the outer edges of the fighters at the start, in the kept picture "phone"
	if end := pad.Stick.X + pad.Stick.W; end > left {
		t.Errorf("the stick reaches %v, and a fighter begins at %v", end, left)
	}
	for _, b := range pad.Buttons {
		if from := b.At.X - b.Radius; from < right {
			t.Errorf("%s begins at %v, and a fighter reaches %v", b.Label, from, right)
		}
		if b.Radius < 22 {
			t.Errorf("%s is %v pixels wide", b.Label, 2*b.Radius)
		}
	}
}
