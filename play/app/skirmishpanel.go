package app

import (
	"fmt"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/orders"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/play/words"
)

// commands draws the possible orders, for a selected building or for units.
func (h *skirmishHud) commands() {
	b := draw.Box{X: 204, Y: Height - hudPanel - 12, W: Width - 204 - 12, H: hudPanel}
	h.panel(b)
	h.p.C.RoundRect(b, 12, look.Ink.Alpha(0.93))
	if chosen, ok := h.view.Building(h.view.Chosen); ok {
		h.building(b, &chosen)
		return
	}
	h.army(b)
}

// army draws the selected units, and their orders.
func (h *skirmishHud) army(b draw.Box) {
	c, t := h.p.C, h.view.Tally()
	x := b.X + 8
	for k := skirmish.Spearman; k <= skirmish.Catapult; k++ {
		if t.Kinds[k] == 0 {
			continue
		}
		h.view.DrawUnit(c, k, draw.Box{X: x, Y: b.Y + 6, W: 64, H: 64})
		c.Text(draw.Point{X: x + 32, Y: b.Y + 90}, 18, draw.Middle, look.Paper, fmt.Sprint(t.Kinds[k]))
		x += 74
	}
	if t.Selected == 0 {
		for i, line := range Wrap(c, h.hint(), 18, armyRoom-26) {
			c.Text(draw.Point{X: b.X + 16, Y: b.Y + 28 + float32(i)*23}, 18, draw.Left, look.Paper.Alpha(0.85), line)
		}
	}
	width := (b.W - armyRoom - 6) / 6
	at := draw.Box{X: b.X + armyRoom, Y: b.Y + 12, W: width - 6, H: b.H - 24}
	next := func(o order, on, can bool) bool {
		pressed := h.button(at, o, on, can)
		at.X += width
		return pressed
	}
	some := t.Selected > 0
	switch {
	case next(order{name: words.T("March"), key: "A"}, h.hand.Marching(), some):
		h.hand.March()
	case next(order{name: words.T("Halt"), key: "H"}, false, some):
		h.hand.Halt()
	case next(order{name: words.T("All units"), key: "U"}, false, t.Units > 0):
		h.hand.Army()
	case next(order{name: words.T("To the keep"), key: "K"}, false, !t.Lost[h.view.Side]):
		h.hand.Keep()
	case next(order{words.T("Barracks"), skirmish.Barracks.Of().Cost, "B"}, h.hand.Plan() == skirmish.Barracks, h.affords(skirmish.Barracks.Of().Cost)):
		h.hand.Build(skirmish.Barracks)
	case next(order{words.T("Wall"), skirmish.Wall.Of().Cost, "V"}, h.hand.Plan() == skirmish.Wall, h.affords(skirmish.Wall.Of().Cost)):
		h.hand.Build(skirmish.Wall)
	}
}

// armyRoom is the width of the part of the panel that shows the selected units.
const armyRoom = 310

// hint returns the help that is shown while nothing is selected.
func (h *skirmishHud) hint() string {
	switch {
	case h.view.Tally().Lost[h.view.Side]:
		return words.T("You are beaten. Watch how it ends, or leave by the menu.")
	case h.p.Devices.Touch:
		return words.T("Drag a box to select units, tap to send them. Two fingers move and magnify the map.")
	}
	return words.T("Drag a box to select units, click right to send them. With Ctrl they march, and attack on the way.")
}

// affords reports whether the player can pay for something.
func (h *skirmishHud) affords(cost int32) bool {
	t := h.view.Tally()
	return t.Gold >= int(cost) && !t.Lost[h.view.Side]
}

// building draws the selected building, and what can be trained in it.
func (h *skirmishHud) building(b draw.Box, s *skirmishview.Building) {
	c := h.p.C
	h.view.DrawBuilding(c, s.Place.Side, s.Place.Structure, draw.Box{X: b.X + 10, Y: b.Y + 10, W: 84, H: 84}, look.Paper)
	c.Text(draw.Point{X: b.X + 106, Y: b.Y + 32}, 21, draw.Left, look.Paper, words.T(buildingNames[s.Place.Structure]))
	state := words.F("health %.0f %%", s.Health*100)
	if s.Place.Structure == skirmish.Mine {
		state = words.F("%d gold a second", s.Place.Structure.Of().Income)
	}
	c.Text(draw.Point{X: b.X + 106, Y: b.Y + 56}, 16, draw.Left, look.Dim, state)
	own := s.Place.Side == h.view.Side
	if s.Works.Left > 0 {
		c.Text(draw.Point{X: b.X + 106, Y: b.Y + 80}, 16, draw.Left, look.Gold, words.F("%.0f %% built", s.Done()*100))
		return
	}
	if !own || !s.Place.Structure.Of().Trains {
		return
	}
	h.queue(draw.Box{X: b.X + 264, Y: b.Y + 12, W: 270, H: 80}, s)
	at := draw.Box{X: b.X + b.W - 5*103 - 6, Y: b.Y + 12, W: 99, H: b.H - 24}
	for i, key := range orders.TrainKeys {
		k := skirmish.Kind(i + 1)
		can := h.affords(k.Of().Cost) && s.Works.Queued < skirmish.QueueLen
		if h.button(at, order{words.T(unitNames[k]), k.Of().Cost, string(key[len("Key"):])}, false, can) {
			h.hand.Train(k)
		}
		at.X += 103
	}
	if h.button(at, order{name: words.T("Stop"), key: "X"}, false, s.Works.Queued > 0) {
		h.hand.Dismiss()
	}
}

// queue draws what a building is training, and its queue.
func (h *skirmishHud) queue(b draw.Box, s *skirmishview.Building) {
	c := h.p.C
	for i := range skirmish.QueueLen {
		slot := draw.Box{X: b.X + float32(i)*54, Y: b.Y + 6, W: 48, H: 48}
		c.RoundRect(slot, 6, look.Night)
		if i < int(s.Works.Queued) {
			h.view.DrawUnit(c, s.Works.Queue[i], slot.Inset(-4))
		}
	}
	line := draw.Box{X: b.X, Y: b.Y + 62, W: b.W - 6, H: 7}
	c.RoundRect(line, 3, look.Night)
	if share := s.Trained(); share > 0 {
		line.W *= share
		c.Rect(line, draw.RGB(0x69B7FF))
	}
}
