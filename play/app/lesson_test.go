package app_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
)

// learner is a client in the lesson, after the countdown.
func learner(t *testing.T) *client {
	return start(t, app.Options{Mode: "versus-bot"}).pictures(150).press("Digit4").pictures(200)
}

// step returns the current step of the lesson; 0 if there is none.
func (c *client) step() (n int) {
	_, _ = fmt.Sscanf(c.Status().Banner, "%d of", &n)
	return n
}

// Rule: the lesson continues when a step is done, against a bot that does nothing; after three steps the match begins,
// and the bot waits again. The lesson is not among the recordings.
func TestTheLessonHasThreeSteps(t *testing.T) {
	c := learner(t)
	if s := c.Status(); s.Banner != "1 of 3   Run to the bot." {
		t.Fatalf("it says %q", s.Banner)
	}
	for step, do := range [][]controls.Key{{"KeyD"}, {"KeyJ"}, {"KeyW", "KeyD"}} {
		if c.pictures(100); c.step() != step+1 {
			t.Fatalf("step %d has gone by without being done", step+1)
		}
		for i := 0; i < 120 && c.step() == step+1; i++ {
			c.hold(do...).pictures(1)
		}
		c.hold()
		if want := (step + 2) % 4; c.step() != want {
			t.Fatalf("after %v the step is %d, want %d", do, c.step(), want)
		}
	}
	if s := c.pictures(2).Status(); s.Frame > 5 || s.Rounds != 0 {
		t.Errorf("the match does not begin anew: frame %d", s.Frame)
	}
	for range 8 {
		c.pictures(100)
	}
	if s := c.Status(); s.Rounds != 0 {
		t.Error("the bot does not wait after the lesson")
	}
	if list := c.Recordings(); len(list) != 1 { // the match before it
		t.Errorf("%d recordings", len(list))
	}
}

// Rule: the lesson can be skipped, and is only for players who request it.
func TestTheLessonIsSkipped(t *testing.T) {
	c := learner(t).press("Digit1")
	if s := c.pictures(5).Status(); s.Banner != "" || s.Frame > 20 {
		t.Errorf("%q, frame %d", s.Banner, s.Frame)
	}
	c.pictures(200).press("KeyA").pictures(10).press("Digit4").pictures(10)
	if s := c.Status(); s.Banner != "" {
		t.Error("it is offered in a fight")
	}
}
