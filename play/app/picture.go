package app

import (
	"slices"
	"time"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// Scene is a screen of the app.
type Scene interface {
	// Picture lets the picture's time pass, draws, and returns the scene of the next picture, usually itself.
	Picture(p *Picture) Scene
	// Name is the name of the scene in a [Status].
	Name() string
}

// Picture is what a scene gets for one picture.
type Picture struct {
	App     *App
	C       *draw.Canvas
	Box     draw.Box // the layout area, in units: Width by Height
	Full    draw.Box // the whole screen, in units, for backgrounds: the box, and what is beside it
	UI      *ui.UI
	UIInput ui.Input
	Devices *controls.Devices // in units
	// Pressed are the keys that have just gone down.
	Pressed []controls.Key
	// Pause says that pause was pressed, on a keyboard or as a gamepad's start button.
	Pause bool
	// Lost says that a player has just lost the controls: the window has lost the focus, or a gamepad was
	// disconnected.
	Lost bool
	// DT is the time in seconds that passes in the presentation.
	DT float32
	// Pad is the buttons on a touch screen; nil if there are none.
	Pad *controls.TouchPad

	free     draw.Box // the part of the box that no touch control covers, at its lower edge
	pauseEnd float32  // how far down the pause button covers the upper part of the box
	elapsed  float32  // seconds that pass in the game: more than DT after a very slow picture
	touched  controls.Action
	shown    bool // whether the pad is shown
}

// picture collects what a scene gets.
func (a *App) picture(c *draw.Canvas, d *controls.Devices, s screen, dt float32) *Picture {
	units := *d
	units.Pointer, units.Touches = s.units(d.Pointer), nil
	var fingers []draw.Point // in pixels
	for _, t := range d.Touches {
		units.Touches, fingers = append(units.Touches, s.units(t)), append(fingers, s.straight(t))
	}
	p := &Picture{App: a, C: c, Box: draw.Box{W: Width, H: Height}, Full: s.full(), free: draw.Box{W: Width, H: Height}, UI: &a.ui, Devices: &units, DT: dt}
	for _, k := range d.Keys {
		if !a.before.Has(k) {
			p.Pressed = append(p.Pressed, k)
		}
	}
	if d.Touch {
		pad := controls.NewTouchPad(s.touch, s.beside(), s.density, a.labels())
		p.Pad, p.touched = &pad, pad.Held(fingers)
		p.free, p.pauseEnd = s.clear(&pad, p.Box), s.pauseEnd()
	}
	touched := a.touch.stopped || d.Touch && a.touch.playing && d.Down && !a.before.Down && s.pause().Has(s.straight(d.Pointer))
	p.Pause = touched || p.pressed("Escape") || p.pressed("KeyP") && !a.ui.Typing || p.startPressed()
	p.Lost = d.Lost && !a.Auto
	switch {
	case p.pressed("F1"):
		a.overlay = !a.overlay
	case p.pressed("F2"):
		a.hideHud = !a.hideHud
	}
	p.UIInput = a.menuInput(p, &units, dt)
	p.UIInput.Finger, p.UIInput.Acts = s.least(d), a.mirror.Take()
	return p
}

// labels returns the labels of the touch buttons.
func (a *App) labels() map[controls.Action]string {
	if l, ok := a.scene.(interface {
		Labels() map[controls.Action]string
	}); ok {
		return l.Labels()
	}
	return nil
}

func (p *Picture) pressed(k controls.Key) bool { return slices.Contains(p.Pressed, k) }

func (p *Picture) startPressed() bool {
	for i, pad := range p.Devices.Pads {
		if pad.Start && (i >= len(p.App.before.Pads) || !p.App.before.Pads[i].Start) {
			return true
		}
	}
	return false
}

// Figures reports whether the figures of the session are shown, which cover the upper half of the picture.
func (p *Picture) Figures() bool { return p.App.overlay }

// Held returns the actions that a seat holds; the touch buttons belong to the first seat. If one person plays alone,
// both halves of the keyboard belong to them.
func (p *Picture) Held(seat int, alone bool) controls.Action {
	keys := p.App.Settings.Keys
	if alone {
		keys = keys.Alone()
	}
	held := keys.Held(p.Devices, seat)
	if seat == 0 {
		held |= p.touched
	}
	return held
}

// Play says that the scene is a game, so that a touch screen shows its buttons.
func (p *Picture) Play() { p.shown = true }

// Elapse lets the time of local matches pass.
func (p *Picture) Elapse() {
	p.App.now = p.App.now.Add(time.Duration(float64(p.elapsed) * float64(time.Second)))
}

// menuInput is what is kept between pictures for the input of menus.
type menuInput struct {
	repeat float32 // seconds until a held direction counts again
	guard
}

const (
	repeatAfter = 0.4 // seconds until a held direction counts again
	repeatEvery = 0.09
)

// menuInput returns the input of menus: arrows, the bindings of all seats, gamepads, pointer.
func (a *App) menuInput(p *Picture, d *controls.Devices, dt float32) ui.Input {
	held := a.menuHeld(p, d)
	fresh := held &^ a.beforeUI
	const directions = controls.Up | controls.Down | controls.Left | controls.Right
	if held&directions != 0 && held == a.beforeUI {
		if a.menus.repeat -= dt; a.menus.repeat <= 0 {
			fresh, a.menus.repeat = held&directions, repeatEvery
		}
	} else {
		a.menus.repeat = repeatAfter
	}
	a.beforeUI = held
	typing := a.ui.Typing // as of the last picture
	moved := d.Pointer.Minus(a.before.Pointer)
	in := ui.Input{
		Pointer: d.Pointer, Down: d.Down, Moved: moved.Length() > 0.5 || d.Down,
		Up: fresh&controls.Up != 0, DownKey: fresh&controls.Down != 0,
		Left: fresh&controls.Left != 0, Right: fresh&controls.Right != 0,
		Accept: fresh&controls.A != 0, Back: p.pressed("Escape") || p.pressed("Backspace") && !typing || fresh&controls.B != 0,
		Text: d.Text, Erase: p.pressed("Backspace"),
	}
	anything := d.Down || len(d.Keys) > 0
	for _, pad := range d.Pads {
		anything = anything || pad.Held != 0
	}
	return a.menus.take(in, anything, dt)
}

// ownKeys reports whether the keys belong to a scene instead of menus.
func ownKeys(s Scene) bool {
	own, ok := s.(interface{ OwnKeys() bool })
	return ok && own.OwnKeys()
}

// menuHeld returns the directions and buttons for menus.
func (a *App) menuHeld(p *Picture, d *controls.Devices) (held controls.Action) {
	if ownKeys(a.scene) {
		return 0
	}
	for k, action := range map[controls.Key]controls.Action{
		"ArrowUp": controls.Up, "ArrowDown": controls.Down, "ArrowLeft": controls.Left, "ArrowRight": controls.Right,
		"Enter": controls.A, "NumpadEnter": controls.A,
	} {
		if d.Has(k) {
			held |= action
		}
	}
	if _, busy := a.scene.(*labScene); busy {
		return held // the other keys belong to the match
	}
	for _, k := range d.Keys {
		if a.ui.Typing {
			break // they are letters
		}
		switch k {
		case "KeyW":
			held |= controls.Up
		case "KeyS":
			held |= controls.Down
		case "KeyA":
			held |= controls.Left
		case "KeyD":
			held |= controls.Right
		case "Space":
			held |= controls.A
		}
	}
	for i, pad := range d.Pads {
		if i < controls.Seats {
			held |= pad.Held
		}
	}
	return held
}

// remember keeps the values with which the next picture is compared.
func (a *App) remember(d *controls.Devices, p *Picture) {
	a.before = controls.Devices{
		Keys: append(a.before.Keys[:0], d.Keys...), Pads: append(a.before.Pads[:0], d.Pads...),
		Pointer: p.Devices.Pointer, Down: d.Down,
	}
}
