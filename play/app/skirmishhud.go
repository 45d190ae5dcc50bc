package app

import (
	"fmt"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/orders"
	"github.com/tickback/tickback/play/skirmishview"
)

// skirmishHud is the panels over a skirmish: what there is at the top; map, groups, and what can be
// ordered at the bottom.
type skirmishHud struct {
	view  *skirmishview.View
	hand  *orders.Hand
	names *[skirmish.MaxPlayers]string

	p     *Picture
	boxes []draw.Box // that panels cover, of the last picture
	next  []draw.Box
	held  bool // the pointer was down in the last picture
	from  draw.Point
	menu  bool // the menu button was pressed
}

const (
	hudMinimap = 176
	hudPanel   = 104
)

// SkirmishPanel is how high the panel is at the bottom of a skirmish, with the space below and above.
const SkirmishPanel = hudPanel + 20

// minimapBox is where the minimap is.
var minimapBox = draw.Box{X: 12, Y: Height - hudMinimap - 12, W: hudMinimap, H: hudMinimap}

// covers reports whether a point belongs to a panel.
func (h *skirmishHud) covers(at draw.Point) bool {
	for _, b := range h.boxes {
		if b.Has(at) {
			return true
		}
	}
	return false
}

// draw draws all panels, and does what their buttons say. A watched match has no menu of its own.
func (h *skirmishHud) draw(p *Picture, watched bool) {
	h.p, h.menu, h.next = p, false, h.next[:0]
	if p.Devices.Down && !h.held {
		h.from = p.Devices.Pointer
	}
	h.drawHand()
	if h.playing() {
		h.groups()
		h.commands()
	}
	if !watched {
		h.bar()
	}
	h.sides()
	h.panel(minimapBox.Inset(-5))
	h.view.DrawMinimap(p.C, minimapBox)
	h.boxes, h.next = h.next, h.boxes
	h.held = p.Devices.Down
}

// playing reports whether a player looks.
func (h *skirmishHud) playing() bool { return int(h.view.Side) < skirmish.MaxPlayers }

// large is how much larger small buttons are, for fingers.
func (h *skirmishHud) large() float32 {
	if h.p.Devices.Touch {
		return 1.45
	}
	return 1
}

func (h *skirmishHud) panel(b draw.Box) { h.next = append(h.next, b) }

// order is what a button orders: its name, what it costs, and its key.
type order struct {
	name string
	cost int32
	key  string
}

// button is a button without the focus of menus, since keys have other meanings here.
func (h *skirmishHud) button(b draw.Box, o order, on, can bool) bool {
	d, c := h.p.Devices, h.p.C
	h.panel(b)
	over := b.Has(d.Pointer) && can && (!d.Touch || d.Down)
	back, col, gold := look.Night.Alpha(0.92), look.Paper, look.Gold
	switch {
	case on:
		back, col, gold = look.Gold, look.Ink, look.Ink
	case over:
		back = draw.RGB(0x3A4788)
	case !can:
		col, gold = look.Dim.Alpha(0.6), look.Dim.Alpha(0.6)
	}
	c.RoundRect(b, 8, back)
	size := min(b.H*0.5, 20)
	if w := c.TextWidth(size, o.name); w > b.W-10 {
		size *= (b.W - 10) / w
	}
	middle := b.Centre().X
	y := b.Y + b.H/2 + size*0.35
	if o.cost > 0 {
		y -= 10
	}
	if o.key != "" && !d.Touch {
		y -= 7
		c.Text(draw.Point{X: middle, Y: b.Y + b.H - 5}, 14, draw.Middle, look.Dim.Mix(col, 0.3), o.key)
	}
	c.Text(draw.Point{X: middle, Y: y}, size, draw.Middle, col, o.name)
	if o.cost > 0 {
		c.Text(draw.Point{X: middle, Y: y + 22}, 18, draw.Middle, gold, fmt.Sprint(o.cost))
	}
	return can && h.held && !d.Down && b.Has(h.from) && b.Has(d.Pointer)
}

