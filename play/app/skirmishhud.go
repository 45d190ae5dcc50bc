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

// skirmishHud draws the panels over a skirmish: resources at the top; map, groups, and possible orders at the bottom.
type skirmishHud struct {
	view  *skirmishview.View
	hand  *orders.Hand
	names *[skirmish.MaxPlayers]string

	p     *Picture
	boxes []draw.Box // covered by panels in the last picture
	next  []draw.Box
	held  bool // the pointer was down in the last picture
	from  draw.Point
	menu  bool // the menu button was pressed
}

const (
	hudMinimap = 176
	hudPanel   = 104
)

// SkirmishPanel is the height of the panel at the bottom of a skirmish, with the space below and above.
const SkirmishPanel = hudPanel + 20

// minimapBox is the position of the minimap.
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

// draw draws all panels, and handles their buttons. A watched match has no menu of its own.
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

// playing reports whether this is the view of a player.
func (h *skirmishHud) playing() bool { return int(h.view.Side) < skirmish.MaxPlayers }

// large returns the factor by which small buttons are enlarged for fingers.
func (h *skirmishHud) large() float32 {
	if h.p.Devices.Touch {
		return 1.45
	}
	return 1
}

func (h *skirmishHud) panel(b draw.Box) { h.next = append(h.next, b) }

// order is the order that a button gives: its name, cost, and key.
type order struct {
	name string
	cost int32
	key  string
}

// button draws a button without the focus of menus, since keys have other meanings here.
func (h *skirmishHud) button(b draw.Box, o order, on, can bool) bool {
	d, c := h.p.Devices, h.p.C
	h.panel(b)
	offered := can && h.p.UI.Offer(b, "order", int(b.X)*1000+int(b.Y), o.name) // each has its own position
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
	return offered || can && h.held && !d.Down && b.Has(h.from) && b.Has(d.Pointer)
}

// drawHand draws the selection box, and the building that is being placed.
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

// bar draws gold, units and time at the top, and the button of the menu.
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
	if h.button(box(menu, 70), order{name: words.T("Menu")}, false, true) {
		h.menu = true
	}
	if !h.playing() {
		return
	}
	h.view.DrawGold(c, box(8, 32))
	w := c.Text(draw.Point{X: 12 + 42*k, Y: y}, 21*k, draw.Left, look.Gold, fmt.Sprint(t.Gold))
	c.Text(draw.Point{X: 18 + 42*k + w, Y: y}, 16*k, draw.Left, look.Dim, fmt.Sprintf("+%d/s", t.Income))
	c.Text(draw.Point{X: 12 + 178*k, Y: y}, 19*k, draw.Left, look.Paper, words.F("%d units", t.Units))
	if h.button(box(374, 104), order{name: words.F("%d idle", t.Idle)}, false, t.Idle > 0) {
		h.hand.Idle()
	}
}

// sides draws the players at the upper right, and marks whose view this is.
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
			text = words.T("beaten")
		}
		if p == int(h.view.Side) {
			c.RoundRect(draw.Box{X: b.X + 4, Y: y - 17, W: w - 8, H: row}, 5, col.Alpha(0.25))
		}
		c.RoundRect(draw.Box{X: b.X + 9, Y: y - 12, W: 13, H: 13}, 3, col)
		name := look.Paper
		if t.Lost[p] {
			name = look.Dim.Alpha(0.6)
		}
		c.Text(draw.Point{X: b.X + 29, Y: y}, 16, draw.Left, name, fit(c, h.names[p], 16, w-29-9-14-c.TextWidth(16, text)))
		c.Text(draw.Point{X: b.X + w - 9, Y: y}, 16, draw.Right, look.Paper, text)
	}
}

// groups draws the control groups that have units, and a button that makes another one.
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
		if h.button(b, order{name: words.F("+ group %d", free)}, false, true) {
			h.hand.Assign(free)
		}
	}
}
