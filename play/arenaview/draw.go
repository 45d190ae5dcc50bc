package arenaview

import (
	"fmt"
	"math"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// Draw draws the arena into a part of a canvas.
func (v *View) Draw(c *draw.Canvas, box draw.Box) {
	v.aspect = box.W / box.H
	around := v.Around
	if around.W == 0 {
		around = box
	}
	c.Shade(around, draw.RGB(0x0B1026), draw.RGB(0x141B3C))
	if v.width == 0 {
		return
	}
	sx, sy := v.shake.Offset()
	k := box.W / v.width
	c.Push()
	c.World()
	c.Translate(box.X+box.W/2+sx*box.W*0.01, box.Y+box.H*0.545+sy*box.W*0.01)
	c.Scale(k, k)
	c.Translate(-v.cam.X, -v.cam.Y)
	v.drawFloor(c)
	v.drawPickups(c)
	v.drawShots(c)
	for p := range v.Players {
		if v.now.Fighters[p].Stance == arena.Standing {
			v.drawBody(c, p)
		}
	}
	v.flies.Draw(c)
	for p := range v.Players {
		if v.now.Fighters[p].Stance == arena.Standing {
			v.drawPlate(c, p)
		}
	}
	c.Pop()
	v.drawMarks(c, box, k)
}

func (v *View) drawFloor(c *draw.Canvas) {
	field := draw.Box{X: -halfWidth, Y: -halfHeight, W: 2 * halfWidth, H: 2 * halfHeight}
	c.RoundRect(field.Inset(-0.5), 0.7, draw.RGB(0x05070F))
	c.RoundRect(field.Inset(-0.35), 0.6, draw.RGB(0x4C5FB8))
	c.Shade(field, draw.RGB(0x232B57), draw.RGB(0x191F42))
	for x := -halfWidth; x <= halfWidth; x += 2 {
		c.Line(draw.Point{X: x, Y: -halfHeight}, draw.Point{X: x, Y: halfHeight}, 0.04, draw.RGB(0x3A4788).Alpha(0.5))
	}
	for y := -halfHeight + 1; y <= halfHeight; y += 2 {
		c.Line(draw.Point{X: -halfWidth, Y: y}, draw.Point{X: halfWidth, Y: y}, 0.04, draw.RGB(0x3A4788).Alpha(0.5))
	}
	c.Ring(draw.Point{}, 3, 0.08, draw.RGB(0x5C6FD0).Alpha(0.6))
	c.Circle(draw.Point{}, 0.3, draw.RGB(0x5C6FD0).Alpha(0.6))
	for _, p := range arena.Pillars() {
		at := point(p)
		c.Circle(at.Plus(draw.Point{X: 0.15, Y: 0.25}), pillarRadius, draw.Color{A: 0.4})
		c.Circle(at, pillarRadius, draw.RGB(0x3B4A94))
		c.Circle(at.Minus(draw.Point{X: 0.08, Y: 0.12}), pillarRadius*0.82, draw.RGB(0x6175D6))
		c.Circle(at.Minus(draw.Point{X: 0.12, Y: 0.18}), pillarRadius*0.55, draw.RGB(0x7F92EE))
	}
}

func (v *View) drawPickups(c *draw.Canvas) {
	for i, item := range v.now.Pickups {
		if item.Kind == arena.Nothing {
			continue
		}
		if item.Life < 2*arena.TicksPerSecond && item.Life/8%2 == 0 {
			continue // it blinks before it disappears
		}
		at := point(arena.SpotAt(i))
		at.Y += look.Sin(v.time*4+float32(i)) * 0.08
		r := number(arena.PickupRadius) * 1.15
		col, sign := look.Green, "+"
		switch item.Kind {
		case arena.Rapid:
			col, sign = look.Gold, "»"
		case arena.Big:
			col, sign = draw.RGB(0xFF7AD9), "●"
		}
		c.Glow(at, r*2.4, col.Alpha(0.45))
		c.Circle(at, r, look.Ink)
		c.Circle(at, r*0.86, col)
		if item.Kind == arena.Big {
			c.Circle(at, r*0.4, look.Ink)
			continue
		}
		c.Text(at.Plus(draw.Point{Y: r * 0.55}), r*1.7, draw.Middle, look.Ink, sign)
	}
}

func (v *View) drawShots(c *draw.Canvas) {
	for p := range v.Players {
		col := v.Look.Player(p)
		for i := range v.now.Shots[p] {
			s := &v.now.Shots[p][i]
			if s.Life <= 0 {
				continue
			}
			at := point(s.Pos)
			if was := &v.prev.Shots[p][i]; was.Life > 0 && was.Serial == s.Serial {
				at = point(was.Pos).Toward(at, v.share)
			}
			r := number(s.Radius())
			c.Capsule(at.Minus(point(s.Vel).Times(4)), at, r*0.1, r, col.Alpha(0.35))
			c.Glow(at, r*3.2, col.Alpha(0.6))
			c.Circle(at, r, col.Mix(look.Paper, 0.25))
			c.Circle(at, r*0.55, look.Paper)
		}
	}
}

func (v *View) drawBody(c *draw.Canvas, p int) {
	b, f := &v.bodies[p], &v.now.Fighters[p]
	col := v.Look.Player(p)
	r := fighterRadius
	c.Circle(b.at.Plus(draw.Point{X: 0.1, Y: 0.18}), r, draw.Color{A: 0.4})
	c.Push()
	c.Translate(b.at.X, b.at.Y)
	c.Rotate(b.aim)
	speed := min(b.speed.Length()*1.2, 0.3)
	c.Push()
	c.Scale(1+speed, 1-speed*0.6)
	stride := look.Sin(v.time*22) * min(b.speed.Length()*3, 0.28)
	for _, side := range []float32{-1, 1} {
		c.Capsule(draw.Point{X: -0.1 + stride*side, Y: 0.42 * side * r / 0.6}, draw.Point{X: 0.16 + stride*side, Y: 0.42 * side * r / 0.6}, 0.17, 0.15, look.Ink)
	}
	c.Circle(draw.Point{}, r+0.05, look.Ink)
	c.Circle(draw.Point{}, r, col.Mix(look.Paper, b.flash).Shade(0.8))
	c.Circle(draw.Point{X: -0.06, Y: -0.06}, r*0.78, col.Mix(look.Paper, b.flash))
	c.Capsule(draw.Point{X: 0.22, Y: -0.2}, draw.Point{X: 0.22, Y: 0.2}, 0.13, 0.13, look.Ink)
	for _, side := range []float32{-1, 1} {
		if f.Stun > 0 {
			c.Line(draw.Point{X: 0.17, Y: side*0.16 - 0.06}, draw.Point{X: 0.29, Y: side*0.16 + 0.06}, 0.05, look.Paper)
			c.Line(draw.Point{X: 0.29, Y: side*0.16 - 0.06}, draw.Point{X: 0.17, Y: side*0.16 + 0.06}, 0.05, look.Paper)
			continue
		}
		c.Circle(draw.Point{X: 0.24, Y: side * 0.16}, 0.075, look.Paper)
	}
	c.Pop()
	c.Capsule(draw.Point{X: r * 0.8}, draw.Point{X: r + 0.32}, 0.13, 0.1, look.Ink)
	c.Capsule(draw.Point{X: r * 0.8}, draw.Point{X: r + 0.28}, 0.08, 0.06, look.Paper)
	if f.Charge > 1 {
		share := float32(f.Charge-1) / arena.FullCharge
		at := draw.Point{X: r + 0.5}
		c.Glow(at, 0.5+share*0.7, col.Mix(look.Paper, 0.4).Alpha(0.5+share*0.4))
		c.Circle(at, 0.08+0.2*share, look.Paper)
	}
	c.Pop()
	v.drawShield(c, b, f, col)
}

func (v *View) drawShield(c *draw.Canvas, b *body, f *arena.Fighter, col draw.Color) {
	r := fighterRadius + 0.28
	share := float32(f.Energy) / arena.FullEnergy
	if f.Guard == arena.Raised {
		c.Glow(b.at, r*1.5, col.Alpha(0.35))
		c.Circle(b.at, r, col.Alpha(0.22))
		c.Ring(b.at, r, 0.09, col.Mix(look.Paper, 0.5).Alpha(0.9))
	}
	if share < 1 {
		ring := look.Dim
		if f.Guard == arena.Broken {
			ring = look.Red
		}
		c.Arc(b.at, r+0.14, 0.07, -math.Pi/2, -math.Pi/2+2*math.Pi*max(share, 0.01), ring.Alpha(0.8))
	}
}

// drawPlate writes name and health over a fighter.
func (v *View) drawPlate(c *draw.Canvas, p int) {
	b := &v.bodies[p]
	at := b.at.Minus(draw.Point{Y: fighterRadius + 0.62})
	bar := draw.Box{X: at.X - 0.75, Y: at.Y, W: 1.5, H: 0.16}
	c.RoundRect(bar.Inset(-0.05), 0.1, look.Ink.Alpha(0.8))
	if b.late > 0.01 {
		c.RoundRect(draw.Box{X: bar.X, Y: bar.Y, W: bar.W * b.late, H: bar.H}, 0.08, look.Paper)
	}
	if b.health > 0 {
		col := v.Look.Player(p)
		if b.health*arena.FullHp <= arena.LowHp {
			col = look.Red
		}
		c.RoundRect(draw.Box{X: bar.X, Y: bar.Y, W: bar.W * b.health, H: bar.H}, 0.08, col)
	}
	c.Text(at.Plus(draw.Point{X: 0.02, Y: -0.11}), 0.46, draw.Middle, look.Ink, v.Look.Names[p])
	c.Text(at.Plus(draw.Point{Y: -0.13}), 0.46, draw.Middle, v.Look.Player(p).Mix(look.Paper, 0.3), v.Look.Names[p])
}

// drawMarks points at fighters that are outside of the picture.
func (v *View) drawMarks(c *draw.Canvas, box draw.Box, k float32) {
	view := box.Inset(26)
	view.Y, view.H = view.Y+70, view.H-70
	edges := view
	edges.H -= 30 // the time is below
	middle := draw.Point{X: box.X + box.W/2, Y: box.Y + box.H*0.545}
	for p := range v.Players {
		if v.now.Fighters[p].Stance != arena.Standing {
			continue
		}
		at := middle.Plus(v.bodies[p].at.Minus(v.cam).Times(k))
		if view.Inset(-20).Has(at) {
			continue
		}
		edge := draw.Point{X: min(max(at.X, edges.X), edges.X+edges.W), Y: min(max(at.Y, edges.Y), edges.Y+edges.H)}
		d := at.Minus(edge)
		angle := float32(math.Atan2(float64(d.Y), float64(d.X)))
		c.Push()
		c.World() // two fighters may be in one direction
		c.Translate(edge.X, edge.Y)
		c.Push()
		c.Rotate(angle)
		c.Poly([]draw.Point{{X: 24}, {X: 8, Y: -15}, {X: 8, Y: 15}}, v.Look.Player(p))
		c.Pop()
		c.Circle(draw.Point{}, 17, look.Ink)
		c.Circle(draw.Point{}, 14, v.Look.Player(p))
		c.Text(draw.Point{Y: 7}, 20, draw.Middle, look.Ink, fmt.Sprint(p+1))
		c.Pop()
	}
}

// DrawHud draws all scores along the top of a part of a canvas.
func (v *View) DrawHud(c *draw.Canvas, box draw.Box) {
	gap := float32(8)
	w := min((box.W-40-gap*float32(v.Players-1))/float32(v.Players), 210)
	x := box.X + (box.W-w*float32(v.Players)-gap*float32(v.Players-1))/2
	for p := range v.Players {
		v.drawCard(c, p, draw.Box{X: x + float32(p)*(w+gap), Y: box.Y + 10, W: w, H: 52})
	}
	if v.now.Phase == arena.Fighting {
		left := (arena.RoundTicks - int(v.now.PhaseTicks) + arena.TicksPerSecond - 1) / arena.TicksPerSecond
		text := words.F("round %d   %d s", v.now.Round, left)
		w := c.TextWidth(18, text) + 28
		c.RoundRect(draw.Box{X: box.X + (box.W-w)/2, Y: box.Y + box.H - 34, W: w, H: 28}, 14, look.Ink.Alpha(0.85))
		c.Text(draw.Point{X: box.X + box.W/2, Y: box.Y + box.H - 14}, 18, draw.Middle, look.Paper, text)
	}
}

func (v *View) drawCard(c *draw.Canvas, p int, card draw.Box) {
	f, col := &v.now.Fighters[p], v.Look.Player(p)
	c.Push()
	defer c.Pop()
	if f.Stance != arena.Standing {
		c.Fade(0.5)
	}
	c.RoundRect(card, 8, look.Ink.Alpha(0.8))
	c.Rect(draw.Box{X: card.X, Y: card.Y + 6, W: 5, H: card.H - 12}, col)
	c.Text(draw.Point{X: card.X + 14, Y: card.Y + 21}, 18, draw.Left, look.Paper, v.Look.Names[p])
	for i := range arena.WinsToMatch {
		at := draw.Point{X: card.X + card.W - 14 - float32(i)*17, Y: card.Y + 15}
		if i < int(f.Wins) {
			c.Circle(at, 6, look.Gold)
		} else {
			c.Ring(at, 5.5, 1.5, look.Dim)
		}
	}
	track := draw.Box{X: card.X + 14, Y: card.Y + 30, W: card.W - 26, H: 12}
	c.RoundRect(track, 6, draw.RGB(0x2A2140))
	if share := v.bodies[p].health; share > 0 && f.Stance == arena.Standing {
		c.RoundRect(draw.Box{X: track.X, Y: track.Y, W: max(track.W*share, 6), H: track.H}, 6, col)
	}
}
