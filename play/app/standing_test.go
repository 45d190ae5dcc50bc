package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// alone is a person who plays a game against bots, and has done nothing yet.
func alone(t *testing.T, mode string) *client {
	t.Helper()
	if mode == tanks.ID {
		c := start(t, app.Options{})
		c.Add(app.Mode{ID: mode, Open: func(a *app.App) app.Scene {
			return app.NewTanks(a, app.TanksSetup{People: 1, Players: 16, Mood: tanks.Busy})
		}}, true)
		return c
	}
	c := start(t, app.Options{Mode: mode})
	if mode == "arena" {
		c.pictures(20).press("ArrowUp", "ArrowUp", "Enter").in("arena")
	}
	return c
}

// marks returns the places of all that is in the next picture.
func (c *client) marks() []draw.Mark {
	c.Helper()
	c.c.Marks = new(draw.Marks)
	defer func() { c.c.Marks = nil }()
	c.pictures(1)
	return c.c.Marks.List
}

// texts returns all texts of the next picture.
func (c *client) texts() (list []string) {
	c.Helper()
	for _, m := range c.marks() {
		if m.Kind == draw.MarkText {
			list = append(list, m.Text)
		}
	}
	return list
}

// Rule: while bots wait for a person who has just come, so does the clock, and the screen says so; the first key begins
// the game.
func TestBotsWaitAndTheClockDoes(t *testing.T) {
	for mode, says := range map[string]string{
		"versus-bot": "The bot waits for you. It is", "arena": "The bots wait for you", tanks.ID: "The bots wait for you",
	} {
		t.Run(mode, func(t *testing.T) {
			c := alone(t, mode).pictures(60 * 5)
			at := c.Status().Frame
			if c.pictures(60 * 20); c.Status().Frame != at {
				t.Errorf("frame %d became %d", at, c.Status().Frame)
			}
			if !slices.Contains(c.texts(), says) {
				t.Errorf("%q is not said", says)
			}
			if c.press("KeyD").pictures(60); c.Status().Frame < at+15 {
				t.Errorf("after a key, frame %d became only %d", at, c.Status().Frame)
			}
			if slices.Contains(c.texts(), says) {
				t.Errorf("%q is still said", says)
			}
		})
	}
}

// Rule: a lesson has no clock, so that slow learners are not interrupted.
func TestALessonHasNoEndByTime(t *testing.T) {
	c := learner(t).pictures(60 * 70)
	if c.Status().Frame < 60*60 || !slices.Contains(c.texts(), "∞") {
		t.Errorf("frame %d, %q", c.Status().Frame, c.texts())
	}
}

// destroyed returns after how many seconds a person who only turns is destroyed: -1 if not within the limit.
func (c *client) destroyed(limit int) int {
	for i := range limit * 4 {
		if slices.ContainsFunc(c.texts(), func(s string) bool { return len(s) > 9 && s[:9] == "Destroyed" }) {
			return i / 4
		}
		c.pictures(14)
	}
	return -1
}

// Rule: bots do not see a tank that has just appeared until it shoots.
func TestANewTankHasAMoment(t *testing.T) {
	seeded := func(seed uint32) *client {
		c := alone(t, tanks.ID)
		for range seed {
			c.NextSeed()
		}
		return c.pictures(30)
	}
	quiet, loud := 0, 0 // seconds, of all seeds
	for seed := range uint32(4) {
		c := seeded(seed).press("KeyD")
		if n := c.destroyed(5); n >= 0 {
			t.Errorf("destroyed after %d s", n)
		}
		n := c.destroyed(60)
		if n < 0 {
			t.Error("it is never destroyed: the check sees nothing")
		}
		quiet += 5 + n
		if n = seeded(seed).hold("KeyJ").destroyed(60); n < 0 {
			t.Error("who shoots is never destroyed")
		}
		loud += n
	}
	if loud >= quiet {
		t.Errorf("who shoots lives for %d s, who does not for %d s", loud, quiet)
	}
}

