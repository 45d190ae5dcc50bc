package tanksview

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// ranking returns the players who are present, or have a score, best first, in the order used for the result of a
// match.
func (v *View) ranking() []int {
	var list []int
	for p := range v.known.Tanks {
		if t := v.score(p); t.Stance != tanks.Absent || t.Kills+t.Deaths > 0 && v.Names[p] != "" {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		s, t := v.score(a), v.score(b)
		return cmp.Or(cmp.Compare(t.Kills, s.Kills), cmp.Compare(s.Deaths, t.Deaths))
	})
	return list
}

// score returns a tank with its known score, not the predicted one.
func (v *View) score(p int) *tanks.Tank {
	if v.over {
		return &v.now.Tanks[p]
	}
	return &v.known.Tanks[p]
}

// DrawHud draws the map, the time, the scores and the state of the player's own tank over a part of a canvas.
func (v *View) DrawHud(c *draw.Canvas, box draw.Box) {
	list := v.ranking()
	board := draw.Box{X: box.X + box.W - boardWidth - 14, Y: box.Y + 14, W: boardWidth}
	if v.Mine == 0 { // the whole field is shown, with the figures beside it
		v.drawTime(c, board.Centre().X, board.Y)
		board.Y += 60
		v.drawBoard(c, board, list)
		return
	}
	v.drawMap(c, draw.Box{X: box.X + 14, Y: box.Y + 14, W: 192, H: 128})
	v.drawTime(c, box.Centre().X, box.Y+14)
	if len(list) > shortBoard {
		list = v.short(list)
	}
	v.drawBoard(c, board, list)
	for p := range v.Mine.All() {
		if int(p) < len(v.bodies) && v.Mine.Len() == 1 {
			v.drawOwn(c, int(p), box)
		}
	}
}

// boardWidth is the width of the scores.
const boardWidth = 212

// shortBoard is how many scores are shown during play.
const shortBoard = 6

// short returns the best players, and those on this machine.
func (v *View) short(list []int) []int {
	out := slices.Clone(list[:shortBoard])
	for _, p := range list[shortBoard:] {
		if v.Mine.Has(tickback.Player(p)) {
			out = append(out, p)
		}
	}
	return out
}

// DrawScores draws all scores in the middle of a part of a canvas, as after a match.
func (v *View) DrawScores(c *draw.Canvas, box draw.Box) {
	list := v.ranking()
	w := float32(420)
	h := float32(len(list))*rowHeight + 12
	v.drawBoard(c, draw.Box{X: box.X + (box.W-w)/2, Y: box.Y + max((box.H-h)/2, 0), W: w}, list)
}

const rowHeight = 24

// drawBoard draws a table of scores: destroyed enemies, and losses.
func (v *View) drawBoard(c *draw.Canvas, box draw.Box, list []int) {
	if len(list) == 0 {
		return
	}
	box.H = float32(len(list))*rowHeight + 12
	c.RoundRect(box, 8, look.Ink.Alpha(0.78))
	all := v.ranking()
	for i, p := range list {
		t := v.score(p)
		y := box.Y + 6 + float32(i)*rowHeight
		if v.Mine.Has(tickback.Player(p)) {
			c.RoundRect(draw.Box{X: box.X + 4, Y: y, W: box.W - 8, H: rowHeight}, 5, v.Colour(p).Alpha(0.22))
		}
		c.Text(draw.Point{X: box.X + 26, Y: y + 17}, 14, draw.Right, look.Dim, fmt.Sprint(slices.Index(all, p)+1))
		c.Circle(draw.Point{X: box.X + 39, Y: y + 12}, 5, v.Colour(p))
		col := look.Paper
		if t.Stance == tanks.Absent {
			col = look.Dim
		}
		room := box.W - 54 - 66
		name, size := v.name(p), float32(16)
		if w := c.TextWidth(size, name); w > room {
			size *= room / w
		}
		c.Text(draw.Point{X: box.X + 52, Y: y + 17}, size, draw.Left, col, name)
		c.Text(draw.Point{X: box.X + box.W - 42, Y: y + 17}, 16, draw.Right, look.Gold, fmt.Sprint(t.Kills))
		c.Text(draw.Point{X: box.X + box.W - 12, Y: y + 17}, 16, draw.Right, look.Dim, fmt.Sprint(t.Deaths))
	}
}

