package duelview

import (
	"math"
	"slices"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// The stage in units.
const (
	stageWidth = float32(duel.StageRight) / duel.UnitsPerWorldUnit
	groundAt   = 0.8 // the position of the ground, as a fraction of the height of a picture
)

// camera is the visible part of the stage.
type camera struct {
	x, width float32
	ready    bool
	aspect   float32 // the aspect ratio of the picture
	covered  float32 // the fraction of the picture's width that is covered, at each side
}

// follow moves the camera towards both fighters, and keeps them out of the parts that are covered at each side.
func (c *camera) follow(a, b *moment, dt float32) {
	least, most := min(a.x, b.x), max(a.x, b.x)
	high := max(a.y, b.y)
	const beside, close = 2.1, 0.7 // the distances from a fighter to the edge, and to a covered part
	width := max(most-least+2*beside, (most-least+2*close)/(1-2*c.covered), (high+1.9)/groundAt*c.aspect, 8.5)
	x := (least + most) / 2
	if !c.ready {
		c.x, c.width, c.ready = x, width, true
		return
	}
	rate := float32(7)
	if width < c.width {
		rate = 2.2 // out quickly, in slowly
	}
	c.width = look.Approach(c.width, width, rate, dt)
	c.x = look.Approach(c.x, x, 6, dt)
}

// drawSky draws the background of the stage in a box, and all around it.
func drawSky(c *draw.Canvas, around, box draw.Box, cam *camera) {
	top, middle, low := draw.RGB(0x1B1B4B), draw.RGB(0x8A3B7A), draw.RGB(0xFF9A5A)
	horizon := box.H * groundAt
	sky := draw.Box{X: around.X, Y: around.Y, W: around.W, H: box.Y + horizon*1.01 - around.Y}
	c.ShadeBy(sky, draw.Stop{Col: top}, draw.Stop{At: 0.6, Col: middle}, draw.Stop{At: 1, Col: low})
	sun := draw.Point{X: box.X + box.W*0.62 - (cam.x-stageWidth/2)*box.W*0.002, Y: box.Y + horizon*0.62}
	r := box.H * 0.21
	c.Glow(sun, r*2.4, draw.RGB(0xFF7A59).Alpha(0.5))
	c.Circle(sun, r, draw.RGB(0xFFD27A))
	for i := range 5 {
		y := r * (0.1 + 0.18*float32(i))
		drawStripe(c, sun, r, y, y+r*(0.025+0.02*float32(i)), draw.RGB(0xE0706A))
	}
	drawHills(c, around, box, cam, 0.004, 0.25, 1.7, draw.RGB(0x5A2D6B))
	drawHills(c, around, box, cam, 0.009, 0.16, 2.9, draw.RGB(0x3A1F55))
	drawHills(c, around, box, cam, 0.016, 0.08, 5.3, draw.RGB(0x261543))
}

// drawStripe draws the part of a circle between two heights below its middle.
func drawStripe(c *draw.Canvas, at draw.Point, r, from, to float32, col draw.Color) {
	const pieces = 3
	var left, right []draw.Point
	for i := range pieces + 1 {
		y := min(from+(to-from)*float32(i)/pieces, r)
		half := float32(math.Sqrt(float64(r*r - y*y)))
		left = append(left, draw.Point{X: at.X - half, Y: at.Y + y})
		right = append(right, draw.Point{X: at.X + half, Y: at.Y + y})
	}
	slices.Reverse(left)
	c.Poly(append(right, left...), col)
}

// drawHills draws a range of hills, which moves with the camera depending on its depth.
func drawHills(c *draw.Canvas, around, box draw.Box, cam *camera, depth, height, steep float32, col draw.Color) {
	base := box.Y + box.H*groundAt + 1
	const pieces = 28
	at := func(i int) float32 { return around.X + around.W*float32(i)/pieces }
	y := func(i int) float32 {
		x := (at(i)-box.X)/box.W*2.4*steep + cam.x*depth*steep*3
		return base - box.H*height*(0.55+0.25*look.Sin(x*2.1)+0.2*look.Sin(x*4.7+steep))
	}
	seam := 2 * c.Pixel() // pieces overlap, since their edges are soft
	for i := range pieces {
		x0, x1 := at(i), at(i+1)+seam
		c.Poly([]draw.Point{{X: x0, Y: y(i)}, {X: x1, Y: y(i + 1)}, {X: x1, Y: base}, {X: x0, Y: base}}, col)
	}
}

// drawGround draws the ground, in units.
func drawGround(c *draw.Canvas, cam *camera) {
	left, right := cam.x-cam.width, cam.x+cam.width
	c.Shade(draw.Box{X: left, Y: 0, W: right - left, H: 6}, draw.RGB(0x34204F), draw.RGB(0x0D0A1C))
	for i := range 7 {
		y := 0.16 * float32(i*i+i) / 2
		c.Rect(draw.Box{X: left, Y: y + 0.1, W: right - left, H: 0.012 + 0.006*float32(i)}, draw.RGB(0x6B3F86).Alpha(0.5))
	}
	for x := -10; x <= int(stageWidth)+10; x += 2 {
		foot := float32(x) + (float32(x)-cam.x)*0.9
		c.Line(draw.Point{X: float32(x), Y: 0.02}, draw.Point{X: foot, Y: 4}, 0.025, draw.RGB(0x6B3F86).Alpha(0.4))
	}
	c.Rect(draw.Box{X: left, Y: 0, W: right - left, H: 0.05}, draw.RGB(0xFFB36B))
	drawGate(c, cam, -0.15)
	drawGate(c, cam, stageWidth+0.15)
}

// gateReach is how far a gate reaches to each side.
const gateReach = 1.85

// drawGate draws the gate at an end of the stage. It appears as the camera comes near: the end of a beam alone, at
// the edge of the picture, would look like a mistake.
func drawGate(c *draw.Canvas, cam *camera, x float32) {
	seen := (cam.width/2 - max(x-cam.x, cam.x-x) + gateReach) / gateReach
	if seen <= 0 {
		return
	}
	c.Push()
	defer c.Pop()
	c.Fade(look.Smooth(seen))
	red, dark := draw.RGB(0xC8324A), draw.RGB(0x7A1D38)
	c.Rect(draw.Box{X: x - 0.13, Y: -4.6, W: 0.26, H: 4.65}, dark)
	c.Rect(draw.Box{X: x - 0.1, Y: -4.6, W: 0.14, H: 4.6}, red)
	c.Rect(draw.Box{X: x - 1.3, Y: -3.9, W: 2.6, H: 0.22}, dark)
	c.Poly([]draw.Point{{X: x - 1.75, Y: -5}, {X: x + 1.75, Y: -5}, {X: x + 1.5, Y: -4.55}, {X: x - 1.5, Y: -4.55}}, red)
	c.Poly([]draw.Point{{X: x - gateReach, Y: -5.14}, {X: x + gateReach, Y: -5.14}, {X: x + 1.75, Y: -4.98}, {X: x - 1.75, Y: -4.98}}, look.Ink)
	for _, side := range []float32{-1, 1} {
		at := draw.Point{X: x + side*0.85, Y: -3.35}
		c.Glow(at, 0.9, draw.RGB(0xFF9A4A).Alpha(0.35))
		c.Ellipse(at, 0.17, 0.22, draw.RGB(0xFFC27A))
	}
}
