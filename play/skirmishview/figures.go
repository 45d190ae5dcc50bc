package skirmishview

import (
	"math"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// What sprites are made of.
var (
	brown  = draw.RGB(0x7A5230)
	bark   = draw.RGB(0x3E2A1A)
	steel  = draw.RGB(0xD8DCE6)
	gray   = draw.RGB(0x8B8F9C)
	gravel = draw.RGB(0x6B6E7B)
	white  = draw.RGB(0xFFFFFF)
)

func pt(x, y float32) draw.Point { return draw.Point{X: x, Y: y} }

// paintUnit paints a unit that faces right, from above.
func paintUnit(c *draw.Canvas, k skirmish.Kind, pose int, col draw.Color) {
	stride := 0.12 * float32(1-2*pose)
	switch k {
	case skirmish.Spearman:
		feet(c, stride)
		c.Line(pt(-0.4, 0.24), pt(0.8, 0.24), 0.09, look.Ink)
		c.Line(pt(-0.38, 0.24), pt(0.66, 0.24), 0.05, brown.Shade(1.5))
		c.Poly([]draw.Point{pt(0.62, 0.15), pt(0.9, 0.24), pt(0.62, 0.33)}, steel)
		torso(c, 0.34, col)
		c.Capsule(pt(0.2, -0.3), pt(0.34, -0.02), 0.11, 0.11, look.Ink)
		c.Capsule(pt(0.2, -0.3), pt(0.34, -0.02), 0.07, 0.07, steel)
	case skirmish.Archer:
		feet(c, stride)
		c.Arc(pt(0.02, 0), 0.46, 0.13, -1.1, 1.1, look.Ink)
		c.Arc(pt(0.02, 0), 0.46, 0.07, -1.05, 1.05, brown.Shade(1.6))
		c.Line(pt(0.23, -0.41), pt(0.23, 0.41), 0.03, look.Paper)
		torso(c, 0.29, col)
		c.Circle(pt(-0.04, 0), 0.13, col.Shade(0.6))
	case skirmish.Knight:
		c.Capsule(pt(-0.5, 0), pt(0.42, 0), 0.29, 0.25, look.Ink)
		c.Capsule(pt(-0.5, 0), pt(0.42, 0), 0.24, 0.2, brown)
		c.Capsule(pt(0.42, stride*0.4), pt(0.74, stride*0.4), 0.17, 0.12, look.Ink)
		c.Capsule(pt(0.42, stride*0.4), pt(0.74, stride*0.4), 0.12, 0.08, brown.Shade(1.25))
		c.Capsule(pt(-0.66, 0), pt(-0.88, stride), 0.09, 0.04, bark)
		c.Capsule(pt(-0.32, 0), pt(0.1, 0), 0.32, 0.3, col.Shade(0.55))
		c.Line(pt(-0.2, 0.32), pt(0.92, 0.26), 0.09, look.Ink)
		c.Line(pt(-0.2, 0.32), pt(0.9, 0.26), 0.05, look.Paper)
		torso(c, 0.26, col)
		c.Circle(pt(0.02, 0), 0.12, steel)
	case skirmish.Catapult:
		for _, at := range [...]draw.Point{pt(-0.42, -0.4), pt(-0.42, 0.4), pt(0.42, -0.4), pt(0.42, 0.4)} {
			c.Capsule(at.Minus(pt(0.14, 0)), at.Plus(pt(0.14, 0)), 0.1, 0.1, look.Ink)
		}
		c.Rect(draw.Box{X: -0.64, Y: -0.36, W: 1.28, H: 0.72}, look.Ink)
		c.Rect(draw.Box{X: -0.58, Y: -0.3, W: 1.16, H: 0.6}, brown)
		c.Rect(draw.Box{X: -0.5, Y: -0.16, W: 1.0, H: 0.32}, bark)
		c.Rect(draw.Box{X: 0.3, Y: -0.36, W: 0.2, H: 0.72}, col)
		end := pt(-0.56, 0)
		if pose == 1 {
			end = pt(0.72, 0)
		}
		c.Capsule(pt(0.2, 0), end, 0.07, 0.06, brown.Shade(1.5))
		c.Circle(end, 0.17, look.Ink)
		c.Circle(end, 0.12, col)
	}
}

func feet(c *draw.Canvas, stride float32) {
	for _, side := range [...]float32{-1, 1} {
		c.Capsule(pt(-0.06+stride*side, 0.19*side), pt(0.16+stride*side, 0.19*side), 0.1, 0.09, look.Ink)
	}
}

// torso paints the head and the shoulders in the colour of a side.
func torso(c *draw.Canvas, r float32, col draw.Color) {
	c.Circle(pt(0, 0), r+0.05, look.Ink)
	c.Circle(pt(0, 0), r, col.Shade(0.78))
	c.Circle(pt(-0.03, -0.03), r*0.72, col)
	c.Circle(pt(-0.06, -0.06), r*0.3, col.Mix(white, 0.5))
}

// paintStructure paints a building around its middle.
func paintStructure(c *draw.Canvas, b skirmish.Structure, col draw.Color, held bool) {
	half := float32(b.Of().Side) / 2
	all := draw.Box{X: -half, Y: -half, W: 2 * half, H: 2 * half}
	switch b {
	case skirmish.Keep:
		block(c, all.Inset(0.3), gray)
		for _, at := range [...]draw.Point{pt(-1.45, -1.45), pt(1.45, -1.45), pt(-1.45, 1.45), pt(1.45, 1.45)} {
			c.Circle(at, 0.54, look.Ink)
			c.Circle(at, 0.48, gravel)
			c.Circle(at.Minus(pt(0.05, 0.05)), 0.36, gray.Mix(white, 0.25))
			c.Circle(at, 0.2, col)
		}
		block(c, draw.Box{X: -1, Y: -1, W: 2, H: 2}, gravel)
		roof(c, draw.Box{X: -0.8, Y: -0.8, W: 1.6, H: 1.6}, col)
	case skirmish.Barracks:
		block(c, all.Inset(0.12), brown.Shade(1.2))
		roof(c, all.Inset(0.3), col)
		c.Rect(draw.Box{X: -0.3, Y: 0.95, W: 0.6, H: 0.42}, bark)
	case skirmish.Wall:
		block(c, all.Inset(0.03), gray)
		c.Rect(draw.Box{X: -0.16, Y: -0.16, W: 0.32, H: 0.32}, col)
	case skirmish.Mine:
		for i := range 7 {
			at := draw.Polar(float32(i)*0.9, 0.66)
			c.Circle(at, 0.32, look.Ink)
			c.Circle(at.Minus(pt(0.03, 0.04)), 0.27, gravel.Shade(1+float32(i%3)*0.15))
		}
		c.Circle(pt(0, 0), 0.5, draw.RGB(0x2A2018))
		for i := range 5 {
			at := draw.Polar(float32(i)*1.26+0.3, 0.24)
			c.Circle(at, 0.14, draw.RGB(0xA87414))
			c.Circle(at.Minus(pt(0.03, 0.03)), 0.09, look.Gold)
		}
		if held {
			c.Ring(pt(0, 0), 0.92, 0.12, col)
		}
	}
}

// block paints stone or wood as seen from above, lit from the upper left.
func block(c *draw.Canvas, b draw.Box, col draw.Color) {
	c.Rect(b, look.Ink)
	b = b.Inset(0.05)
	c.Rect(b, col.Shade(0.7))
	c.Rect(draw.Box{X: b.X, Y: b.Y, W: b.W - 0.12, H: b.H - 0.12}, col.Mix(white, 0.3))
	c.Rect(b.Inset(0.12), col)
}

// roof paints the four sides of a roof, lit from the upper left.
func roof(c *draw.Canvas, b draw.Box, col draw.Color) {
	c.Rect(b.Inset(-0.06), look.Ink)
	m := b.Centre()
	corners := [...]draw.Point{pt(b.X, b.Y), pt(b.X+b.W, b.Y), pt(b.X+b.W, b.Y+b.H), pt(b.X, b.Y+b.H)}
	for i, shade := range [...]float32{1.1, 0.8, 0.6, 0.95} {
		c.Poly([]draw.Point{corners[i], corners[(i+1)%4], m}, col.Shade(shade))
	}
}

// paintShared paints a sprite that all sides share.
func paintShared(c *draw.Canvas, i int) {
	switch i {
	case plainWhite:
		c.Rect(draw.Box{X: -0.5, Y: -0.5, W: 1, H: 1}, white)
	case selectRing:
		c.Ring(pt(0, 0), 0.86, 0.1, white)
		c.Circle(pt(0, 0), 0.8, white.Alpha(0.14))
	case arrow:
		c.Line(pt(-0.45, 0), pt(0.4, 0), 0.09, look.Ink)
		c.Line(pt(-0.42, 0), pt(0.36, 0), 0.05, look.Paper)
		c.Poly([]draw.Point{pt(0.3, -0.1), pt(0.55, 0), pt(0.3, 0.1)}, steel)
	case stone:
		c.Circle(pt(0.05, 0.1), 0.26, draw.Color{A: 0.35})
		c.Circle(pt(0, 0), 0.24, look.Ink)
		c.Circle(pt(-0.02, -0.02), 0.19, gravel)
		c.Circle(pt(-0.06, -0.06), 0.09, gray.Mix(white, 0.3))
	case gem:
		c.Circle(pt(0, 0), 0.62, draw.RGB(0x8A5F10))
		c.Circle(pt(-0.04, -0.04), 0.52, look.Gold)
		c.Circle(pt(-0.14, -0.16), 0.2, draw.RGB(0xFFF0B8))
	default:
		paintTree(c, i-tree)
	}
}

// paintTree paints a tree: leaves in three heights.
func paintTree(c *draw.Canvas, which int) {
	green := draw.RGB([...]uint32{0x2F5A34, 0x3A6636, 0x29524A}[which])
	c.Circle(pt(0.1, 0.14), 0.66, draw.Color{A: 0.3})
	for level, r := range [...]float32{0.4, 0.28, 0.14} {
		n := 7 - 2*level
		for i := range n {
			at := draw.Polar(2*math.Pi*float32(i)/float32(n)+float32(which+level), r*0.8).Minus(pt(0.05, 0.05).Times(float32(level)))
			c.Circle(at, 0.3-0.07*float32(level), green.Shade(0.62+0.27*float32(level)))
		}
	}
}
