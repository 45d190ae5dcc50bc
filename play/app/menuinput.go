package app

import (
	"slices"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/ui"
)

// menuInput compares what is held with the last picture, for menus.
type menuInput struct {
	before controls.Devices // the devices in the last picture, with the pointer in units
	held   controls.Action  // what menus had then
	repeat float32          // seconds until a held direction counts again
	guard  guard
}

const (
	repeatAfter = 0.4 // seconds until a held direction counts again
	repeatEvery = 0.09
)

// fresh returns the keys that have just gone down.
func (m *menuInput) fresh(d *controls.Devices) (list []controls.Key) {
	for _, k := range d.Keys {
		if !m.before.Has(k) {
			list = append(list, k)
		}
	}
	return list
}

// started reports whether the start button of a gamepad has just gone down.
func (m *menuInput) started(d *controls.Devices) bool {
	for i, pad := range d.Pads {
		if pad.Start && (i >= len(m.before.Pads) || !m.before.Pads[i].Start) {
			return true
		}
	}
	return false
}

// pressed reports whether the pointer has just gone down.
func (m *menuInput) pressed(d *controls.Devices) bool { return d.Down && !m.before.Down }

// take returns the input of menus for a picture in which these actions are held. pressed are the keys that have just
// gone down; while the player is typing they are letters.
func (m *menuInput) take(d *controls.Devices, held controls.Action, pressed []controls.Key, typing bool, dt float32) ui.Input {
	fresh := held &^ m.held
	const directions = controls.Up | controls.Down | controls.Left | controls.Right
	if held&directions != 0 && held == m.held {
		if m.repeat -= dt; m.repeat <= 0 {
			fresh, m.repeat = held&directions, repeatEvery
		}
	} else {
		m.repeat = repeatAfter
	}
	m.held = held
	erase := slices.Contains(pressed, "Backspace")
	in := ui.Input{
		Pointer: d.Pointer, Down: d.Down, Moved: d.Pointer.Minus(m.before.Pointer).Length() > 0.5 || d.Down,
		Up: fresh&controls.Up != 0, DownKey: fresh&controls.Down != 0,
		Left: fresh&controls.Left != 0, Right: fresh&controls.Right != 0,
		Accept: fresh&controls.A != 0, Back: slices.Contains(pressed, "Escape") || erase && !typing || fresh&controls.B != 0,
		Text: d.Text, Erase: erase,
	}
	anything := d.Down || len(d.Keys) > 0
	for _, pad := range d.Pads {
		anything = anything || pad.Held != 0
	}
	return m.guard.take(in, anything, dt)
}

// remember keeps the devices for the next picture. pointer is in units.
func (m *menuInput) remember(d, units *controls.Devices) {
	m.before = controls.Devices{
		Keys: append(m.before.Keys[:0], d.Keys...), Pads: append(m.before.Pads[:0], d.Pads...),
		Pointer: units.Pointer, Down: d.Down,
	}
}
