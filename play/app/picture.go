package app

import (
	"slices"

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
	Devices *controls.Devices // the devices, with positions in units
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
	var fingers []draw.Point // the touch points, in pixels
	for _, t := range d.Touches {
		units.Touches, fingers = append(units.Touches, s.units(t)), append(fingers, s.straight(t))
	}
	p := &Picture{App: a, C: c, Box: draw.Box{W: Width, H: Height}, Full: s.full(), free: draw.Box{W: Width, H: Height}, UI: &a.ui, Devices: &units, DT: dt}
	p.Pressed = a.input.fresh(d)
	if d.Touch {
		pad := controls.NewTouchPad(s.touch, s.beside(), s.density, a.labels())
		p.Pad, p.touched = &pad, pad.Held(fingers)
		p.free, p.pauseEnd = s.clear(&pad, p.Box), s.pauseEnd()
	}
	touched := a.touch.stopped || d.Touch && a.touch.playing && a.input.pressed(d) && s.pause().Has(s.straight(d.Pointer))
	p.Pause = touched || p.pressed("Escape") || p.pressed("KeyP") && !a.ui.Typing || a.input.started(d)
	p.Lost = d.Lost && !a.Auto
	switch {
	case p.pressed("F1"):
		a.overlay = !a.overlay
	case p.pressed("F2"):
		a.hideHud = !a.hideHud
	}
	p.UIInput = a.input.take(&units, a.menuHeld(&units), p.Pressed, a.ui.Typing, dt) // typing as of the last picture
	p.UIInput.Finger, p.UIInput.Acts = s.least(d), a.mirror.Take()
	return p
}

// labels returns the labels of the touch buttons.
func (a *App) labels() map[controls.Action]string {
	if l, ok := a.screens.top().(interface {
		Labels() map[controls.Action]string
	}); ok {
		return l.Labels()
	}
	return nil
}

func (p *Picture) pressed(k controls.Key) bool { return slices.Contains(p.Pressed, k) }

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
func (p *Picture) Elapse() { p.App.local.elapse(p.elapsed) }

// ownKeys reports whether the keys belong to a scene instead of menus.
func ownKeys(s Scene) bool {
	own, ok := s.(interface{ OwnKeys() bool })
	return ok && own.OwnKeys()
}

// menuHeld returns the directions and buttons for menus.
func (a *App) menuHeld(d *controls.Devices) (held controls.Action) {
	if ownKeys(a.screens.top()) {
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
	if _, busy := a.screens.top().(*labScene); busy {
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
