package skirmishview

import (
	"image/color"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// minimap is the whole map as a small picture, repainted a few times a second.
type minimap struct {
	sheet *draw.Sheet
	empty []uint8 // the map without units
	wait  float32
	size  int // the size of the map
}

// minimapPixels is how many pixels it has along each side, and minimapEvery is the time between two paintings, in
// seconds.
const (
	minimapPixels = 160
	minimapEvery  = 0.2
)

func newMinimap(g *ground) *minimap {
	m := &minimap{sheet: draw.NewSheet(minimapPixels, minimapPixels), size: g.size}
	for y := range minimapPixels {
		for x := range minimapPixels {
			rgb := soils[g.at(x*g.size/minimapPixels, y*g.size/minimapPixels)]
			m.sheet.Image.SetRGBA(x, y, color.RGBA{uint8(rgb[0] * 7 / 10), uint8(rgb[1] * 7 / 10), uint8(rgb[2] * 7 / 10), 255})
		}
	}
	m.empty = append(m.empty, m.sheet.Image.Pix...)
	return m
}

// advance paints the map again, if it is time.
func (m *minimap) advance(dt float32, l *look.Look, units []Unit, buildings []Building) {
	if m.wait -= dt; m.wait > 0 {
		return
	}
	m.wait = minimapEvery
	copy(m.sheet.Image.Pix, m.empty)
	var cols [skirmish.MaxPlayers]color.RGBA
	for p := range cols {
		c := l.Player(p)
		cols[p] = color.RGBA{uint8(c.R * 255), uint8(c.G * 255), uint8(c.B * 255), 255}
	}
	for i := range units {
		u := &units[i]
		m.dot(u.At, 0, cols[u.Side])
	}
	for i := range buildings {
		b := &buildings[i]
		col := color.RGBA{255, 200, 87, 255}
		if b.Place.Side != skirmish.Nobody {
			col = cols[b.Place.Side]
		}
		if b.Place.Structure == skirmish.Keep {
			m.dot(b.Box().Centre(), 4, color.RGBA{14, 16, 32, 255})
			m.dot(b.Box().Centre(), 3, col)
		} else if b.Place.Structure != skirmish.Wall {
			m.dot(b.Box().Centre(), 2, color.RGBA{14, 16, 32, 255})
			m.dot(b.Box().Centre(), 1, col)
		}
	}
	m.sheet.Changed = true
}

// dot paints a square around a place.
func (m *minimap) dot(at draw.Point, r int, col color.RGBA) {
	x, y := int(at.X*minimapPixels)/m.size, int(at.Y*minimapPixels)/m.size
	for j := max(y-r, 0); j <= min(y+r, minimapPixels-1); j++ {
		for i := max(x-r, 0); i <= min(x+r, minimapPixels-1); i++ {
			m.sheet.Image.SetRGBA(i, j, col)
		}
	}
}

// DrawMinimap draws the whole map into a box, with a frame around what the camera shows.
func (v *View) DrawMinimap(c *draw.Canvas, b draw.Box) {
	c.RoundRect(b.Inset(-5), 8, look.Ink.Alpha(0.85))
	if v.mini == nil {
		return
	}
	c.Sprite(v.mini.sheet, v.mini.sheet.Box(), b, white)
	k := b.W / float32(v.mini.size)
	s := v.Camera.Sight()
	x0, y0 := max(b.X+s.X*k, b.X), max(b.Y+s.Y*k, b.Y)
	x1, y1 := min(b.X+(s.X+s.W)*k, b.X+b.W), min(b.Y+(s.Y+s.H)*k, b.Y+b.H)
	c.Frame(draw.Box{X: x0, Y: y0, W: max(x1-x0, 4), H: max(y1-y0, 4)}, 2, 2, look.Paper)
	for _, a := range v.alarms {
		at := draw.Point{X: b.X + a.at.X*k, Y: b.Y + a.at.Y*k}
		c.Ring(at, 4+14*a.left, 2, a.col.Alpha(min(a.left*2, 1)))
	}
}

// OnMinimap returns the place on the map at a point in the box of its minimap.
func (v *View) OnMinimap(b draw.Box, p draw.Point) draw.Point {
	if v.mini == nil {
		return draw.Point{}
	}
	return draw.Point{X: p.X - b.X, Y: p.Y - b.Y}.Times(float32(v.mini.size) / b.W)
}
