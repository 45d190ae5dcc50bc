package duelview

import (
	"fmt"
	"math"
	"strings"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// bar is a health bar; late follows shown after a hit.
type bar struct{ shown, late, wait float32 }

func (b *bar) advance(share, dt float32) {
	if share < b.shown {
		b.wait = 0.45
	}
	if b.shown = share; b.late < share {
		b.late = share
	}
	if b.wait -= dt; b.wait <= 0 {
		b.late = look.Approach(b.late, share, 7, dt)
	}
}

// Score is what is shown in addition to the state.
type Score struct {
	Wins    [2]int
	Needed  int // wins needed for the match
	Seconds int // left in the round; negative means no limit
}

// DrawHud draws health, names and score over a part of a canvas.
func (v *View) DrawHud(c *draw.Canvas, box draw.Box, s Score) {
	c.Push()
	defer c.Pop()
	k := box.W / 1280
	if box.W < 800 {
		k = box.W / 860
	}
	c.Translate(box.X, box.Y)
	c.Scale(k, k)
	w := box.W / k
	length := w/2 - 24 - 64
	for p := range 2 {
		c.Push()
		if p == 1 {
			c.Translate(w, 0)
			c.Scale(-1, 1)
		}
		v.drawBar(c, p, length)
		v.drawPlate(c, p, length, s.Needed)
		for i := range s.Needed {
			at := draw.Point{X: 24 + length - 14 - 30*float32(i), Y: 78}
			c.Circle(at, 11, look.Ink.Alpha(0.7))
			if i < s.Wins[p] {
				c.Circle(at, 8, look.Gold)
			} else {
				c.Ring(at, 8, 2, look.Dim.Alpha(0.7))
			}
		}
		c.Pop()
	}
	v.drawNames(c, w)
	timer := "∞"
	if s.Seconds >= 0 {
		timer = fmt.Sprint(s.Seconds)
	}
	col := look.Paper
	if s.Seconds >= 0 && s.Seconds <= 10 {
		col = look.Red
	}
	c.RoundRect(draw.Box{X: w/2 - 46, Y: 18, W: 92, H: 62}, 12, look.Ink.Alpha(0.75))
	c.Text(draw.Point{X: w / 2, Y: 64}, 44, draw.Middle, col, timer)
}

// drawBar draws a bar from the outer edge on the left to the middle.
func (v *View) drawBar(c *draw.Canvas, p int, length float32) {
	b := &v.bars[p]
	slant := func(share0, share1, inset float32, col ...draw.Color) {
		x0, x1 := 24+length*(1-share1), 24+length*(1-share0)
		lean := float32(12)
		c.Poly([]draw.Point{{X: x0 + inset, Y: 24 + inset}, {X: x1 - inset, Y: 24 + inset}, {X: x1 + lean - inset, Y: 60 - inset}, {X: x0 + lean + inset, Y: 60 - inset}}, col...)
	}
	slant(0, 1, -3, look.Ink.Alpha(0.85))
	slant(0, 1, 2, draw.RGB(0x3A2238))
	if b.late > 0.005 {
		slant(0, b.late, 2, look.Paper)
	}
	if b.shown > 0 {
		col := v.Look.Player(p)
		if b.shown <= 0.25 && !v.Look.Still {
			col = col.Mix(look.Red, 0.5+0.5*look.Sin(v.time*9))
		}
		slant(0, b.shown, 2, col.Mix(look.Paper, 0.35), col.Mix(look.Paper, 0.35), col, col)
	}
}

// drawPlate draws the background behind a player's name and wins, because the stage's lanterns may
// be drawn there too.
func (v *View) drawPlate(c *draw.Canvas, p int, length float32, wins int) {
	c.RoundRect(draw.Box{X: 26, Y: 64, W: c.TextWidth(22, v.label(p)) + 16, H: 30}, 8, look.Ink.Alpha(0.6))
	if wins > 0 {
		width := 30*float32(wins) + 4
		c.RoundRect(draw.Box{X: 24 + length + 3 - width, Y: 64, W: width, H: 30}, 15, look.Ink.Alpha(0.6))
	}
}

// label returns a player's name and health, with the name on the outside.
func (v *View) label(p int) string {
	if p == 1 {
		return fmt.Sprintf("%d  %s", v.state.P[p].Hp, v.Look.Names[p])
	}
	return fmt.Sprintf("%s  %d", v.Look.Names[p], v.state.P[p].Hp)
}

func (v *View) drawNames(c *draw.Canvas, w float32) {
	for p, align := range []draw.Align{draw.Left, draw.Right} {
		x, text := 34+float32(p)*(w-68), v.label(p)
		c.Text(draw.Point{X: x + 1, Y: 87}, 22, align, look.Ink, text)
		c.Text(draw.Point{X: x, Y: 86}, 22, align, v.Look.Player(p).Mix(look.Paper, 0.4), text)
	}
}

// Low reports whether a fighter loses with the next hit.
func (v *View) Low(p int) bool { return v.state.P[p&1].Hp <= duel.AttackDamage }

// DrawBanner writes a large text across a part of a canvas; age is how many seconds ago it appeared.
func DrawBanner(c *draw.Canvas, box draw.Box, title, sub string, age float32, col draw.Color) {
	c.Mirror.Live(strings.TrimSpace(title + " " + sub))
	in := look.Smooth(age / 0.16)
	size := box.H * 0.17 * (1.6 - 0.6*in)
	if w := c.TextWidth(size, title); w > box.W*0.9 {
		size *= box.W * 0.9 / w
	}
	at := draw.Point{X: box.X + box.W/2, Y: box.Y + box.H*0.46}
	c.Push()
	defer c.Pop()
	c.Fade(in)
	drawDusk(c, draw.Box{X: box.X, Y: at.Y - size*1.15, W: box.W, H: size * 1.9})
	c.Translate(at.X, at.Y)
	c.Skew(0.18)
	c.Text(draw.Point{X: size * 0.04, Y: size * 0.05}, size, draw.Middle, look.Ink, title)
	c.Text(draw.Point{}, size, draw.Middle, col, title)
	if sub != "" {
		c.Text(draw.Point{Y: size * 0.42}, size*0.24, draw.Middle, look.Paper, sub)
	}
}

// drawDusk darkens a band, most in its middle, without visible lines.
func drawDusk(c *draw.Canvas, box draw.Box) {
	const parts = 12
	var stops [parts + 1]draw.Stop
	for i := range stops {
		at := float32(i) / parts
		stops[i] = draw.Stop{At: at, Col: look.Ink.Alpha(0.25 * (1 - look.Sin(2*math.Pi*at+math.Pi/2)))}
	}
	c.ShadeBy(box, stops[:]...)
}
