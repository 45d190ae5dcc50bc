package foyer

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// screen is a scene of a test, and a client that shows it.
type screen struct {
	draw func(p *app.Picture)
	a    *app.App
	c    *draw.Canvas
}

func (s *screen) Name() string { return "screen" }

func (s *screen) Picture(p *app.Picture) app.Scene {
	s.draw(p)
	return s
}

func newScreen(draws func(p *app.Picture)) *screen {
	s := &screen{draw: draws, a: app.New(app.Options{Seed: 7}), c: draw.NewCanvas(draw.NewAtlas())}
	s.a.Add(app.Mode{ID: "screen", Open: func(*app.App) app.Scene { return s }}, true)
	s.pictures(30) // what was held before a screen presses nothing
	return s
}

// pictures lets pictures of 100 ms pass, while keys are held.
func (s *screen) pictures(n int, keys ...controls.Key) {
	for range n {
		s.a.Picture(s.c, &controls.Devices{Keys: keys}, app.Width, app.Height, 0.1)
	}
}

func (s *screen) press(k controls.Key) {
	s.pictures(1, k)
	s.pictures(1)
}

// Rule: a button that has to be pressed twice is not pressed by a double click, nor by two presses that are far apart.
func TestTwice(t *testing.T) {
	var twice Twice
	sure := 0
	s := newScreen(func(p *app.Picture) {
		twice.Advance(p.DT)
		if twice.Button(p, draw.Box{W: 100, H: 50}, 0, "Away", "Sure?") {
			sure++
		}
	})
	s.press("Enter")
	if s.press("Enter"); sure != 0 {
		t.Error("a double click counts")
	}
	s.pictures(60)
	if s.press("Enter"); sure != 0 {
		t.Error("two presses that are far apart count")
	}
	s.pictures(10)
	if s.press("Enter"); sure != 1 || twice.Rests() {
		t.Errorf("two presses count %d times; another button may be pressed at once: %v", sure, twice.Rests())
	}
	if s.pictures(10); !twice.Rests() {
		t.Error("another button may never be pressed")
	}
	s.press("Enter")
	twice.Forget()
	s.pictures(10)
	if s.press("Enter"); sure != 1 {
		t.Error("a press that was forgotten counts")
	}
}

// Rule: Esc opens the menu and closes it, but not while the list of players is shown, from which it leads back; to
// leave takes two presses.
func TestTheMenu(t *testing.T) {
	var m Menu
	gone := false
	s := newScreen(func(p *app.Picture) {
		m.Toggle(p)
		switch {
		case !m.On():
		case m.Begin(p):
			m.Back(p, false)
		case !m.Players(p, draw.Box{Y: 200, W: 100, H: 50}):
			gone = m.Leave(p, draw.Box{Y: 300, W: 100, H: 50}, "Leave", "Sure?") || gone
		}
	})
	if s.press("Escape"); !m.On() {
		t.Fatal("Esc does not open the menu")
	}
	if s.press("Escape"); m.On() {
		t.Fatal("Esc does not close the menu")
	}
	s.press("Escape")
	if s.press("Enter"); !m.players {
		t.Fatal("the players are not shown")
	}
	if s.press("Escape"); !m.On() || m.players {
		t.Errorf("Esc does not lead from the players to the menu: %+v", m)
	}
	s.press("ArrowDown")
	if s.press("Enter"); gone {
		t.Error("one press leaves")
	}
	if s.press("Enter"); !gone {
		t.Error("two presses do not leave")
	}
}

// Rule: what is closed in the background is closed in order, and can be waited for.
func TestLeavingIsInOrder(t *testing.T) {
	var l Leaving
	if l.Started() || !l.Over() {
		t.Error("something is closed that was not started")
	}
	release, list := make(chan struct{}), []int{}
	l.Start(func() { <-release; list = append(list, 1) })
	l.Start(func() { list = append(list, 2) })
	if !l.Started() || l.Over() {
		t.Error("it is over before it was released")
	}
	close(release)
	<-l.Done()
	if fmt.Sprint(list) != "[1 2]" || !l.Over() {
		t.Errorf("closed are %v, over %v", list, l.Over())
	}
}

// Rule: something may be tried at its time, and so often.
func TestRetries(t *testing.T) {
	var r Retry
	now := time.Unix(1000, 0)
	if !r.Due(now) {
		t.Error("at first it is not due")
	}
	if r.At(now.Add(1)); r.Due(now) || !r.Due(now.Add(1)) {
		t.Error("it is not due at its time")
	}
	if !r.Again(1) || r.Again(1) {
		t.Error("one attempt is not one")
	}
	if r.Forget(); !r.Again(1) || r.Due(now) {
		t.Error("attempts are not forgotten, or the time is")
	}
	if NotYet(errors.New("other")) || NotYet(nil) || !NotYet(fmt.Errorf("room: %w", online.ErrBusy)) {
		t.Error("a busy room is for good, or another error is not")
	}
}

// Rule: the newest answer of the clipboard counts, and a second one to the same text is ignored.
func TestTheClipboardAnswers(t *testing.T) {
	var c Copying
	var done func(bool)
	m := &Machine{Copy: func(_ string, d func(bool)) { done = d }}
	if c.Copy(m, "a"); c.Answer() != NoAnswer {
		t.Error("it has answered already")
	}
	done(false)
	if done(true); c.Answer() != NotCopied {
		t.Error("a second answer counts")
	}
	c.Copy(m, "b")
	if c.Answer() != NotCopied {
		t.Error("the last answer is forgotten")
	}
	if done(true); c.Answer() != Copied {
		t.Error("the new answer is not known")
	}
}

// Rule: a link is found in what was pasted; of two texts between pictures the first counts; without a link that is
// said.
func TestALinkIsPasted(t *testing.T) {
	a := app.New(app.Options{Seed: 7})
	s := NewAsker(a, &Machine{}, "Ada")
	if s.Link() != "" || s.Said() != "" {
		t.Error("a link without a text")
	}
	s.Pasted("nothing")
	s.Pasted("https://host/#room=abc")
	if s.Link() != "" || s.Said() == "" {
		t.Errorf("in a text without one there is a link; said is %q", s.Said())
	}
	s.Pasted("Come: https://host/#room=abc")
	if got := s.Link(); got != "https://host/#room=abc" {
		t.Errorf("the link is %q", got)
	}
	if s.SaveName(a) != "Ada" || a.Settings.Name != "Ada" {
		t.Errorf("the name is %q", a.Settings.Name)
	}
}
