package ui

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback/play/draw"
)

// Input is the input of widgets. Presses are those of this picture only.
type Input struct {
	Pointer      draw.Point
	Down         bool // the mouse or finger touches
	Moved        bool // the pointer has moved, or touched
	Up, DownKey  bool // the focus moves up or down
	Left, Right  bool // a value decreases or increases, or the focus moves sideways
	Accept, Back bool
	// Finger is the height that a widget must have for a finger, in units; 0 for a mouse. A lower one reaches
	// that far beyond its box, as long as no other one is nearer.
	Finger float32
	// Text is what was typed; Erase removes the last character of a text.
	Text  []rune
	Erase bool
}

// Theme is the colours of the widgets.
type Theme struct {
	Text, Faint, Panel, Accent, OnAccent draw.Color
}

// UI is the state of the widgets of one screen: which one has the focus, and which one is held. It needs a theme; its
// zero value is otherwise ready.
type UI struct {
	Theme Theme
	// Chosen and Accepted say what has happened in this picture, for sounds.
	Chosen, Accepted bool
	// Typing says that a text field has the focus, so that letters have no other meaning.
	Typing bool

	c       *draw.Canvas
	in      Input
	focus   int
	count   int // widgets so far in this picture
	total   int // in the last picture
	held    int // the widget that the pointer holds + 1
	wasDown bool
	boxes   []draw.Box // of the widgets of the last picture
	next    []draw.Box
	values  []int // widgets of the last picture, with a value that left and right change
	valued  []int // the same of this picture
	time    float32
}

// Begin begins a picture.
func (u *UI) Begin(c *draw.Canvas, in Input, dt float32) {
	u.c, u.in, u.count = c, in, 0
	u.Chosen, u.Accepted, u.Typing = false, false, false
	u.time += dt
	u.next, u.valued = u.next[:0], u.valued[:0]
	before := u.focus
	switch {
	case in.Up:
		u.step(0, -1)
	case in.DownKey:
		u.step(0, 1)
	case slices.Contains(u.values, u.focus):
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
	for i, b := range u.next {
		if u.c.Marks != nil {
			u.c.Mark(draw.MarkTarget, u.target(u.next, i), fmt.Sprint("of ", b))
		}
	}
	u.total = u.count
	u.boxes, u.next = u.next, u.boxes
	u.values, u.valued = u.valued, u.values
	u.focus = min(u.focus, max(u.total-1, 0))
	if !u.in.Down {
		u.held = 0
	}
	u.wasDown = u.in.Down
}

// Focus moves the focus, for example when a screen is entered.
func (u *UI) Focus(widget int) { u.focus = widget }

// FocusNext moves the focus to the widget that is drawn next.
func (u *UI) FocusNext() { u.focus = u.count }

// Focused returns the number of the widget with the focus, from 0.
func (u *UI) Focused() int { return u.focus }

// step moves the focus to the nearest widget in a direction; up and down wrap around.
func (u *UI) step(dx, dy int) {
	if u.focus >= len(u.boxes) {
		return
	}
	from, best, nearest := u.boxes[u.focus].Centre(), -1, float32(1e9)
	for i, b := range u.boxes {
		d := b.Centre().Minus(from)
		along, aside := d.Y*float32(dy), d.X
		if dx != 0 {
			along, aside = d.X*float32(dx), d.Y
			if max(aside, -aside) > b.H {
				continue // not beside it: the focus stays, and a value may change
			}
		}
		if distance := along + 2*max(aside, -aside); i != u.focus && along > 1 && distance < nearest {
			best, nearest = i, distance
		}
	}
	switch {
	case best >= 0:
		u.focus = best
	case dy > 0:
		u.focus = 0
	case dy < 0:
		u.focus = len(u.boxes) - 1
	}
}

// state is the state of a widget in a picture.
type state struct {
	focused, pressed, held bool
}

// widget registers the next widget.
func (u *UI) widget(b draw.Box) (s state) {
	id := u.count
	u.count++
	u.next = append(u.next, b)
	u.c.Mark(draw.MarkButton, b, "")
	over := u.over(b, id)
	if over && u.in.Moved && u.held == 0 && u.focus != id {
		u.focus, u.Chosen = id, true
	}
	if over && u.in.Down && !u.wasDown {
		u.held, u.focus = id+1, id
	}
	s.held = u.held == id+1
	s.focused = u.focus == id
	s.pressed = s.held && !u.in.Down && over || s.focused && u.in.Accept
	if s.pressed {
		u.Accepted = true
	}
	return s
}

// Back reports whether the player wants to leave the screen.
func (u *UI) Back() bool { return u.in.Back }