// drawHand draws the box that selects, and the building that is about to be placed.
func (h *skirmishHud) drawHand() {
	c := h.p.C
	if b, ok := h.hand.Box(); ok && h.playing() {
		c.Rect(b, look.Green.Alpha(0.12))
		c.Frame(b, 2, 2, look.Green)
	}
	plan := h.hand.Plan()
	if plan == 0 || h.p.Devices.Touch {
		return
	}
	x, y := h.hand.PlanAt(h.view.Camera.OnMap(h.p.Devices.Pointer))
	at := h.view.Camera.Shown(draw.Point{X: float32(x), Y: float32(y)})
	size := float32(plan.Of().Side) * h.view.Camera.Zoom
	b, col := draw.Box{X: at.X, Y: at.Y, W: size, H: size}, look.Green
	if !h.view.Free(plan, x, y) {
		col = look.Red
	}
	h.view.DrawBuilding(c, h.view.Side, plan, b, col.Mix(look.Paper, 0.5).Alpha(0.7))
	c.Frame(b, 2, 2, col)
}

// bar draws gold, units and time at the top, and the way to the menu.
func (h *skirmishHud) bar() {
	c, t, k := h.p.C, h.view.Tally(), h.large()
	box := func(x, w float32) draw.Box { return draw.Box{X: 12 + x*k, Y: 8 + 3*k, W: w * k, H: 32 * k} }
	bar := draw.Box{X: 12, Y: 8, W: 560 * k, H: 38 * k}
	seconds := t.Frame / skirmish.TicksPerSecond
	at, menu := float32(306), float32(484)
	if !h.playing() {
		at, menu = 14, 90
		bar.W = 166 * k
	}
	h.panel(bar)
	c.RoundRect(bar, 10, look.Ink.Alpha(0.85))
	y := bar.Y + 26*k
	c.Text(draw.Point{X: 12 + at*k, Y: y}, 19*k, draw.Left, look.Paper, fmt.Sprintf("%d:%02d", seconds/60, seconds%60))
	if h.button(box(menu, 70), order{name: "Menu"}, false, true) {
		h.menu = true
	}
	if !h.playing() {
		return
	}
	h.view.DrawGold(c, box(8, 32))
	w := c.Text(draw.Point{X: 12 + 42*k, Y: y}, 21*k, draw.Left, look.Gold, fmt.Sprint(t.Gold))
	c.Text(draw.Point{X: 18 + 42*k + w, Y: y}, 16*k, draw.Left, look.Dim, fmt.Sprintf("+%d/s", t.Income))
	c.Text(draw.Point{X: 12 + 178*k, Y: y}, 19*k, draw.Left, look.Paper, fmt.Sprintf("%d units", t.Units))
	if h.button(box(374, 104), order{name: fmt.Sprintf("%d idle", t.Idle)}, false, t.Idle > 0) {
		h.hand.Idle()
	}
}

// sides draws who plays, at the upper right, and marks who looks.
func (h *skirmishHud) sides() {
	c, t := h.p.C, h.view.Tally()
	const w, row = 204, 24
	b := draw.Box{X: Width - w - 12, Y: 8, W: w, H: float32(t.Players)*row + 10}
	h.panel(b)
	c.RoundRect(b, 10, look.Ink.Alpha(0.8))
	for p := range t.Players {
		y := b.Y + 22 + float32(p)*row
		col, text := h.view.Look.Player(p), fmt.Sprint(t.Sides[p])
		if t.Lost[p] {
			text = "beaten"
		}
		if p == int(h.view.Side) {
			c.RoundRect(draw.Box{X: b.X + 4, Y: y - 17, W: w - 8, H: row}, 5, col.Alpha(0.25))
		}
		c.RoundRect(draw.Box{X: b.X + 9, Y: y - 12, W: 13, H: 13}, 3, col)
		name := look.Paper
		if t.Lost[p] {
			name = look.Dim.Alpha(0.6)
		}
		c.Text(draw.Point{X: b.X + 29, Y: y}, 16, draw.Left, name, fit(c, h.names[p], 16, w-29-70))
		c.Text(draw.Point{X: b.X + w - 9, Y: y}, 16, draw.Right, look.Paper, text)
	}
}

