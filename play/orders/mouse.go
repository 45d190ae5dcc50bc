package orders

import (
	"math"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/skirmishview"
)

// mouse is the state of the mouse that lasts from picture to picture.
type mouse struct {
	at, from            draw.Point
	down, right, middle bool
	on                  where // where the left button went down
	boxing              bool
	since               float32 // seconds since the last click
	still               float32 // seconds for which the mouse has not moved
	moved               bool    // the mouse has moved at least once
}

// where is a part of the screen.
type where uint8

const (
	nowhere where = iota
	onPanel
	onMinimap
	onMap
)

func (h *Hand) where(p draw.Point) where {
	switch {
	case h.Minimap.Has(p):
		return onMinimap
	case h.Covers(p):
		return onPanel
	}
	return onMap
}

const (
	// slack is how far the pointer must move, in units, before a click becomes a box.
	slack = 7
	// edge is the distance from the edge of the picture at which the pointer moves the camera, and edgeSeconds is
	// how long it does so without moving: it may have left the page.
	edge, edgeSeconds = 5, 3
)

// Look handles the devices of a picture, in its units, and the keys that have just been pressed.
func (h *Hand) Look(d *controls.Devices, pressed []controls.Key, dt float32) {
	h.press(d, pressed, dt)
	h.scroll(d, dt)
	if d.Touch {
		h.mouse = mouse{since: 1, at: d.Pointer}
		h.touch(d, dt)
		return
	}
	h.fingers = fingers{since: 1}
	h.point(d, dt)
}

// point handles the mouse.
func (h *Hand) point(d *controls.Devices, dt float32) {
	m := &h.mouse
	by := d.Pointer.Minus(m.at)
	m.since += dt
	if m.still += dt; by.Length() > 0.5 {
		m.still, m.moved = 0, m.at != draw.Point{}
	}
	m.at = d.Pointer
	if d.Wheel != 0 && h.where(m.at) != onPanel {
		h.view.Camera.Magnify(m.at, float32(math.Pow(1.12, float64(min(max(d.Wheel, -4), 4)))))
	}
	if m.middle && d.Middle {
		h.view.Camera.Move(by)
	}
	m.middle = d.Middle
	h.leftButton(d)
	h.rightButton(d)
	if !d.Down && !d.Middle {
		h.edges(dt)
	}
}

func (h *Hand) leftButton(d *controls.Devices) {
	m := &h.mouse
	switch {
	case d.Down && !m.down:
		m.from, m.on = m.at, h.where(m.at)
	case d.Down && m.on == onMap && m.at.Minus(m.from).Length() > slack && h.plan == 0 && !h.march:
		m.boxing = true
	case !d.Down && m.down:
		h.release(shift(d))
		m.boxing, m.on = false, nowhere
	}
	if m.down = d.Down; d.Down && m.on == onMinimap {
		h.view.Camera.Jump(h.view.OnMinimap(h.Minimap, m.at))
	}
}

// reach returns how near to a unit the pointer must be, in units of the screen.
func reach(c *skirmishview.Camera) float32 { return 6 / max(c.Zoom, 1) }

// release ends a click or a box.
func (h *Hand) release(extend bool) {
	m := &h.mouse
	switch {
	case m.on != onMap:
	case m.boxing:
		h.boxed(boxOf(m.from, m.at), extend)
	case h.click(h.view.Camera.OnMap(m.at), reach(&h.view.Camera), extend):
	case m.since < twice:
		h.pickKind(m.at, reach(&h.view.Camera), extend)
		m.since = 1
	default:
		h.pick(m.at, reach(&h.view.Camera), extend)
		m.since = 0
	}
}

// boxed selects what is in a box on the screen.
func (h *Hand) boxed(b draw.Box, extend bool) {
	p, q := h.view.Camera.OnMap(draw.Point{X: b.X, Y: b.Y}), h.view.Camera.OnMap(draw.Point{X: b.X + b.W, Y: b.Y + b.H})
	h.selectBox(boxOf(p, q), 0, extend)
}

func (h *Hand) rightButton(d *controls.Devices) {
	m := &h.mouse
	fresh := d.Right && !m.right
	if m.right = d.Right; !fresh || h.Cancel() {
		return
	}
	switch h.where(m.at) {
	case onMap:
		h.Send(h.view.Camera.OnMap(m.at), reach(&h.view.Camera), control(d))
	case onMinimap:
		h.Send(h.view.OnMinimap(h.Minimap, m.at), 0, control(d))
	}
}

// edges moves the camera while the pointer is at the edge of the picture.
func (h *Hand) edges(dt float32) {
	b, p := h.view.Camera.Box(), h.mouse.at
	if !h.mouse.moved || h.mouse.still > edgeSeconds || !b.Has(p) {
		return
	}
	const speed = 700
	var by draw.Point
	if p.X < b.X+edge {
		by.X = 1
	} else if p.X > b.X+b.W-edge {
		by.X = -1
	}
	if p.Y < b.Y+edge {
		by.Y = 1
	} else if p.Y > b.Y+b.H-edge {
		by.Y = -1
	}
	h.view.Camera.Move(by.Times(speed * dt))
}
