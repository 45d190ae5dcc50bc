package app_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/mirror"
)

// theLab is the lab with a given setup.
func theLab(t *testing.T, setup string, o app.LabOptions) *client {
	t.Helper()
	o.Setup = setup
	return start(t, app.Options{Mode: "lab", Auto: true, Lab: o}).pictures(2).in("lab")
}

// A setup with scripts can be repeated: a second page that gets the link reaches the same state, and so does a reset.
func TestAnExperimentCanBeRepeated(t *testing.T) {
	const setup = "delay.50-jitter.20-loss.10-seed.99-players.2"
	a, b := theLab(t, setup, app.LabOptions{}).pictures(300), theLab(t, setup, app.LabOptions{}).pictures(300)
	one, two := a.Status(), b.Status()
	if one.Checksum != two.Checksum || one.Rollbacks != two.Rollbacks || one.Rollbacks < 10 || one.Lab != setup {
		t.Errorf("frame %d, %d rollbacks, %s; and frame %d, %d rollbacks, %s; setup %q",
			one.Frame, one.Rollbacks, one.Checksum, two.Frame, two.Rollbacks, two.Checksum, one.Lab)
	}
	a.click(646, 668) // Reset
	if s := a.Status(); s.Frame > 10 || s.Rollbacks != 0 {
		t.Errorf("after a reset it is at frame %d, with %d rollbacks", s.Frame, s.Rollbacks)
	}
	again := a.pictures(300 - int(a.Status().Frame)).Status()
	if again.Rollbacks == 0 || again.Lab != setup {
		t.Errorf("after a reset: %d rollbacks, %q", again.Rollbacks, again.Lab)
	}
}

// During a pause nothing happens; a step is one frame; slow motion is slower.
func TestTheLabsTime(t *testing.T) {
	c := theLab(t, "delay.50-seed.9-players.2", app.LabOptions{}).pictures(60).press("KeyP")
	at := c.Status().Frame
	if s := c.pictures(60).Status(); s.Frame != at || s.Playing {
		t.Errorf("in a pause frame %d became %d", at, s.Frame)
	}
	for i := range uint32(20) {
		if s := c.press("Period").Status(); s.Frame != at+i+1 {
			t.Fatalf("after %d steps from frame %d it is at %d", i+1, at, s.Frame)
		}
	}
	at = c.press("KeyP", "Minus", "Minus").Status().Frame
	if n := c.pictures(120).Status().Frame - at; n < 28 || n > 32 {
		t.Errorf("%d frames in two seconds at a quarter of the speed", n)
	}
}

// The tour can be followed with the keyboard alone, and each stop has its own settings.
func TestTheTourByKeyboard(t *testing.T) {
	c := theLab(t, "seed.9-players.2", app.LabOptions{}).press("ArrowDown", "ArrowDown", "ArrowDown") // from the first slider to the last row
	for i := range lab.Tour {
		want := lab.Setup{Settings: lab.Tour[i].Settings, Compare: lab.Tour[i].Compare, Seed: 9, Players: lab.ScriptTwice}
		if got := c.press("ArrowRight").Status().Lab; got != want.String() {
			t.Errorf("stop %d: %q, want %q", i+1, got, want)
		}
	}
}

// The link is copied, or shown if nothing can be copied; an invalid one is reported and has no effect.
func TestTheLabsLink(t *testing.T) {
	var copied string
	link := func(setup string) string { return "https://example.org/?mode=lab&lab=" + setup }
	c := theLab(t, "delay.50-seed.9", app.LabOptions{Link: link, Copy: func(text string, done func(bool)) {
		copied = text
		done(true)
	}})
	c.do("Link", mirror.Act{Do: mirror.Press})
	if want := link("delay.50-seed.9"); copied != want || !strings.Contains(c.Status().Message, want) {
		t.Errorf("copied %q, want %q; %q", copied, want, c.Status().Message)
	}
	if c = theLab(t, "delay.50-seed.9", app.LabOptions{}); c.do("Link", mirror.Act{Do: mirror.Press}).Status().Message != "delay.50-seed.9" {
		t.Errorf("the note is %q", c.Status().Message)
	}
	if c = theLab(t, "delay.999", app.LabOptions{}); !strings.Contains(c.Status().Message, "The link is wrong") || !strings.HasPrefix(c.Status().Lab, "delay.60-") {
		t.Errorf("%q, setup %q", c.Status().Message, c.Status().Lab)
	}
}