// Rule: the hints cover nothing that the game shows, and are hidden while the tank is destroyed.
func TestHintsLieBesideTheBars(t *testing.T) {
	for mode, key := range map[string]controls.Key{"arena": "KeyJ", tanks.ID: "KeyS"} {
		c := alone(t, mode).pictures(10).press(key).pictures(60 * 4)
		c.c.Marks = new(draw.Marks)
		c.pictures(1)
		var hint draw.Box
		for _, m := range c.c.Marks.List {
			if m.Text == "run" || m.Text == "turn" {
				hint = m.Box
			}
		}
		if hint.W == 0 {
			t.Fatalf("%s: no hint is shown", mode)
		}
		if low := float32(app.Height - 54); hint.Y+hint.H > low {
			t.Errorf("%s: the hint at %v is where the bars are, from %.0f on", mode, hint, low)
		}
	}
}

// Rule: right after a match, keys that still belong to it press no button and change no choice, until they have been
// released for a moment.
func TestMashingDoesNothingAfterAMatch(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot"}).pictures(130)
	keys := []controls.Key{"KeyD", "Space", "ArrowRight", "Enter", "KeyJ", "ArrowLeft"}
	i := 0
	mash := func() {
		c.hold(keys[i/2%len(keys)])
		if i%2 == 1 {
			c.hold()
		}
		c.pictures(3)
		i++
	}
	over := func() bool { w := c.Status().Wins; return w[0] == 2 || w[1] == 2 }
	for !over() {
		if mash(); i > 60*60*3 {
			t.Fatal("the match has no end")
		}
	}
	for range 120 {
		mash()
	}
	if c.in("duel"); !over() || !slices.Contains(c.texts(), "< easy >") {
		t.Fatalf("%v, %q", c.Status().Wins, c.texts())
	}
	if c.hold().pictures(30).press("Enter"); over() {
		t.Errorf("after a moment the button does nothing: %q", c.texts())
	}
}

// Rule: the result covers no fighter: the mark of our own fighter is gone, and the buttons are below.
func TestTheResultCoversNobody(t *testing.T) {
	c := start(t, app.Options{Mode: "versus-bot", Seed: 3}).pictures(130).hold("KeyD")
	for n := 0; c.Status().Wins[1] < 2; n++ {
		if c.pictures(60); n > 300 {
			t.Fatal("the bot never wins")
		}
	}
	c.hold().pictures(60 * 5)
	c.c.Marks = new(draw.Marks)
	c.pictures(1)
	buttons := 0
	for _, m := range c.c.Marks.List {
		switch m.Kind {
		case draw.MarkOwn:
			t.Error("the own fighter has a mark")
		case draw.MarkButton:
			buttons++
			if m.Box.Y < 620 {
				t.Errorf("a button at %v lies on the fighters", m.Box)
			}
		case draw.MarkText:
			if m.Text == "BOT WINS" && m.Box.Y+m.Box.H > 300 {
				t.Errorf("the words at %v lie on the sword", m.Box)
			}
		}
	}
	if buttons != 3 {
		t.Errorf("%d buttons", buttons)
	}
}

// Rule: in the lab a bot plays until the person does, so that both peers have something to mispredict.
func TestTheLabsTourHasRollbacksOnBothSides(t *testing.T) {
	c := start(t, app.Options{Mode: "lab", Lab: app.LabOptions{Setup: "delay.50-seed.9"}}).pictures(60 * 6)
	for side, text := range c.figures() {
		if text == "0" {
			t.Errorf("peer %d has no rollbacks", side+1)
		}
	}
	if slices.Contains(c.texts(), "Peer 1 - you play here") {
		t.Error("it says that somebody plays")
	}
	if c.press("KeyD"); !slices.Contains(c.texts(), "Peer 1 - you play here") {
		t.Errorf("after a key: %q", c.texts())
	}
}

// figures returns how many rollbacks the peers of the lab have had.
func (c *client) figures() (list []string) {
	for _, text := range c.texts() {
		for i, word := range slices.Collect(strings.FieldsSeq(text)) {
			if word == "rollbacks" {
				list = append(list, slices.Collect(strings.FieldsSeq(text))[i+1])
			}
		}
	}
	return list
}
