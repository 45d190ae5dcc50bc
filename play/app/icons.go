package app

import (
	"math"

	"github.com/tickback/tickback/play/draw"
)

// icon draws the picture of a button.
type icon func(c *draw.Canvas, at draw.Point, col draw.Color)

func triangle(c *draw.Canvas, at draw.Point, size float32, col draw.Color) {
	c.Poly([]draw.Point{{X: at.X - size*0.45, Y: at.Y - size*0.55}, {X: at.X + size*0.55, Y: at.Y}, {X: at.X - size*0.45, Y: at.Y + size*0.55}}, col)
}

func iconPlay(c *draw.Canvas, at draw.Point, col draw.Color) { triangle(c, at, 24, col) }

func iconPause(c *draw.Canvas, at draw.Point, col draw.Color) {
	c.Rect(draw.Box{X: at.X - 10, Y: at.Y - 12, W: 7, H: 24}, col)
	c.Rect(draw.Box{X: at.X + 3, Y: at.Y - 12, W: 7, H: 24}, col)
}

func iconStep(c *draw.Canvas, at draw.Point, col draw.Color) {
	triangle(c, draw.Point{X: at.X + 4, Y: at.Y}, 16, col)
	c.Rect(draw.Box{X: at.X - 11, Y: at.Y - 9, W: 4, H: 18}, col)
}

func iconStepBack(c *draw.Canvas, at draw.Point, col draw.Color) { mirrored(c, at, col, iconStep) }

func iconForth(c *draw.Canvas, at draw.Point, col draw.Color) {
	triangle(c, draw.Point{X: at.X - 6, Y: at.Y}, 16, col)
	triangle(c, draw.Point{X: at.X + 8, Y: at.Y}, 16, col)
}

func iconBack(c *draw.Canvas, at draw.Point, col draw.Color) { mirrored(c, at, col, iconForth) }

// mirrored draws an icon mirrored.
func mirrored(c *draw.Canvas, at draw.Point, col draw.Color, picture icon) {
	c.Push()
	c.Translate(at.X, at.Y)
	c.Rotate(math.Pi)
	picture(c, draw.Point{}, col)
	c.Pop()
}
