package app

import (
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/play/words"
)

// holder is a player of a recording, and the actions it holds.
type holder struct {
	name    string
	col     draw.Color
	held    theatre.Held
	gone    bool
	buttons controls.Action // the game's buttons; 0 if it has none
}

// highHolder is how high a box must be to show the keys in their arrangement; in a lower one they are in a line.
const highHolder = 130

// draw draws the player with its keys; those that are held light up.
func (h *holder) draw(c *draw.Canvas, b draw.Box) {
	if h.buttons == 0 {
		b.H = min(b.H, 40)
	}
	c.RoundRect(b, 10, look.Paper.Alpha(0.05))
	c.Rect(draw.Box{X: b.X + 10, Y: b.Y + 30, W: b.W - 20, H: 2}, h.col)
	label, col := fit(c, h.name, 17, b.W-16), h.col
	if h.gone {
		label, col = words.T("has left"), look.Dim
	}
	c.Text(draw.Point{X: b.X + b.W/2, Y: b.Y + 22}, 17, draw.Middle, col, label)
	switch {
	case h.buttons == 0:
	case b.H < highHolder:
		h.line(c, b)
	default:
		h.key(c, draw.Point{X: b.X + 47, Y: b.Y + 40}, 26, controls.Up)
		h.key(c, draw.Point{X: b.X + 17, Y: b.Y + 70}, 26, controls.Left)
		h.key(c, draw.Point{X: b.X + 47, Y: b.Y + 70}, 26, controls.Down)
		h.key(c, draw.Point{X: b.X + 77, Y: b.Y + 70}, 26, controls.Right)
		h.key(c, draw.Point{X: b.X + 17, Y: b.Y + 102}, 26, controls.A)
		h.key(c, draw.Point{X: b.X + 47, Y: b.Y + 102}, 26, controls.B)
		h.key(c, draw.Point{X: b.X + 77, Y: b.Y + 102}, 26, controls.C)
	}
}

// line draws the keys side by side.
func (h *holder) line(c *draw.Canvas, b draw.Box) {
	at := draw.Point{X: b.X + 6, Y: b.Y + 38}
	for _, a := range [...]theatre.Held{controls.Left, controls.Up, controls.Down, controls.Right, controls.A} {
		h.key(c, at, 20, a)
		at.X += 22
	}
}

// key draws a key, if the game has it.
func (h *holder) key(c *draw.Canvas, at draw.Point, size float32, a theatre.Held) {
	text := map[theatre.Held]string{controls.A: "A", controls.B: "B", controls.C: "C"}[a]
	if text != "" && h.buttons&a == 0 {
		return
	}
	k := draw.Box{X: at.X, Y: at.Y, W: size, H: size}
	back, fore := look.Paper.Alpha(0.1), look.Dim
	if h.held&a != 0 {
		back, fore = h.col, look.Ink
	}
	c.RoundRect(k, 6, back)
	if text != "" {
		c.Text(draw.Point{X: k.Centre().X, Y: k.Centre().Y + 6}, 16, draw.Middle, fore, text)
		return
	}
	arrow(c, k.Centre(), a, fore)
}

// arrow draws the arrow of a direction.
func arrow(c *draw.Canvas, at draw.Point, a theatre.Held, col draw.Color) {
	dx, dy := float32(0), float32(0)
	switch a {
	case controls.Left:
		dx = -1
	case controls.Right:
		dx = 1
	case controls.Up:
		dy = -1
	case controls.Down:
		dy = 1
	}
	tip := draw.Point{X: at.X + dx*6, Y: at.Y + dy*6}
	a1 := draw.Point{X: at.X - dx*4 - dy*6, Y: at.Y - dy*4 + dx*6}
	a2 := draw.Point{X: at.X - dx*4 + dy*6, Y: at.Y - dy*4 - dx*6}
	c.Poly([]draw.Point{tip, a1, a2}, col)
}
