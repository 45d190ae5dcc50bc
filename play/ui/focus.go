package ui

import (
	"slices"

	"github.com/tickback/tickback/play/draw"
)

// id identifies a widget from picture to picture, wherever it is drawn and whatever its label is at the moment.
type id struct {
	name string // set by [UI.ID], or its label
	n    int    // its number among several with the same name
	own  bool   // it was set by [UI.ID]
}

// place is a widget in a picture.
type place struct {
	id     id
	box    draw.Box
	valued bool // it has a value that left and right change
}

// find returns the index of a widget in a picture, or -1.
func find(list []place, id id) int {
	return slices.IndexFunc(list, func(p place) bool { return p.id == id })
}

// focus is the widget that has the keyboard focus: identified by its id, not its index, since others before it come
// and go. With the zero value, the widget that is drawn next gets the focus.
type focus struct {
	on   id
	is   bool // a widget has the focus, though it may not be shown at the moment
	none bool // no widget has the focus, and none gets it automatically
	box  draw.Box
}

func (f *focus) give(p place) { *f = focus{on: p.id, is: true, box: p.box} }

// follow keeps the focus on its widget, after a picture with these widgets. A widget with another label in its place
// between the same neighbours is the same; one that has disappeared keeps the focus in case it comes back, so that a
// key press meant for it has no other effect. On another screen the first widget gets the focus.
func (f *focus) follow(last, next []place) {
	if !f.is {
		return
	}
	if i := find(next, f.on); i >= 0 {
		f.box = next[i].box
		return
	}
	at := find(last, f.on)
	if at < 0 {
		if !slices.ContainsFunc(last, func(p place) bool { return find(next, p.id) >= 0 }) {
			*f = focus{}
		}
		return
	}
	before, after := at-1, at+1
	for before >= 0 && find(next, last[before].id) < 0 {
		before--
	}
	for after < len(last) && find(next, last[after].id) < 0 {
		after++
	}
	from, to := -1, len(next)
	if before >= 0 {
		from = find(next, last[before].id)
	}
	if after < len(last) {
		to = find(next, last[after].id)
	}
	switch {
	case to-from == after-before:
		f.give(next[from+at-before])
	case before < 0 && after == len(last): // no widget of that screen is left
		*f = focus{}
	}
}

// step moves the focus to the nearest widget in a direction; up and down wrap around.
func (u *UI) step(dx, dy int) {
	if !u.focus.is || len(u.last) == 0 {
		return
	}
	from, best, nearest := u.focus.box.Centre(), -1, float32(1e9)
	for i, p := range u.last {
		d := p.box.Centre().Minus(from)
		along, aside := d.Y*float32(dy), d.X
		if dx != 0 {
			along, aside = d.X*float32(dx), d.Y
			if max(aside, -aside) > p.box.H {
				continue // no widget beside it: the focus stays, and a value may change
			}
		}
		if distance := along + 2*max(aside, -aside); p.id != u.focus.on && along > 1 && distance < nearest {
			best, nearest = i, distance
		}
	}
	switch {
	case best >= 0:
		u.focus.give(u.last[best])
	case dy > 0:
		u.focus.give(u.last[0])
	case dy < 0:
		u.focus.give(u.last[len(u.last)-1])
	}
}

// FocusNext moves the focus to the widget that is drawn next: to the first one of a screen that is entered.
func (u *UI) FocusNext() { u.focus = focus{} }

// FocusNone removes the focus from all widgets, until the pointer moves it to one.
func (u *UI) FocusNone() { u.focus = focus{none: true} }

// Focused reports whether the widget that was drawn last has the focus.
func (u *UI) Focused() bool {
	n := len(u.next)
	return n > 0 && u.focus.is && u.focus.on == u.next[n-1].id
}

// ID identifies the next widget, if its label does not: because the label changes, or because several widgets have
// the same. n distinguishes widgets with the same name.
func (u *UI) ID(name string, n int) { u.named = id{name, n, true} }

// identify returns the id of the next widget. Without [UI.ID] it is its label, and its number among those with that
// label.
func (u *UI) identify(label string) id {
	if now := u.named; now.own {
		u.named = id{}
		return now
	}
	n := 0
	for i := range u.next {
		if p := &u.next[i]; p.id.name == label && !p.id.own {
			n++
		}
	}
	return id{name: label, n: n}
}
