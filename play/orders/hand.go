package orders

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/world"
)

// Hand gives the orders of one player. Make one with [New].
type Hand struct {
	// Minimap is the position of the minimap; Covers reports whether a point belongs to panels.
	Minimap draw.Box
	Covers  func(p draw.Point) bool
	// Delay is the number of ticks before an order is carried out.
	Delay int

	view    *skirmishview.View
	queue   queue
	plan    skirmish.Structure // the building that the next click places
	march   bool               // the next click is a march
	mouse   mouse
	fingers fingers
	keys    keys
}

// New returns a hand for the player whose view it is.
func New(v *skirmishview.View) *Hand {
	return &Hand{view: v, Covers: func(draw.Point) bool { return false }}
}

// Orders returns the orders of the next tick, at most skirmish.MaxOrders of them, encoded. The others wait. The
// result is valid until the next call.
func (h *Hand) Orders() []byte { return h.queue.take() }

// Plan returns what the next click builds, or 0.
func (h *Hand) Plan() skirmish.Structure { return h.plan }

// Marching reports whether the next click is a march.
func (h *Hand) Marching() bool { return h.march }

// Box returns the box that is being drawn on the screen, and whether there is one.
func (h *Hand) Box() (b draw.Box, ok bool) {
	switch {
	case h.mouse.boxing:
		return boxOf(h.mouse.from, h.mouse.at), true
	case h.fingers.boxing:
		return boxOf(h.fingers.from, h.fingers.at), true
	}
	return b, false
}

// Cancel cancels the action of the next click. It reports whether there was one.
func (h *Hand) Cancel() bool {
	was := h.plan != 0 || h.march
	h.plan, h.march = 0, false
	return was
}

// spot converts a place to the form in orders.
func spot(at draw.Point) skirmish.Spot {
	part := func(v float32) fixed.Num { return fixed.Num(max(v, 0)*64) << (fixed.FracBits - 6) }
	return skirmish.SpotOf(fixed.Vec2{X: part(at.X), Y: part(at.Y)})
}

func boxOf(a, b draw.Point) draw.Box {
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return draw.Box{X: x, Y: y, W: max(a.X, b.X) - x, H: max(a.Y, b.Y) - y}
}

// of returns a function that reports whether a unit belongs to a side.
func of(side uint8) func(u *skirmishview.Unit) bool {
	return func(u *skirmishview.Unit) bool { return u.Side == side }
}

// against returns a function that reports whether a unit belongs to another side.
func against(side uint8) func(u *skirmishview.Unit) bool {
	return func(u *skirmishview.Unit) bool { return u.Side != side }
}

// selectBox selects our units in a box on the map; if only is not 0, it selects only units that it matches.
func (h *Hand) selectBox(b draw.Box, only skirmish.Only, extend bool) {
	o := skirmish.Order{Verb: skirmish.Select, Only: only, At: spot(draw.Point{X: b.X, Y: b.Y}), To: spot(draw.Point{X: b.X + b.W, Y: b.Y + b.H})}
	if extend {
		o.Verb = skirmish.Extend
	}
	h.view.Chosen = 0
	h.queue.add(o)
}

// selectUnit selects a single unit, by the place where it will be when the order is carried out.
func (h *Hand) selectUnit(e world.Entity, extend bool) {
	at, vel, ok := h.view.Pos(e)
	if !ok {
		return
	}
	// Units are half of a cell apart, and one moves less than an eighth of a cell in a tick.
	p := at.Add(vel.Scale(fixed.FromInt(int64(h.Delay))))
	x, y := float32(p.X.FloatForDrawing()), float32(p.Y.FloatForDrawing())
	const near = 0.16
	h.selectBox(draw.Box{X: x - near, Y: y - near, W: 2 * near, H: 2 * near}, 0, extend)
}

// Deselect clears the selection.
func (h *Hand) Deselect() { h.selectBox(draw.Box{}, 0, false) }

// pick selects what is at a point: a unit, a building, or nothing.
func (h *Hand) pick(p draw.Point, reach float32, extend bool) {
	at := h.view.Camera.OnMap(p)
	if u, ok := h.view.UnitAt(at, reach, of(h.view.Side)); ok {
		h.selectUnit(u.Entity, extend)
		return
	}
	if extend {
		return
	}
	h.Deselect()
	if b, ok := h.view.BuildingAt(at); ok {
		h.view.Chosen = b.Entity
	}
}

// pickKind selects all our units on the screen that are of the same kind as the one at a point.
func (h *Hand) pickKind(p draw.Point, reach float32, extend bool) {
	if u, ok := h.view.UnitAt(h.view.Camera.OnMap(p), reach, of(h.view.Side)); ok {
		h.selectBox(h.view.Camera.Sight(), skirmish.Only(1)<<(u.Kind-1), extend)
	}
}

// Send sends the selected units to a place on the map: they attack an enemy that is there, or go there; if march is
// true, they attack what they meet on the way. For a selected building it sets where trained units go.
func (h *Hand) Send(at draw.Point, reach float32, march bool) {
	if b, ok := h.view.Building(h.view.Chosen); ok {
		if b.Place.Side == h.view.Side && b.Place.Structure.Of().Trains {
			h.queue.add(skirmish.Order{Verb: skirmish.Rally, At: spot(at), Target: b.Entity})
			h.view.Point(at, look.Paper)
		}
		return
	}
	if h.view.Tally().Selected == 0 {
		return
	}
	if target, where, ok := target(h.view, at, reach); ok && !march {
		h.queue.add(skirmish.Order{Verb: skirmish.Strike, Target: target})
		h.view.Point(where, look.Red)
		return
	}
	verb, col := skirmish.Move, look.Green
	if march {
		verb, col = skirmish.March, look.Gold
	}
	h.queue.add(skirmish.Order{Verb: verb, At: spot(at)})
	h.view.Point(at, col)
}

// target returns the enemy at a place.
func target(v *skirmishview.View, at draw.Point, reach float32) (e world.Entity, where draw.Point, ok bool) {
	if u, ok := v.UnitAt(at, reach, against(v.Side)); ok {
		return u.Entity, u.At, true
	}
	if b, ok := v.BuildingAt(at); ok && b.Place.Side != v.Side && b.Place.Structure != skirmish.Mine {
		return b.Entity, b.Box().Centre(), true
	}
	return 0, at, false
}

// place builds the planned building at a place, whose cell becomes the building's middle.
func (h *Hand) place(at draw.Point) {
	x, y := h.PlanAt(at)
	h.queue.add(skirmish.Order{Verb: skirmish.Build, Plan: h.plan, At: spot(draw.Point{X: float32(x) + 0.5, Y: float32(y) + 0.5})})
}

// PlanAt returns the north-western cell of the planned building if its middle is at a place.
func (h *Hand) PlanAt(at draw.Point) (x, y int) {
	half := float32(h.plan.Of().Side)/2 - 0.5
	return int(max(at.X-half, 0)), int(max(at.Y-half, 0))
}

// click performs the action of the next click. It reports whether there was one.
func (h *Hand) click(at draw.Point, reach float32, more bool) bool {
	switch {
	case h.plan != 0:
		h.place(at)
		if !more {
			h.plan = 0
		}
	case h.march:
		h.Send(at, reach, true)
		h.march = more
	default:
		return false
	}
	return true
}
