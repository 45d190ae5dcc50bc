package tanksview

import (
	"fmt"
	"math"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// barrel is the distance of the muzzle from the middle of a tank.
const barrel = 25

// name returns a player's name.
func (v *View) name(p int) string {
	if v.Names[p] != "" {
		return v.Names[p]
	}
	return fmt.Sprintf("P%d", p+1)
}

// Colour returns a player's colour. The second eight players have those of the first, paler.
func (v *View) Colour(p int) draw.Color {
	c := v.Look.Player(p)
	if p >= len(v.Look.Palette.Players) {
		c = c.Mix(look.Paper, 0.5)
	}
	return c
}

// Draw draws the field into a part of a canvas.
func (v *View) Draw(c *draw.Canvas, box draw.Box) {
	v.camera.aspect, v.camera.column = box.W/box.H, (boardWidth+28)/box.W
	around := v.Around
	if around.W == 0 {
		around = box
	}
	c.Shade(around, draw.RGB(0x0B1026), draw.RGB(0x141B3C))
	if v.camera.width == 0 {
		return
	}
	sx, sy := v.shake.Offset()
	k := box.W / v.camera.width
	c.Push()
	c.World()
	c.Translate(box.X+box.W/2+sx*box.W*0.008, box.Y+box.H/2+sy*box.W*0.008)
	c.Scale(k, k)
	c.Translate(-v.camera.at.X, -v.camera.at.Y)
	drawFloor(c)
	for p := range v.bodies {
		if v.bodies[p].stance == tanks.Out {
			v.drawWreck(c, p)
		}
	}
	v.drawShots(c)
	for p := range v.bodies {
		if v.bodies[p].stance == tanks.Alive {
			v.drawTank(c, p)
		}
	}
	drawWalls(c)
	v.flies.Draw(c)
	for p := range v.bodies {
		if v.bodies[p].stance == tanks.Alive {
			v.drawPlate(c, p, k)
		}
	}
	c.Pop()
}

func drawFloor(c *draw.Canvas) {
	field := draw.Box{X: -tanks.HalfWidth, Y: -tanks.HalfHeight, W: 2 * tanks.HalfWidth, H: 2 * tanks.HalfHeight}
	c.RoundRect(field.Inset(-22), 26, draw.RGB(0x05070F))
	c.RoundRect(field.Inset(-16), 22, draw.RGB(0x4C5FB8))
	c.Shade(field, draw.RGB(0x232B57), draw.RGB(0x191F42))
	line := draw.RGB(0x3A4788).Alpha(0.45)
	for x := float32(-tanks.HalfWidth); x <= tanks.HalfWidth; x += 80 {
		c.Line(draw.Point{X: x, Y: -tanks.HalfHeight}, draw.Point{X: x, Y: tanks.HalfHeight}, 1.5, line)
	}
	for y := float32(-tanks.HalfHeight); y <= tanks.HalfHeight; y += 80 {
		c.Line(draw.Point{X: -tanks.HalfWidth, Y: y}, draw.Point{X: tanks.HalfWidth, Y: y}, 1.5, line)
	}
	for i := range tanks.Spawns {
		c.Ring(point(tanks.SpawnAt(i).Vec()), 24, 2, draw.RGB(0x5C6FD0).Alpha(0.35))
	}
}

func drawWalls(c *draw.Canvas) {
	for i := range tanks.Walls {
		w := tanks.WallAt(i)
		b := draw.Box{X: float32(w.X - w.HalfX), Y: float32(w.Y - w.HalfY), W: 2 * float32(w.HalfX), H: 2 * float32(w.HalfY)}
		shadow := b
		shadow.X, shadow.Y = b.X+7, b.Y+11
		c.RoundRect(shadow, 8, draw.Color{A: 0.35})
		c.RoundRect(b, 6, draw.RGB(0x3B4A94))
		c.RoundRect(b.Inset(4), 5, draw.RGB(0x5566C2))
		top := b.Inset(9)
		c.RoundRect(top, 4, draw.RGB(0x6175D6))
		for x := top.X + 48; x < top.X+top.W-8; x += 48 {
			c.Line(draw.Point{X: x, Y: top.Y}, draw.Point{X: x, Y: top.Y + top.H}, 1.5, draw.RGB(0x4A5AB0))
		}
		for y := top.Y + 48; y < top.Y+top.H-8; y += 48 {
			c.Line(draw.Point{X: top.X, Y: y}, draw.Point{X: top.X + top.W, Y: y}, 1.5, draw.RGB(0x4A5AB0))
		}
	}
}

func (v *View) drawShots(c *draw.Canvas) {
	for i := range v.shots {
		s := &v.shots[i]
		col := v.Colour(s.player)
		c.Capsule(s.tail, s.at, 0.6, tanks.ShotRadius, col.Alpha(0.4))
		c.Glow(s.at, tanks.ShotRadius*3.4, col.Alpha(0.6))
		c.Circle(s.at, tanks.ShotRadius, col.Mix(look.Paper, 0.3))
		c.Circle(s.at, tanks.ShotRadius*0.55, look.Paper)
	}
}

// drawTank draws a living tank, from above.
func (v *View) drawTank(c *draw.Canvas, p int) {
	b := &v.bodies[p]
	const r = tanks.TankRadius
	col := v.Colour(p).Mix(look.Paper, b.flash)
	if v.Mine.Has(tickback.Player(p)) {
		c.Glow(b.at, r*2.6, v.Colour(p).Alpha(0.35))
	}
	c.Push()
	defer c.Pop()
	c.Translate(b.at.X, b.at.Y)
	if b.fresh < 0.3 && !v.Look.Still {
		k := look.Smooth(b.fresh / 0.3)
		c.Scale(k, k)
	}
	c.Push()
	c.Translate(3, 5)
	c.Rotate(b.heading)
	c.RoundRect(draw.Box{X: -r - 1, Y: -r, W: 2*r + 2, H: 2 * r}, 5, draw.Color{A: 0.4})
	c.Pop()
	c.Rotate(b.heading)
	v.drawHull(c, col, b.rolled)
	c.Circle(draw.Point{X: -1}, r*0.58, look.Ink)
	back := b.recoil * b.recoil * 6
	c.Capsule(draw.Point{X: 4 - back}, draw.Point{X: barrel - back}, 4.4, 3.8, look.Ink)
	c.Capsule(draw.Point{X: 4 - back}, draw.Point{X: barrel - 1 - back}, 2.8, 2.3, col.Mix(look.Paper, 0.35))
	c.Circle(draw.Point{X: -1}, r*0.48, col.Mix(look.Paper, 0.25))
	c.Circle(draw.Point{X: -2.5, Y: -2}, r*0.22, look.Paper.Alpha(0.5))
	if p >= len(v.Look.Palette.Players) {
		c.Line(draw.Point{X: -r + 2}, draw.Point{X: -r * 0.55}, 4, look.Ink)
	}
}

// drawHull draws the tracks, which roll, and the hull.
func (v *View) drawHull(c *draw.Canvas, col draw.Color, rolled float32) {
	const r = tanks.TankRadius
	for _, side := range []float32{-1, 1} {
		track := draw.Box{X: -r - 1, Y: side*r*0.78 - 4.5, W: 2*r + 2, H: 9}
		c.RoundRect(track, 4, look.Ink)
		for i := range 6 {
			x := float32(math.Mod(float64(rolled)+float64(i)*6, 34))
			if x < 0 {
				x += 34
			}
			c.Line(draw.Point{X: r - x, Y: track.Y + 1.5}, draw.Point{X: r - x, Y: track.Y + track.H - 1.5}, 1.6, look.Dim.Alpha(0.55))
		}
	}
	hull := draw.Box{X: -r + 1, Y: -r * 0.66, W: 2*r - 3, H: r * 1.32}
	c.RoundRect(hull.Inset(-1.6), 5, look.Ink)
	c.RoundRect(hull, 4, col.Shade(0.78))
	c.RoundRect(hull.Inset(2.5), 3, col)
}

// drawWreck draws the wreck of a tank.
func (v *View) drawWreck(c *draw.Canvas, p int) {
	b := &v.bodies[p]
	const r = tanks.TankRadius
	c.Push()
	defer c.Pop()
	c.Translate(b.at.X, b.at.Y)
	c.Circle(draw.Point{}, r*1.3, draw.RGB(0x05070F).Alpha(0.45))
	c.Rotate(b.heading)
	v.drawHull(c, v.Colour(p).Mix(draw.RGB(0x14172B), 0.78), 0)
	c.Line(draw.Point{X: -7, Y: -6}, draw.Point{X: 7, Y: 6}, 3, look.Ink)
	c.Line(draw.Point{X: 7, Y: -6}, draw.Point{X: -7, Y: 6}, 3, look.Ink)
	if glow := 1 - b.gone/1.6; glow > 0 {
		c.Glow(draw.Point{}, r*1.6, draw.RGB(0xFF9447).Alpha(0.6*glow))
	}
}

// drawPlate writes name and health over a tank. k is the number of pixels per unit: texts keep their size.
func (v *View) drawPlate(c *draw.Canvas, p int, k float32) {
	b := &v.bodies[p]
	size := max(13/k, 13)
	at := b.at.Minus(draw.Point{Y: tanks.TankRadius + 16})
	bar := draw.Box{X: at.X - 20, Y: at.Y, W: 40, H: 5}
	c.RoundRect(bar.Inset(-1.5), 3, look.Ink.Alpha(0.8))
	if b.late > 0.01 {
		c.RoundRect(draw.Box{X: bar.X, Y: bar.Y, W: bar.W * b.late, H: bar.H}, 2.5, look.Paper)
	}
	col := v.Colour(p)
	if b.tank.Hp <= tanks.ShotDamage {
		col = look.Red
	}
	if b.health > 0 {
		c.RoundRect(draw.Box{X: bar.X, Y: bar.Y, W: bar.W * b.health, H: bar.H}, 2.5, col)
	}
	name := v.name(p)
	c.Text(at.Plus(draw.Point{X: 1, Y: -4}), size, draw.Middle, look.Ink, name)
	c.Text(at.Plus(draw.Point{Y: -5}), size, draw.Middle, v.Colour(p).Mix(look.Paper, 0.35), name)
}