// groups draws the control groups that have units, and a button that makes another.
func (h *skirmishHud) groups() {
	t := h.view.Tally()
	k := h.large()
	b := draw.Box{X: 204, Y: Height - hudPanel - 12 - 8 - 36*k, W: 62 * k, H: 36 * k}
	free := 0
	for g := 1; g < skirmish.Groups; g++ {
		if t.Groups[g] == 0 {
			if free == 0 {
				free = g
			}
			continue
		}
		if h.button(b, order{name: fmt.Sprintf("%d: %d", g, t.Groups[g])}, false, true) {
			h.hand.Group(g, false)
		}
		b.X += b.W + 6
	}
	if free > 0 && t.Selected > 0 {
		b.W = 100 * k
		if h.button(b, order{name: fmt.Sprintf("+ group %d", free)}, false, true) {
			h.hand.Assign(free)
		}
	}
}

// commands draws what can be ordered, for a chosen building or for units.
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
	case next(order{name: "March", key: "A"}, h.hand.Marching(), some):
		h.hand.March()
	case next(order{name: "Halt", key: "H"}, false, some):
		h.hand.Halt()
	case next(order{name: "All units", key: "U"}, false, t.Units > 0):
		h.hand.Army()
	case next(order{name: "Keep", key: "K"}, false, !t.Lost[h.view.Side]):
		h.hand.Keep()
	case next(order{"Barracks", skirmish.Barracks.Of().Cost, "B"}, h.hand.Plan() == skirmish.Barracks, h.affords(skirmish.Barracks.Of().Cost)):
		h.hand.Build(skirmish.Barracks)
	case next(order{"Wall", skirmish.Wall.Of().Cost, "V"}, h.hand.Plan() == skirmish.Wall, h.affords(skirmish.Wall.Of().Cost)):
		h.hand.Build(skirmish.Wall)
	}
}

// armyRoom is how wide the part of the panel is that shows the selected units.
const armyRoom = 310

// hint says what can be done while nothing is selected.
func (h *skirmishHud) hint() string {
	switch {
	case h.view.Tally().Lost[h.view.Side]:
		return "You are beaten. Watch how it ends, or leave by the menu."
	case h.p.Devices.Touch:
		return "Drag a box to select units, tap to send them. Two fingers move and magnify the map."
	}
	return "Drag a box to select units, click right to send them. With Ctrl they march, and attack on the way."
}

// affords reports whether the player can pay for something.
func (h *skirmishHud) affords(cost int32) bool {
	t := h.view.Tally()
	return t.Gold >= int(cost) && !t.Lost[h.view.Side]
}

// building draws the chosen building, and what can be trained in it.
func (h *skirmishHud) building(b draw.Box, s *skirmishview.Building) {
	c := h.p.C
	h.view.DrawBuilding(c, s.Place.Side, s.Place.Structure, draw.Box{X: b.X + 10, Y: b.Y + 10, W: 84, H: 84}, look.Paper)
	c.Text(draw.Point{X: b.X + 106, Y: b.Y + 32}, 21, draw.Left, look.Paper, s.Place.Structure.String())
	state := fmt.Sprintf("health %.0f %%", s.Health*100)
	if s.Place.Structure == skirmish.Mine {
		state = fmt.Sprintf("%d gold a second", s.Place.Structure.Of().Income)
	}
	c.Text(draw.Point{X: b.X + 106, Y: b.Y + 56}, 16, draw.Left, look.Dim, state)
	own := s.Place.Side == h.view.Side
	if s.Works.Left > 0 {
		c.Text(draw.Point{X: b.X + 106, Y: b.Y + 80}, 16, draw.Left, look.Gold, fmt.Sprintf("%.0f %% built", s.Done()*100))
		return
	}
	if !own || !s.Place.Structure.Of().Trains {
		return
	}
	h.queue(draw.Box{X: b.X + 250, Y: b.Y + 12, W: 270, H: 80}, s)
	at := draw.Box{X: b.X + b.W - 5*98 - 6, Y: b.Y + 12, W: 92, H: b.H - 24}
	for i, key := range orders.TrainKeys {
		k := skirmish.Kind(i + 1)
		can := h.affords(k.Of().Cost) && s.Works.Queued < skirmish.QueueLen
		if h.button(at, order{k.String(), k.Of().Cost, string(key[len("Key"):])}, false, can) {
			h.hand.Train(k)
		}
		at.X += 98
	}
	if h.button(at, order{name: "Cancel", key: "X"}, false, s.Works.Queued > 0) {
		h.hand.Dismiss()
	}
}

// queue draws what a building trains, and is going to.
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