// drawTime draws the remaining time, with the middle of its upper edge at a point.
func (v *View) drawTime(c *draw.Canvas, x, y float32) {
	text := words.T("endless")
	if v.now.EndsAt != 0 {
		left := (max(int64(v.now.EndsAt)-int64(v.now.Frame), 0) + tanks.TicksPerSecond - 1) / tanks.TicksPerSecond
		text = fmt.Sprintf("%d:%02d", left/60, left%60)
	}
	col := look.Paper
	if v.now.EndsAt != 0 && v.now.EndsAt-min(v.now.Frame, v.now.EndsAt) < 10*tanks.TicksPerSecond {
		col = look.Red
	}
	w := c.TextWidth(30, text) + 36
	c.RoundRect(draw.Box{X: x - w/2, Y: y, W: w, H: 46}, 12, look.Ink.Alpha(0.75))
	c.Text(draw.Point{X: x, Y: y + 33}, 30, draw.Middle, col, text)
}

// drawMap draws the whole field, small.
func (v *View) drawMap(c *draw.Canvas, box draw.Box) {
	c.RoundRect(box.Inset(-4), 8, look.Ink.Alpha(0.78))
	k := box.W / (2 * tanks.HalfWidth)
	at := func(p draw.Point) draw.Point {
		return draw.Point{X: box.X + box.W/2 + p.X*k, Y: box.Y + box.H/2 + p.Y*k}
	}
	for i := range tanks.Walls {
		w := tanks.WallAt(i)
		corner := at(draw.Point{X: float32(w.X - w.HalfX), Y: float32(w.Y - w.HalfY)})
		c.Rect(draw.Box{X: corner.X, Y: corner.Y, W: 2 * float32(w.HalfX) * k, H: 2 * float32(w.HalfY) * k}, draw.RGB(0x5566C2).Alpha(0.8))
	}
	for p := range v.bodies {
		b := &v.bodies[p]
		if b.stance != tanks.Alive {
			continue
		}
		if v.Mine.Has(tickback.Player(p)) {
			c.Circle(at(b.at), 5, look.Paper)
		}
		c.Circle(at(b.at), 3.4, v.Colour(p))
	}
}

// Destroyed reports whether one of our own tanks waits for its next life.
func (v *View) Destroyed() bool {
	for p := range v.Mine.All() {
		if int(p) < len(v.now.Tanks) && v.now.Tanks[p].Stance == tanks.Out {
			return true
		}
	}
	return false
}

// drawOwn draws health and gun of our own tank, or the time until its next life.
func (v *View) drawOwn(c *draw.Canvas, p int, box draw.Box) {
	t := &v.now.Tanks[p]
	panel := draw.Box{X: box.X + box.W/2 - 130, Y: box.Y + box.H - 52, W: 260, H: 38}
	switch t.Stance {
	case tanks.Alive:
		c.RoundRect(panel, 10, look.Ink.Alpha(0.75))
		track := draw.Box{X: panel.X + 14, Y: panel.Y + 9, W: panel.W - 28, H: 10}
		c.RoundRect(track, 5, draw.RGB(0x2A2140))
		col := v.Colour(p)
		if t.Hp <= tanks.ShotDamage {
			col = look.Red
		}
		if share := max(float32(t.Hp)/tanks.FullHp, 0); share > 0 {
			c.RoundRect(draw.Box{X: track.X, Y: track.Y, W: max(track.W*share, 6), H: track.H}, 5, col)
		}
		gun := draw.Box{X: track.X, Y: track.Y + 15, W: track.W, H: 5}
		c.RoundRect(gun, 2.5, draw.RGB(0x2A2140))
		c.RoundRect(draw.Box{X: gun.X, Y: gun.Y, W: max(gun.W*(1-float32(t.Reload)/tanks.ReloadTicks), 4), H: gun.H}, 2.5, look.Gold)
	case tanks.Out:
		if v.over {
			return
		}
		left := (int(t.RespawnIn) + tanks.TicksPerSecond - 1) / tanks.TicksPerSecond
		c.RoundRect(panel, 10, look.Ink.Alpha(0.75))
		c.Text(draw.Point{X: panel.X + panel.W/2, Y: panel.Y + 26}, 21, draw.Middle, look.Red, words.F("Destroyed. Back in %d s", max(left, 1)))
	}
}
