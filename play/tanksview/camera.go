package tanksview

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// camera shows a part of the field, or all of it.
type camera struct {
	at     draw.Point
	width  float32 // the width of the shown part
	aspect float32 // the aspect ratio of the picture
	column float32 // the fraction of the width, at the right, that the scores occupy in a picture of the whole field
}

const (
	// closeWidth is the width of the picture for one tank: it shows what the tank can hit.
	closeWidth = 1300
	// beyond is how much is shown beside the whole field. More is shown beside and above a tank at the edge, which
	// would otherwise be below the scores, or a thumb.
	beyond, beside, atop = 46, 300, 180
)

// whole returns the width of a picture of the whole field, and where its middle is: the field is at the left of the
// scores.
func (c *camera) whole() (at draw.Point, width float32) {
	width = max((2*tanks.HalfWidth+2*beyond)/(1-c.column), (2*tanks.HalfHeight+2*beyond)*c.aspect)
	return draw.Point{X: width * c.column / 2}, width
}

func (c *camera) advance(v *View, dt float32) {
	if c.aspect == 0 {
		c.aspect = 16.0 / 9
	}
	at, width := c.target(v)
	if c.width == 0 {
		c.at, c.width = at, width
	}
	c.at.X, c.at.Y = look.Approach(c.at.X, at.X, 6, dt), look.Approach(c.at.Y, at.Y, 6, dt)
	c.width = look.Approach(c.width, width, 3, dt)
}

// target returns where the camera should be: around the tanks of the players on this machine, and their wrecks;
// without any it shows the whole field.
func (c *camera) target(v *View) (at draw.Point, width float32) {
	least, most := draw.Point{X: tanks.HalfWidth, Y: tanks.HalfHeight}, draw.Point{X: -tanks.HalfWidth, Y: -tanks.HalfHeight}
	n := 0
	for p := range v.bodies {
		b := &v.bodies[p]
		if !v.Mine.Has(tickback.Player(p)) || b.stance != tanks.Alive && b.stance != tanks.Out {
			continue
		}
		least = draw.Point{X: min(least.X, b.at.X), Y: min(least.Y, b.at.Y)}
		most = draw.Point{X: max(most.X, b.at.X), Y: max(most.Y, b.at.Y)}
		n++
	}
	at, width = c.whole()
	if n == 0 {
		return at, width
	}
	width = min(max(closeWidth, most.X-least.X+700, (most.Y-least.Y+500)*c.aspect), width)
	height := width / max(c.aspect, 0.5)
	bound := func(x, most, size float32) float32 {
		if room := most - size/2; room > 0 {
			return min(max(x, -room), room)
		}
		return 0
	}
	return draw.Point{X: bound((least.X+most.X)/2, tanks.HalfWidth+beside, width), Y: bound((least.Y+most.Y)/2, tanks.HalfHeight+atop, height)}, width
}
