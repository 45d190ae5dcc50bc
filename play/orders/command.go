package orders

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
)

// Halt makes the selected units stop.
func (h *Hand) Halt() { h.queue.add(skirmish.Order{Verb: skirmish.Halt}) }

// March makes the next click a march, or cancels that.
func (h *Hand) March() { h.march, h.plan = !h.march, 0 }

// Build makes the next click build something; calling it again cancels that.
func (h *Hand) Build(s skirmish.Structure) {
	if h.march = false; h.plan == s {
		s = 0
	}
	h.plan = s
}

// Train makes the selected building train a unit.
func (h *Hand) Train(k skirmish.Kind) {
	if h.view.Chosen != 0 {
		h.queue.add(skirmish.Order{Verb: skirmish.Train, What: k, Target: h.view.Chosen})
	}
}

// Dismiss removes the last unit from the queue of the selected building.
func (h *Hand) Dismiss() {
	if h.view.Chosen != 0 {
		h.queue.add(skirmish.Order{Verb: skirmish.Cancel, Target: h.view.Chosen})
	}
}

// Idle selects all idle units, and shows the next of them.
func (h *Hand) Idle() {
	size := h.view.MapSize()
	h.selectBox(draw.Box{W: size, H: size}, skirmish.OnlyIdle, false)
	units := h.view.Units()
	for i := range units { // the first one after the one that was last shown
		u := &units[(h.keys.idle+1+i)%len(units)]
		if u.Side == h.view.Side && u.Idle {
			h.keys.idle = (h.keys.idle + 1 + i) % len(units)
			h.view.Camera.Jump(u.At)
			return
		}
	}
}

// Army selects all units.
func (h *Hand) Army() {
	size := h.view.MapSize()
	h.selectBox(draw.Box{W: size, H: size}, 0, false)
}

// Keep selects the keep, and shows it.
func (h *Hand) Keep() {
	for _, b := range h.view.Buildings() {
		if b.Place.Side == h.view.Side && b.Place.Structure == skirmish.Keep {
			h.Deselect()
			h.view.Chosen = b.Entity
			h.view.Camera.Jump(b.Box().Centre())
			return
		}
	}
}

// Group selects a control group, 1 to 9; show moves the camera to it.
func (h *Hand) Group(g int, show bool) {
	h.view.Chosen = 0
	h.queue.add(skirmish.Order{Verb: skirmish.Copy, Other: uint8(g)})
	if t := h.view.Tally(); show && t.Groups[g] > 0 {
		h.view.Camera.Jump(t.Places[g])
	}
}

// Assign makes the selected units a control group, 1 to 9.
func (h *Hand) Assign(g int) {
	h.queue.add(skirmish.Order{Verb: skirmish.Copy, Group: uint8(g)})
}

// Resign resigns the match.
func (h *Hand) Resign() { h.queue.add(skirmish.Order{Verb: skirmish.Resign}) }
