//go:build js || desktop

package window

import (
	"slices"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// poll reads all devices.
type poll struct {
	devices controls.Devices
	keys    []ebiten.Key
	pads    []ebiten.GamepadID
	touches []ebiten.TouchID
	ids     []int
	seats   controls.Seating
	focused bool
}

// look reads the devices. Their coordinates are multiplied by scale.
func (p *poll) look(scale float32) {
	p.devices.Lost = false
	p.readKeys()
	p.readPads()
	p.readFocus()
	p.readPointer(scale)
}

func (p *poll) readKeys() {
	p.keys = inpututil.AppendPressedKeys(p.keys[:0])
	p.devices.Keys = p.devices.Keys[:0]
	p.devices.Text = ebiten.AppendInputChars(p.devices.Text[:0])
	for _, k := range p.keys {
		switch k {
		case ebiten.KeyAlt, ebiten.KeyControl, ebiten.KeyShift, ebiten.KeyMeta:
			continue // these stand for either of two keys, which are also in the list
		}
		p.devices.Keys = append(p.devices.Keys, keyName(k))
	}
}

// readFocus notices when another window gets the focus. A page does this in another way.
func (p *poll) readFocus() {
	focused := ebiten.IsFocused()
	if onDesktop && p.focused && !focused {
		p.devices.Lost = true
	}
	p.focused = focused
}

// fullscreen reports whether the full screen was toggled.
func (p *poll) fullscreen() bool {
	return inpututil.IsKeyJustPressed(ebiten.KeyF11) || ebiten.IsKeyPressed(ebiten.KeyAlt) && inpututil.IsKeyJustPressed(ebiten.KeyEnter)
}

// pastes reports whether Ctrl+V was pressed, or Cmd+V.
func (p *poll) pastes() bool {
	return inpututil.IsKeyJustPressed(ebiten.KeyV) && (ebiten.IsKeyPressed(ebiten.KeyControl) || ebiten.IsKeyPressed(ebiten.KeyMeta))
}

// keyName returns the name that browsers use for a key.
func keyName(k ebiten.Key) controls.Key {
	name := k.String()
	if len(name) == 1 {
		return controls.Key("Key" + name)
	}
	return controls.Key(name)
}

// padButtons are the buttons of the standard layout, as actions.
var padButtons = map[ebiten.StandardGamepadButton]controls.Action{
	ebiten.StandardGamepadButtonLeftLeft: controls.Left, ebiten.StandardGamepadButtonLeftRight: controls.Right,
	ebiten.StandardGamepadButtonLeftTop: controls.Up, ebiten.StandardGamepadButtonLeftBottom: controls.Down,
	ebiten.StandardGamepadButtonRightBottom: controls.A, ebiten.StandardGamepadButtonRightRight: controls.B,
	ebiten.StandardGamepadButtonRightLeft: controls.C, ebiten.StandardGamepadButtonRightTop: controls.Up,
	ebiten.StandardGamepadButtonFrontTopRight: controls.C,
}

// readPads reads the gamepads. Each stays with its player, even if others come and go.
func (p *poll) readPads() {
	p.pads = ebiten.AppendGamepadIDs(p.pads[:0])
	slices.Sort(p.pads)
	p.pads = slices.DeleteFunc(p.pads, func(id ebiten.GamepadID) bool { return !ebiten.IsStandardGamepadLayoutAvailable(id) })
	p.ids = p.ids[:0]
	for _, id := range p.pads {
		p.ids = append(p.ids, int(id))
	}
	if p.seats.Update(p.ids) {
		p.devices.Lost = true
	}
	p.devices.Pads = p.devices.Pads[:0]
	for _, id := range p.seats.Pads() {
		p.devices.Pads = append(p.devices.Pads, readPad(id))
	}
}

// readPad reads a gamepad; a missing one holds nothing.
func readPad(seated int) controls.Pad {
	if seated == controls.NoPad {
		return controls.Pad{ID: seated}
	}
	id := ebiten.GamepadID(seated)
	pad := controls.Pad{ID: seated, Start: ebiten.IsStandardGamepadButtonPressed(id, ebiten.StandardGamepadButtonCenterRight)}
	for b, a := range padButtons {
		if ebiten.IsStandardGamepadButtonPressed(id, b) {
			pad.Held |= a
		}
	}
	pad.Held |= stick(
		ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickHorizontal),
		ebiten.StandardGamepadAxisValue(id, ebiten.StandardGamepadAxisLeftStickVertical))
	return pad
}

// stick returns the directions in which a stick is pushed.
func stick(x, y float64) (held controls.Action) {
	const dead = 0.4
	if x < -dead {
		held |= controls.Left
	}
	if x > dead {
		held |= controls.Right
	}
	if y < -dead {
		held |= controls.Up
	}
	if y > dead {
		held |= controls.Down
	}
	return held
}

func (p *poll) readPointer(scale float32) {
	d := &p.devices
	p.touches = ebiten.AppendTouchIDs(p.touches[:0])
	d.Touches = d.Touches[:0]
	for _, id := range p.touches {
		x, y := ebiten.TouchPosition(id)
		d.Touches = append(d.Touches, draw.Point{X: float32(x), Y: float32(y)}.Times(scale))
	}
	x, y := ebiten.CursorPosition()
	mouse := draw.Point{X: float32(x), Y: float32(y)}.Times(scale)
	button := ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
	switch {
	case len(d.Touches) > 0:
		d.Touch, d.Pointer, d.Down = true, d.Touches[0], true
	case d.Touch && !button:
		d.Down = false // the pointer stays where the finger was
	default:
		d.Touch, d.Pointer, d.Down = false, mouse, button
	}
	d.Right = ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight)
	d.Middle = ebiten.IsMouseButtonPressed(ebiten.MouseButtonMiddle)
	_, wheel := ebiten.Wheel()
	d.Wheel = float32(wheel)
}
