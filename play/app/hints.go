package app

import (
	"strings"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// hint is an action that a player can take, and its name.
type hint struct {
	actions []controls.Action // any of these
	label   string
}

// The hints of the games.
var (
	duelHints = []hint{
		{[]controls.Action{controls.Left, controls.Right}, words.K("run")},
		{[]controls.Action{controls.Up}, words.K("jump")},
		{[]controls.Action{controls.A}, words.K("hit")},
	}
	arenaHints = []hint{
		{[]controls.Action{controls.Up, controls.Left, controls.Down, controls.Right}, words.K("run")},
		{[]controls.Action{controls.A}, words.K("shoot")},
		{[]controls.Action{controls.B}, words.K("dash")},
		{[]controls.Action{controls.C}, words.K("shield")},
	}
	tanksHints = []hint{
		{[]controls.Action{controls.Left, controls.Right}, words.K("turn")},
		{[]controls.Action{controls.Up, controls.Down}, words.K("drive")},
		{[]controls.Action{controls.A}, words.K("fire")},
	}
)

// hints shows how to take actions that a player has not used yet, for the device that was used last. The zero value
// shows everything, for a keyboard.
type hints struct {
	used controls.Action
	pad  bool // a gamepad was used last
}

// take records what the player holds.
func (h *hints) take(p *Picture, held controls.Action) {
	h.used |= held
	switch d := p.Devices; {
	case len(d.Pads) > 0 && d.Pads[0].Held != 0:
		h.pad = true
	case len(d.Keys) > 0:
		h.pad = false
	}
}

// left returns the hints that are still to be shown.
func (h *hints) left(of []hint) (list []hint) {
	for _, one := range of {
		done := false
		for _, a := range one.actions {
			done = done || h.used&a != 0
		}
		if !done {
			list = append(list, one)
		}
	}
	return list
}

// guide records what the player holds, and draws those of the given hints that are still to be shown.
func (h *hints) guide(p *Picture, held controls.Action, at draw.Point, of []hint) {
	h.take(p, held)
	if !p.App.Bare() && !p.App.Auto {
		h.draw(p, at, of)
	}
}

// below is the position of hints that follow no fighter: in the middle, above the bars and figures at the lower edge.
var below = draw.Point{X: Width / 2, Y: Height - 90}

// draw draws a line of hints with its middle at a point, inside the picture.
func (h *hints) draw(p *Picture, at draw.Point, of []hint) {
	const size, gap, space = 20, 8, 26
	c, width := p.C, float32(-space)
	type part struct {
		caps  []string
		label string
	}
	var parts []part
	for _, one := range h.left(of) {
		t := part{h.caps(p, one), words.T(one.label)}
		for _, k := range t.caps {
			width += capWidth(c, k, size) + gap
		}
		width += c.TextWidth(size, t.label) + space
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return
	}
	x := min(max(at.X-width/2, p.free.X+24), p.free.X+p.free.W-24-width)
	c.RoundRect(draw.Box{X: x - 14, Y: at.Y - 24, W: width + 28, H: 48}, 12, look.Ink.Alpha(0.75))
	for _, t := range parts {
		for _, k := range t.caps {
			w := capWidth(c, k, size)
			c.RoundRect(draw.Box{X: x, Y: at.Y - 16, W: w, H: 32}, 7, look.Paper)
			c.Text(draw.Point{X: x + w/2, Y: at.Y + 7}, size, draw.Middle, look.Ink, k)
			x += w + gap
		}
		x += c.Text(draw.Point{X: x, Y: at.Y + 7}, size, draw.Left, look.Paper, t.label) + space
	}
}

func capWidth(c *draw.Canvas, text string, size float32) float32 {
	return max(c.TextWidth(size, text)+16, 32)
}

// caps returns the key labels for a hint, on the device in use.
func (h *hints) caps(p *Picture, one hint) (list []string) {
	stick := len(one.actions) > 1
	switch {
	case p.Pad != nil && stick, h.pad && stick:
		return []string{words.T("stick")}
	case p.Pad != nil:
		return []string{words.T(p.App.labels()[one.actions[0]])}
	case h.pad:
		return []string{words.T(padNames[one.actions[0]])}
	}
	for _, a := range one.actions {
		for i, known := range controls.Actions {
			if known == a {
				names := append(p.App.prefs.keyNames(p.App.Settings.Keys[0][i]), "-")
				list = append(list, names[0])
			}
		}
	}
	return list
}

// keyCaps returns the first keys for some hints, as a text.
func (p *Picture) keyCaps(of []hint) string {
	var list []string
	for _, one := range of {
		list = append(list, new(hints).caps(p, one)...)
	}
	return strings.Join(list, " ")
}

// padNames are the buttons of a gamepad by position, since makers name them differently.
var padNames = map[controls.Action]string{
	controls.Up: words.K("stick up"), controls.A: words.K("lower button"), controls.B: words.K("right button"), controls.C: words.K("left button"),
}
