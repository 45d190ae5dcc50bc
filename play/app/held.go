package app

import (
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/theatre"
)

// drawHeld draws the keys of a player; those that are held light up.
func drawHeld(c *draw.Canvas, b draw.Box, name string, col draw.Color, held theatre.Held, gone, buttons bool) {
	c.RoundRect(b, 10, look.Paper.Alpha(0.05))
	c.Rect(draw.Box{X: b.X + 10, Y: b.Y + 30, W: b.W - 20, H: 2}, col)
	label := fit(c, name, 17, b.W-16)
	if gone {
		label, col = "has left", look.Dim
	}
	c.Text(draw.Point{X: b.X + b.W/2, Y: b.Y + 22}, 17, draw.Middle, col, label)
	key := func(x, y float32, a theatre.Held, text string) {
		k := draw.Box{X: b.X + x, Y: b.Y + y, W: 26, H: 26}
		back, fore := look.Paper.Alpha(0.1), look.Dim
		if held&a != 0 {
			back, fore = col, look.Ink
		}
		c.RoundRect(k, 6, back)
		at := k.Centre()
		if text != "" {
			c.Text(draw.Point{X: at.X, Y: at.Y + 6}, 16, draw.Middle, fore, text)
			return
		}
		arrow(c, at, a, fore)
	}
	key(47, 40, controls.Up, "")
	key(17, 70, controls.Left, "")
	key(47, 70, controls.Down, "")
	key(77, 70, controls.Right, "")
	key(17, 102, controls.A, "A")
	if buttons {
		key(47, 102, controls.B, "B")
		key(77, 102, controls.C, "C")
	}
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
