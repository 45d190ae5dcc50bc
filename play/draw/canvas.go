package draw

import (
	"image"
	"math"

	"github.com/tickback/tickback/play/mirror"
)

// Point is a point on a canvas: X to the right, Y down.
type Point struct{ X, Y float32 }

// Plus returns the sum.
func (p Point) Plus(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Minus returns the difference.
func (p Point) Minus(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Times returns the point scaled.
func (p Point) Times(k float32) Point { return Point{p.X * k, p.Y * k} }

// Length returns the distance to the origin.
func (p Point) Length() float32 { return float32(math.Hypot(float64(p.X), float64(p.Y))) }

// Toward returns the point at the fraction t of the way to q.
func (p Point) Toward(q Point, t float32) Point { return Point{lerp(p.X, q.X, t), lerp(p.Y, q.Y, t)} }

// Polar returns the point at a distance from the origin, in a direction in radians,
// clockwise from the right.
func Polar(angle, distance float32) Point {
	s, c := math.Sincos(float64(angle))
	return Point{float32(c) * distance, float32(s) * distance}
}

// Box is a rectangle; X and Y are its upper left corner.
type Box struct{ X, Y, W, H float32 }

// Has reports whether a point is inside.
func (b Box) Has(p Point) bool {
	return p.X >= b.X && p.Y >= b.Y && p.X < b.X+b.W && p.Y < b.Y+b.H
}

// Centre returns the point in the middle.
func (b Box) Centre() Point { return Point{b.X + b.W/2, b.Y + b.H/2} }

// Inset returns the box made smaller on each side.
func (b Box) Inset(by float32) Box { return Box{b.X + by, b.Y + by, b.W - 2*by, b.H - 2*by} }

// Vertex is a corner of a triangle: its position on the target and in the atlas, in pixels, and its premultiplied
// colour.
type Vertex struct{ X, Y, U, V, R, G, B, A float32 }

// Canvas collects what is drawn, in order. The zero value is not ready: use [NewCanvas].
type Canvas struct {
	// Vertices and Indices are what was drawn since Begin: three indices for each triangle. The canvas owns them.
	Vertices []Vertex
	Indices  []uint32
	// Cuts are where the way of drawing changes.
	Cuts []Cut
	// Atlas is the texture.
	Atlas *Atlas
	// Marks, if it is not nil, collects the positions of what is drawn since Begin, for tests.
	Marks *Marks
	// Mirror, if it is not nil, receives what is written: see [mirror.Mirror].
	Mirror *mirror.Mirror
	// Screen is the size of the screen in pixels, for [Canvas.Share].
	Screen Point
	// Least is the minimum height of a font, in pixels: smaller texts are enlarged to it, so that people can read
	// them on a small screen.
	Least float32

	pen
	pixels []Point // scratch: a shape in pixels
	shape  []Point // scratch: a shape in units
}

// Cut says how everything from an index up to the next cut is drawn.
type Cut struct {
	Index int // the first index, in Canvas.Indices
	// Part is the part of the target that may be covered, in pixels; an empty one means all.
	Part image.Rectangle
	// Text says that the texture must be sampled smoothly. Everything else only needs one white pixel, which is
	// faster.
	Text bool
	// Sheet is the texture, sampled smoothly; nil means the atlas.
	Sheet *Sheet
}

// NewCanvas returns a canvas that draws text from an atlas.
func NewCanvas(a *Atlas) *Canvas {
	c := &Canvas{Atlas: a}
	c.Begin(1)
	return c
}

// Begin empties the canvas. scale is the number of pixels per unit.
func (c *Canvas) Begin(scale float32) {
	c.Vertices, c.Indices, c.Cuts = c.Vertices[:0], c.Indices[:0], c.Cuts[:0]
	c.pen.begin(scale)
	if c.Marks != nil {
		c.Marks.List = c.Marks.List[:0]
	}
}

// Clip restricts what follows to a box. The transform must not rotate.
func (c *Canvas) Clip(b Box) {
	p, q := c.now.t.apply(Point{b.X, b.Y}), c.now.t.apply(Point{b.X + b.W, b.Y + b.H})
	now := c.last()
	now.Index, now.Part = len(c.Indices), image.Rect(int(p.X), int(p.Y), int(q.X), int(q.Y))
	c.cut(now)
}

// Unclip ends the effect of [Canvas.Clip].
func (c *Canvas) Unclip() {
	now := c.last()
	now.Index, now.Part = len(c.Indices), image.Rectangle{}
	c.cut(now)
}

// last returns the current way of drawing.
func (c *Canvas) last() Cut {
	if n := len(c.Cuts); n > 0 {
		return c.Cuts[n-1]
	}
	return Cut{}
}

// cut changes the way of drawing. A cut in which nothing was drawn is replaced.
func (c *Canvas) cut(to Cut) {
	if n := len(c.Cuts); n > 0 && c.Cuts[n-1].Index == to.Index {
		c.Cuts[n-1] = to
		return
	}
	c.Cuts = append(c.Cuts, to)
}

// kind sets whether text is drawn next.
func (c *Canvas) kind(text bool) { c.use(text, nil) }

// use sets the texture for what is drawn next.
func (c *Canvas) use(text bool, s *Sheet) {
	if now := c.last(); now.Text != text || now.Sheet != s {
		now.Index, now.Text, now.Sheet = len(c.Indices), text, s
		c.cut(now)
	}
}

// Parts calls a function for each run of indices that is drawn in the same way.
func (c *Canvas) Parts(each func(indices []uint32, how Cut)) {
	from, how := 0, Cut{}
	for _, cut := range c.Cuts {
		if cut.Index > from {
			each(c.Indices[from:cut.Index], how)
		}
		from, how = cut.Index, cut
	}
	if from < len(c.Indices) {
		each(c.Indices[from:], how)
	}
}

// vertex adds a corner at a pixel, in a colour, and returns its index.
func (c *Canvas) vertex(p Point, col Color, cover float32) uint32 {
	a := col.A * c.now.alpha * cover
	c.Vertices = append(c.Vertices, Vertex{
		X: p.X, Y: p.Y, U: whiteAt, V: whiteAt,
		R: col.R * a, G: col.G * a, B: col.B * a, A: a * (1 - col.Add),
	})
	return uint32(len(c.Vertices) - 1)
}
