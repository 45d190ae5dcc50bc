package duelview

import (
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// The proportions of a figure.
const (
	trunk   = 0.3
	upper   = 0.2  // upper leg, and lower leg
	arm     = 0.16 // upper arm, and lower arm
	headR   = 0.115
	blade   = 0.72
	outline = 0.032
)

// joint returns the position of the joint of a limb with two equal parts that bends to one side, given its ends.
func joint(a, b draw.Point, length, side float32) draw.Point {
	d := b.Minus(a)
	l := d.Length()
	middle := a.Toward(b, 0.5)
	h := length*length - l*l/4
	if h <= 0 || l < 1e-5 {
		return middle
	}
	k := side * float32(math.Sqrt(float64(h))) / l
	return middle.Plus(draw.Point{X: -d.Y * k, Y: d.X * k})
}

// limb is a capsule of a figure.
type limb struct {
	a, b   draw.Point
	ra, rb float32
	color  draw.Color
}

// paint is the colours of a figure.
type paint struct{ suit, dark, skin, trim draw.Color }

func paintOf(c draw.Color) paint {
	return paint{suit: c.Shade(0.82), dark: c.Shade(0.42), skin: draw.RGB(0xF2C9A1), trim: c.Mix(look.Paper, 0.55)}
}

// flat returns a paint with a single colour.
func flat(c draw.Color) paint { return paint{c, c, c, c} }

// body lists the limbs of a pose, from the back to the front, with Y up.
func (p *pose) body(c paint) (limbs [13]limb, head, hand draw.Point) {
	sin, cos := look.Sin(p.lean), look.Cos(p.lean)
	up := draw.Point{X: sin, Y: cos}
	shoulder := p.hip.Plus(up.Times(trunk))
	head = shoulder.Plus(draw.Point{X: look.Sin(p.lean + p.head), Y: look.Cos(p.lean + p.head)}.Times(0.16))
	hand = shoulder.Plus(p.front)
	rear := shoulder.Plus(p.back)
	kneeA, kneeB := joint(p.hip, p.footA, upper, 1), joint(p.hip, p.footB, upper, 1)
	elbowA, elbowB := joint(shoulder, hand, arm, -1), joint(shoulder, rear, arm, -1)
	toe := draw.Point{X: 0.085}
	belt := draw.Point{X: cos, Y: -sin}.Times(0.09)
	lift := draw.Point{Y: 0.035}
	limbs = [...]limb{
		{shoulder, elbowB, 0.055, 0.05, c.dark},
		{elbowB, rear, 0.05, 0.045, c.dark},
		{p.hip, kneeB, 0.075, 0.06, c.dark},
		{kneeB, p.footB.Plus(lift), 0.06, 0.042, c.dark},
		{p.footB.Plus(lift), p.footB.Plus(toe).Plus(lift), 0.042, 0.035, c.dark},
		{p.hip, kneeA, 0.08, 0.065, c.suit},
		{kneeA, p.footA.Plus(lift), 0.065, 0.045, c.suit},
		{p.footA.Plus(lift), p.footA.Plus(toe).Plus(lift), 0.045, 0.036, c.trim},
		{p.hip, shoulder, 0.105, 0.13, c.suit},
		{p.hip.Plus(belt), p.hip.Minus(belt), 0.032, 0.032, c.trim},
		{head, head, headR, headR, c.skin},
		{shoulder, elbowA, 0.06, 0.052, c.suit},
		{elbowA, hand, 0.052, 0.05, c.trim},
	}
	return limbs, head, hand
}

// drawFigure draws a pose with its feet at the origin of the canvas, facing right.
func drawFigure(c *draw.Canvas, p *pose, col paint, plain bool) {
	limbs, head, hand := p.body(col)
	flip := func(q draw.Point) draw.Point { return draw.Point{X: q.X, Y: -q.Y} }
	if !plain {
		for _, l := range limbs {
			c.Capsule(flip(l.a), flip(l.b), l.ra+outline, l.rb+outline, look.Ink)
		}
	}
	drawBlade(c, flip(hand), p.blade, col, plain)
	for i, l := range limbs {
		c.Capsule(flip(l.a), flip(l.b), l.ra, l.rb, l.color)
		if i == 10 && !plain {
			drawFace(c, flip(head), p.lean+p.head, col)
		}
	}
}

// drawFace draws hair, band and eye.
func drawFace(c *draw.Canvas, at draw.Point, turn float32, col paint) {
	c.Push()
	c.Translate(at.X, at.Y)
	c.Rotate(turn)
	c.Capsule(draw.Point{X: -0.035, Y: -0.055}, draw.Point{X: 0.05, Y: -0.075}, 0.085, 0.05, look.Ink)
	c.Capsule(draw.Point{X: -0.1, Y: -0.02}, draw.Point{X: 0.09, Y: -0.045}, 0.026, 0.026, col.suit)
	c.Capsule(draw.Point{X: 0.06, Y: 0.01}, draw.Point{X: 0.06, Y: 0.03}, 0.017, 0.017, look.Ink)
	c.Pop()
}

func drawBlade(c *draw.Canvas, hand draw.Point, angle float32, col paint, plain bool) {
	c.Push()
	defer c.Pop()
	c.Translate(hand.X, hand.Y)
	c.Rotate(-angle)
	tip := []draw.Point{{X: 0.07, Y: -0.026}, {X: blade - 0.09, Y: -0.032}, {X: blade, Y: 0.004}, {X: blade - 0.06, Y: 0.026}, {X: 0.07, Y: 0.026}}
	if plain {
		c.Poly(tip, col.suit)
		return
	}
	c.Capsule(draw.Point{X: -0.1}, draw.Point{X: blade - 0.06}, 0.05, 0.055, look.Ink)
	c.Poly(tip, look.Paper, draw.RGB(0xCFE3FF), draw.RGB(0xFFFFFF), draw.RGB(0x9FB4D8), draw.RGB(0xB9C9E8))
	c.Capsule(draw.Point{X: -0.09}, draw.Point{X: 0.04}, 0.028, 0.028, col.dark)
	c.Capsule(draw.Point{X: 0.055, Y: -0.065}, draw.Point{X: 0.055, Y: 0.065}, 0.02, 0.02, look.Gold)
}

// drawScarf draws the scarf, in the units of the stage.
func (r *rig) drawScarf(c *draw.Canvas, col draw.Color) {
	for pass := range 2 {
		for i := scarfLinks - 1; i > 0; i-- {
			w := 0.05 - 0.003*float32(i)
			tint := col
			if pass == 0 {
				w, tint = w+0.02, look.Ink
			}
			c.Capsule(r.scarf[i-1], r.scarf[i], w, w, tint)
		}
	}
}

// draw draws the fighter, in the units of the stage, with its name above, if there is one.
func (r *rig) draw(c *draw.Canvas, color draw.Color, name string) {
	turn, shift := r.lie()
	r.drawShadow(c, shift)
	r.drawScarf(c, color)
	c.Push()
	c.Translate(r.m.x+shift.X, -r.m.y-shift.Y)
	c.Scale(r.m.facing*(1-r.squash*0.5), 1+r.squash)
	c.Translate(0, -0.1)
	c.Rotate(turn)
	c.Translate(0, 0.1)
	col := paintOf(color)
	if r.flash > 0 {
		white := look.Paper
		col = paint{col.suit.Mix(white, r.flash), col.dark.Mix(white, r.flash), col.skin.Mix(white, r.flash), col.trim.Mix(white, r.flash)}
	}
	r.drawTrail(c, color)
	drawFigure(c, &r.now, col, false)
	c.Pop()
	if r.fallen < 0 && name != "" {
		r.drawName(c, color, name)
	}
	if r.fallen < 0 && r.m.stun > 0 && !r.cheers {
		r.drawStars(c)
	}
}

func (r *rig) drawShadow(c *draw.Canvas, shift draw.Point) {
	high := min((r.m.y+shift.Y)/3, 1)
	c.Ellipse(draw.Point{X: r.m.x + shift.X, Y: 0.03}, 0.42-0.2*high, 0.06-0.03*high, draw.Color{A: 0.45 - 0.3*high})
}

// drawTrail draws the trail of the sword.
func (r *rig) drawTrail(c *draw.Canvas, color draw.Color) {
	t := r.m.swing
	if t < 0.8 || t > strikeEnds+4 || r.m.stun > 0 {
		return
	}
	fade := 1 - look.Smooth((t-strikeEnds)/4)
	from, to := float32(-2.1), float32(-2.1)+2.6*look.Smooth((t-0.6)/(strikeEnds-1.6))
	const pieces = 14
	at := draw.Point{X: 0.1, Y: -0.62}
	for i := range pieces {
		a, b := from+(to-from)*float32(i)/pieces, from+(to-from)*float32(i+1)/pieces
		strength := float32(i+1) / pieces
		glow := color.Mix(look.Paper, strength*0.8).Alpha(fade * strength * 0.75)
		outer, inner := float32(0.96), 0.96-0.34*strength
		c.Poly([]draw.Point{
			at.Plus(draw.Polar(a, outer)), at.Plus(draw.Polar(b, outer)),
			at.Plus(draw.Polar(b, inner)), at.Plus(draw.Polar(a, inner)),
		}, glow)
	}
}

// drawName writes the fighter's name above its head.
func (r *rig) drawName(c *draw.Canvas, color draw.Color, name string) {
	size := max(0.2, c.Least*c.Pixel())
	y := -r.m.y - 1.2 + look.Sin(r.phase*0.2)*0.01
	w := max(c.TextWidth(size, name)+0.16, 0.4)
	c.RoundRect(draw.Box{X: r.m.x - w/2, Y: y - 1.25*size, W: w, H: 1.3 * size}, 0.08, look.Ink.Alpha(0.8))
	c.Poly([]draw.Point{{X: r.m.x - 0.07, Y: y}, {X: r.m.x + 0.07, Y: y}, {X: r.m.x, Y: y + 0.1}}, look.Ink.Alpha(0.8))
	c.Text(draw.Point{X: r.m.x, Y: y - 0.25*size}, size, draw.Middle, color.Mix(look.Paper, 0.2), name)
}

// drawStars draws the stars that a fighter sees after being hit.
func (r *rig) drawStars(c *draw.Canvas) {
	for i := range 3 {
		a := r.m.stun*0.35 + float32(i)*2.1
		c.Circle(draw.Point{X: r.m.x + look.Cos(a)*0.24, Y: -r.m.y - 0.98 + look.Sin(a)*0.06}, 0.035, look.Gold)
	}
}
