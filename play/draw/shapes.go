package draw

import "math"

// feather is half the width of the edge over which a shape fades out, in pixels.
const feather = 0.6

// Poly fills a convex polygon, in one colour, or with one for each corner.
func (c *Canvas) Poly(points []Point, colors ...Color) {
	c.pixels = c.pixels[:0]
	for _, p := range points {
		q := c.now.t.apply(p)
		// A repeated corner has no direction in which to fade out.
		if len(colors) == 1 && len(c.pixels) > 0 && same(q, c.pixels[len(c.pixels)-1]) {
			continue
		}
		c.pixels = append(c.pixels, q)
	}
	if n := len(c.pixels); len(colors) == 1 && n > 1 && same(c.pixels[0], c.pixels[n-1]) {
		c.pixels = c.pixels[:n-1]
	}
	c.fill(c.pixels, colors)
}

// same reports whether two points are practically the same pixel.
func same(a, b Point) bool {
	const near = 0.02
	d := a.Minus(b)
	return max(d.X, -d.X) < near && max(d.Y, -d.Y) < near
}

// fill fills a convex polygon in pixels: its inside, and a seam around it in which it fades out.
func (c *Canvas) fill(points []Point, colors []Color) {
	n := len(points)
	if n < 3 || len(colors) == 0 {
		return
	}
	c.kind(false)
	turn := float32(feather)
	if area(points) < 0 {
		turn = -feather
	}
	first := uint32(len(c.Vertices))
	for i, p := range points {
		out := corner(points[(i+n-1)%n], p, points[(i+1)%n]).Times(turn)
		col := colors[i%len(colors)]
		c.vertex(p.Minus(out), col, 1)
		c.vertex(p.Plus(out), col, 0)
	}
	for i := range uint32(n) {
		a, b := first+2*i, first+2*((i+1)%uint32(n))
		c.Indices = append(c.Indices, a, a+1, b+1, a, b+1, b)
		if i > 0 && i < uint32(n)-1 {
			c.Indices = append(c.Indices, first, a, b)
		}
	}
}

// area returns twice the area of a polygon, positive if it is clockwise on the screen.
func area(points []Point) (sum float32) {
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum
}

// corner returns the position of a corner after both of its edges move out by one, but at most two away.
func corner(before, at, after Point) Point {
	a, b := normal(before, at), normal(at, after)
	sum := a.Plus(b)
	k := sum.X*sum.X + sum.Y*sum.Y
	if k < 0.5 {
		return a
	}
	return sum.Times(min(2/k, 2))
}

// normal returns the direction to the left of the line from a to b, of length 1.
func normal(a, b Point) Point {
	d := b.Minus(a)
	l := d.Length()
	if l < 1e-6 {
		return Point{}
	}
	return Point{d.Y / l, -d.X / l}
}

// Rect fills a rectangle.
func (c *Canvas) Rect(b Box, col Color) { c.Shade(b, col, col) }

// Shade fills a rectangle from one colour at the top to another at the bottom.
func (c *Canvas) Shade(b Box, top, bottom Color) {
	c.markPlate(b, top.Mix(bottom, 0.5))
	c.Poly([]Point{{b.X, b.Y}, {b.X + b.W, b.Y}, {b.X + b.W, b.Y + b.H}, {b.X, b.Y + b.H}}, top, top, bottom, bottom)
}

// Stop is a colour at a fraction of the height of what is shaded, 0 at the top.
type Stop struct {
	At  float32
	Col Color
}

// ShadeBy fills a rectangle with a gradient of several colours from the top to the bottom. The stops are in order,
// and there are no seams between the parts.
func (c *Canvas) ShadeBy(b Box, stops ...Stop) {
	c.kind(false)
	first := uint32(len(c.Vertices))
	for i, s := range stops {
		y := b.Y + b.H*s.At
		c.vertex(c.now.t.apply(Point{b.X, y}), s.Col, 1)
		c.vertex(c.now.t.apply(Point{b.X + b.W, y}), s.Col, 1)
		if k := first + 2*uint32(i); i > 0 {
			c.Indices = append(c.Indices, k-2, k-1, k+1, k-2, k+1, k)
		}
	}
}

// segments returns how many corners a circle needs to look round: its edge is nowhere a fifth of a pixel away from
// where it should be.
func (c *Canvas) segments(radius float32) int {
	return min(max(int(5*math.Sqrt(float64(radius*c.now.t.size())))+4, 8), 128)
}

// Circle fills a circle.
func (c *Canvas) Circle(at Point, radius float32, col Color) { c.Ellipse(at, radius, radius, col) }

// Ellipse fills an ellipse with its axes along X and Y.
func (c *Canvas) Ellipse(at Point, rx, ry float32, col Color) {
	c.shape = c.shape[:0]
	n := c.segments(max(rx, ry))
	for i := range n {
		d := Polar(2*math.Pi*float32(i)/float32(n), 1)
		c.shape = append(c.shape, Point{at.X + d.X*rx, at.Y + d.Y*ry})
	}
	c.Poly(c.shape, col)
}

