package ui

import (
	"fmt"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
)

// Input is the input of widgets. Presses are those of this picture only.
type Input struct {
	Pointer      draw.Point
	Down         bool // a mouse button is pressed, or a finger touches
	Moved        bool // the pointer has moved, or touched
	Up, DownKey  bool // the focus moves up or down
	Left, Right  bool // a value decreases or increases, or the focus moves sideways
	Accept, Back bool
	// Finger is the height that a widget must have for a finger, in units; 0 for a mouse. A lower one can be touched
	// that far beyond its box, as long as no other one is nearer.
	Finger float32
	// Text is what was typed; Erase removes the last character of a text.
	Text  []rune
	Erase bool
	// Acts are actions on the mirrored widgets: see [mirror.Mirror].
	Acts []mirror.Act
}

// Theme has the colours of the widgets.
type Theme struct {
	Text, Faint, Panel, Accent, OnAccent draw.Color
}

// UI is the state of the widgets of one screen: which one has the focus, and which one is held. It needs a theme, and
// [UI.FocusNext] when another screen is entered; apart from that its zero value is ready to use.
type UI struct {
	Theme Theme
	// Chosen and Accepted say what has happened in this picture, for sounds.
	Chosen, Accepted bool
	// Typing says that a text field has the focus, so that letters have no other meaning.
	Typing bool

	c       *draw.Canvas
	in      Input
	focus   focus
	held    id // the widget that the pointer holds
	holds   bool
	wasDown bool
	last    []place // the widgets of the last picture
	next    []place // the widgets of this picture
	named   id      // the id of the next widget, if it was set
	called  string  // the name of the next button in the mirror, if it is not its label
	time    float32
}

// Begin begins a picture.
func (u *UI) Begin(c *draw.Canvas, in Input, dt float32) {
	u.c, u.in = c, in
	u.Chosen, u.Accepted, u.Typing = false, false, false
	u.time += dt
	u.next, u.named = u.next[:0], id{}
	u.obey()
	before, at := u.focus, find(u.last, u.focus.on)
	switch {
	case in.Up:
		u.step(0, -1)
	case in.DownKey:
		u.step(0, 1)
	case at >= 0 && u.last[at].valued:
		// left and right are for its value
	case in.Left:
		u.step(-1, 0)
	case in.Right:
		u.step(1, 0)
	}
	u.Chosen = u.focus != before
}

// End ends a picture.
func (u *UI) End() {
	for i := range u.next {
		if u.c.Marks != nil {
			u.c.Mark(draw.MarkTarget, u.target(u.next, i), fmt.Sprint("of ", u.next[i].box))
		}
	}
	u.focus.follow(u.last, u.next)
	u.last, u.next = u.next, u.last
	if !u.in.Down {
		u.holds = false
	}
	u.wasDown = u.in.Down
}

// Empty reports whether no widget was drawn in this picture so far.
func (u *UI) Empty() bool { return len(u.next) == 0 }

// state is the state of a widget in a picture.
type state struct {
	focused, pressed, held bool
	before                 bool // it had the focus in the last picture
	act                    *mirror.Act
}

// widget registers the next widget, whose label is given.
func (u *UI) widget(b draw.Box, label string, valued bool) (s state) {
	p := place{u.identify(label), b, valued}
	s.before = u.focus.is && u.focus.on == p.id
	u.next = append(u.next, p)
	u.c.Mark(draw.MarkButton, b, "")
	if !u.focus.is && !u.focus.none {
		u.focus.give(p)
	}
	over := u.over(p)
	if over && u.in.Moved && !u.holds && u.focus.on != p.id {
		u.Chosen = true
		u.focus.give(p)
	}
	if over && u.in.Down && !u.wasDown {
		u.held, u.holds = p.id, true
		u.focus.give(p)
	}
	s.act = u.done(p)
	s.held = u.holds && u.held == p.id
	s.focused = u.focus.is && u.focus.on == p.id
	s.pressed = s.held && !u.in.Down && over || s.focused && u.in.Accept || s.act != nil && s.act.Do == mirror.Press
	if s.pressed {
		u.Accepted = true
	}
	return s
}

// Back reports whether the player wants to leave the screen.
func (u *UI) Back() bool { return u.in.Back }
