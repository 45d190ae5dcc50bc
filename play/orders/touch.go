package orders

import (
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// fingers is the state of a touch screen that lasts from picture to picture.
type fingers struct {
	at, from draw.Point // the position of a single finger, and where it went down
	on       where
	count    int
	boxing   bool
	several  bool // there have been several fingers since the screen was last free
	middle   draw.Point
	apart    float32
	since    float32 // seconds since the last tap
}

// touch handles the fingers: one selects and sends, two move the camera.
func (h *Hand) touch(d *controls.Devices, dt float32) {
	f := &h.fingers
	f.since += dt
	switch len(d.Touches) {
	case 0:
		if f.count == 1 && !f.several {
			h.lift()
		}
		f.boxing, f.several, f.on = false, false, nowhere
	case 1:
		h.single(d.Touches[0])
	default:
		h.pinch(d.Touches[0], d.Touches[1])
	}
	f.count = len(d.Touches)
}

func (h *Hand) single(p draw.Point) {
	f := &h.fingers
	if f.count == 0 {
		f.from, f.on = p, h.where(p)
	}
	f.at = p
	switch {
	case f.several:
	case f.on == onMinimap:
		h.view.Camera.Jump(h.view.OnMinimap(h.Minimap, p))
	case f.on == onMap && p.Minus(f.from).Length() > 2*slack && h.plan == 0:
		f.boxing = true
	}
}

// pinch moves and zooms the map with two fingers.
func (h *Hand) pinch(a, b draw.Point) {
	f := &h.fingers
	middle, apart := a.Toward(b, 0.5), max(b.Minus(a).Length(), 1)
	if f.count >= 2 {
		h.view.Camera.Move(middle.Minus(f.middle))
		h.view.Camera.Magnify(middle, apart/f.apart)
	}
	f.middle, f.apart, f.several, f.boxing = middle, apart, true, false
}

// lift ends a tap or a box of a single finger. A tap on our own unit or building selects it; elsewhere it sends what
// is selected.
func (h *Hand) lift() {
	f := &h.fingers
	const reach = 18 // units of the screen: fingers are wide
	near := reach / max(h.view.Camera.Zoom, 1)
	at := h.view.Camera.OnMap(f.at)
	_, unit := h.view.UnitAt(at, near, of(h.view.Side))
	b, building := h.view.BuildingAt(at)
	own := unit || building && b.Place.Side == h.view.Side && h.view.Tally().Selected == 0
	switch {
	case f.on != onMap:
	case f.boxing:
		h.boxed(boxOf(f.from, f.at), false)
	case h.click(at, near, false):
	case unit && f.since < twice:
		h.pickKind(f.at, near, false)
		f.since = 1
	case own:
		h.pick(f.at, near, false)
		f.since = 0
	case h.view.Tally().Selected > 0 || h.view.Chosen != 0:
		h.Send(at, near, false)
	}
}