// Capsule fills a line with round ends of two radii, such as a limb.
func (c *Canvas) Capsule(a, b Point, ra, rb float32, col Color) {
	d := b.Minus(a)
	l := d.Length()
	if l <= max(ra-rb, rb-ra) || l < 1e-4 {
		if ra < rb {
			a, ra = b, rb
		}
		c.Circle(a, ra, col)
		return
	}
	along := float32(math.Atan2(float64(d.Y), float64(d.X)))
	// Where the edges touch the two ends.
	open := float32(math.Acos(float64((ra - rb) / l)))
	c.shape = c.shape[:0]
	c.arc(b, rb, along-open, along+open)
	c.arc(a, ra, along+open, along+2*math.Pi-open)
	c.Poly(c.shape, col)
}

// arc adds a part of a circle to the shape.
func (c *Canvas) arc(at Point, r, from, to float32) {
	n := max(c.segments(r)/2, 3)
	for i := range n + 1 {
		c.shape = append(c.shape, at.Plus(Polar(lerp(from, to, float32(i)/float32(n)), r)))
	}
}

// RoundRect fills a rectangle with round corners.
func (c *Canvas) RoundRect(b Box, r float32, col Color) {
	c.markPlate(b, col)
	c.shape = roundRect(c, b, r)
	c.Poly(c.shape, col)
}

func roundRect(c *Canvas, b Box, r float32) []Point {
	r = min(r, b.W/2, b.H/2)
	c.shape = c.shape[:0]
	const quarter = math.Pi / 2
	c.arc(Point{b.X + b.W - r, b.Y + r}, r, -quarter, 0)
	c.arc(Point{b.X + b.W - r, b.Y + b.H - r}, r, 0, quarter)
	c.arc(Point{b.X + r, b.Y + b.H - r}, r, quarter, 2*quarter)
	c.arc(Point{b.X + r, b.Y + r}, r, 2*quarter, 3*quarter)
	return c.shape
}

// Frame draws the outline of a rectangle with round corners, inside of it.
func (c *Canvas) Frame(b Box, r, width float32, col Color) {
	points := roundRect(c, b.Inset(width/2), r)
	for i, p := range points {
		c.Line(p, points[(i+1)%len(points)], width, col)
	}
}

// Line draws a straight line.
func (c *Canvas) Line(a, b Point, width float32, col Color) {
	n := normal(a, b).Times(width / 2)
	c.Poly([]Point{a.Plus(n), b.Plus(n), b.Minus(n), a.Minus(n)}, col)
}

// Ring draws the outline of a circle; the radius is to the middle of the line.
func (c *Canvas) Ring(at Point, radius, width float32, col Color) {
	c.Arc(at, radius, width, 0, 2*math.Pi, col)
}

// Arc draws a part of a circle's outline, from one angle to another.
func (c *Canvas) Arc(at Point, radius, width, from, to float32, col Color) {
	n := max(int(float32(c.segments(radius))*(to-from)/(2*math.Pi)), 1)
	inner, outer := radius-width/2, radius+width/2
	for i := range n {
		a, b := lerp(from, to, float32(i)/float32(n)), lerp(from, to, float32(i+1)/float32(n))
		c.quad(at.Plus(Polar(a, outer)), at.Plus(Polar(b, outer)), at.Plus(Polar(b, inner)), at.Plus(Polar(a, inner)), col)
	}
}

// quad fills a piece of a line. Its first and third edges fade out, and the others touch the next pieces.
func (c *Canvas) quad(a, b, d, e Point, col Color) {
	c.kind(false)
	t := &c.now.t
	a, b, d, e = t.apply(a), t.apply(b), t.apply(d), t.apply(e)
	left, right := seam(a, e), seam(b, d)
	first := c.vertex(a.Plus(left), col, 0)
	c.vertex(b.Plus(right), col, 0)
	c.vertex(a.Minus(left), col, 1)
	c.vertex(b.Minus(right), col, 1)
	c.vertex(e.Plus(left), col, 1)
	c.vertex(d.Plus(right), col, 1)
	c.vertex(e.Minus(left), col, 0)
	c.vertex(d.Minus(right), col, 0)
	for i := first; i < first+6; i += 2 {
		c.Indices = append(c.Indices, i, i+1, i+3, i, i+3, i+2)
	}
}

// seam returns half of the seam's width, in the direction from one point to another.
func seam(to, from Point) Point {
	out := to.Minus(from)
	return out.Times(feather / max(out.Length(), 1e-6))
}

// Glow draws light: the full colour in the middle, fading to nothing at the radius.
func (c *Canvas) Glow(at Point, radius float32, col Color) {
	c.kind(false)
	col = col.Light()
	n := c.segments(radius)
	middle := c.vertex(c.now.t.apply(at), col, 1)
	for i := range n {
		c.vertex(c.now.t.apply(at.Plus(Polar(2*math.Pi*float32(i)/float32(n), radius))), col, 0)
	}
	for i := range uint32(n) {
		c.Indices = append(c.Indices, middle, middle+1+i, middle+1+(i+1)%uint32(n))
	}
}
