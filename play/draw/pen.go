package draw

import "math"

// transform is an affine map of points to pixels.
type transform struct{ a, b, c, d, x, y float32 }

func (t *transform) apply(p Point) Point {
	return Point{t.a*p.X + t.c*p.Y + t.x, t.b*p.X + t.d*p.Y + t.y}
}

// size returns the average factor by which lengths are scaled.
func (t *transform) size() float32 {
	return float32(math.Sqrt(math.Abs(float64(t.a*t.d - t.b*t.c))))
}

// bounds returns the smallest box of pixels that contains a box of units.
func (t *transform) bounds(b Box) Box {
	least := t.apply(Point{b.X, b.Y})
	most := least
	for _, p := range [...]Point{{b.X + b.W, b.Y}, {b.X, b.Y + b.H}, {b.X + b.W, b.Y + b.H}} {
		q := t.apply(p)
		least, most = Point{min(least.X, q.X), min(least.Y, q.Y)}, Point{max(most.X, q.X), max(most.Y, q.Y)}
	}
	return Box{least.X, least.Y, most.X - least.X, most.Y - least.Y}
}

// look is the state that drawing depends on.
type look struct {
	t     transform
	alpha float32
	world bool // for marks
}

// pen says where and how a canvas draws what follows.
type pen struct {
	now   look
	saved []look
}

// begin resets everything except the number of pixels per unit.
func (p *pen) begin(scale float32) {
	p.now, p.saved = look{t: transform{a: scale, d: scale}, alpha: 1}, p.saved[:0]
}

// Push saves transform and fade, until [Canvas.Pop].
func (p *pen) Push() { p.saved = append(p.saved, p.now) }

// Pop restores what the last [Canvas.Push] saved. It panics without one.
func (p *pen) Pop() {
	last := len(p.saved) - 1
	p.now = p.saved[last]
	p.saved = p.saved[:last]
}

// Translate moves the origin of what follows.
func (p *pen) Translate(x, y float32) {
	to := p.now.t.apply(Point{x, y})
	p.now.t.x, p.now.t.y = to.X, to.Y
}

// Scale scales what follows.
func (p *pen) Scale(x, y float32) {
	t := &p.now.t
	t.a, t.b, t.c, t.d = t.a*x, t.b*x, t.c*y, t.d*y
}

// Rotate turns what follows, clockwise, by radians.
func (p *pen) Rotate(angle float32) {
	sin, cos := math.Sincos(float64(angle))
	s, k, t := float32(sin), float32(cos), &p.now.t
	t.a, t.b, t.c, t.d = t.a*k+t.c*s, t.b*k+t.d*s, t.c*k-t.a*s, t.d*k-t.b*s
}

// Skew slants what follows to the right, by this much for each unit of height.
func (p *pen) Skew(by float32) {
	t := &p.now.t
	t.c, t.d = t.c-t.a*by, t.d-t.b*by
}

// Fade multiplies the alpha of what follows.
func (p *pen) Fade(alpha float32) { p.now.alpha *= alpha }

// Pixel returns the size of a pixel in units.
func (p *pen) Pixel() float32 { return 1 / max(p.now.t.size(), 1e-6) }

// World says that what follows belongs to the world of a game, until [Canvas.Pop].
func (p *pen) World() { p.now.world = true }
