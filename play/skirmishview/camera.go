package skirmishview

import "github.com/tickback/tickback/play/draw"

// Camera says which part of a map is shown, and where. It needs [Camera.Fit] before it is used.
type Camera struct {
	At   draw.Point // the place in the middle
	Zoom float32    // the size of a cell on the screen
	box  draw.Box   // the position of the map on the screen
	size float32    // the size of the map
}

// The largest zoom, and the initial size of a cell.
const (
	mostZoom  = 56
	firstZoom = 26
)

// Fit makes the camera show a map with that many cells along each side in a box.
func (c *Camera) Fit(box draw.Box, size float32) {
	c.box, c.size = box, size
	if c.Zoom == 0 {
		c.Zoom = firstZoom
	}
	c.settle()
}

// settle keeps the camera on the map.
func (c *Camera) settle() {
	least := min(c.box.W, c.box.H) / max(c.size, 1) * 0.86
	c.Zoom = min(max(c.Zoom, least), mostZoom)
	c.At.X, c.At.Y = min(max(c.At.X, 0), c.size), min(max(c.At.Y, 0), c.size)
}

// Box returns where the camera shows the map.
func (c *Camera) Box() draw.Box { return c.box }

// OnMap returns the place that is shown at a point.
func (c *Camera) OnMap(p draw.Point) draw.Point {
	return p.Minus(c.box.Centre()).Times(1 / max(c.Zoom, 1e-3)).Plus(c.At)
}

// Shown returns the point at which a place is shown.
func (c *Camera) Shown(at draw.Point) draw.Point {
	return at.Minus(c.At).Times(c.Zoom).Plus(c.box.Centre())
}

// Sight returns the part of the map that is shown; it may reach beyond the edges.
func (c *Camera) Sight() draw.Box {
	k := 1 / max(c.Zoom, 1e-3)
	return draw.Box{X: c.At.X - c.box.W*k/2, Y: c.At.Y - c.box.H*k/2, W: c.box.W * k, H: c.box.H * k}
}

// Move moves the picture by a distance on the screen.
func (c *Camera) Move(by draw.Point) {
	c.At = c.At.Minus(by.Times(1 / max(c.Zoom, 1e-3)))
	c.settle()
}

// Magnify multiplies the zoom; the place at a point stays there.
func (c *Camera) Magnify(p draw.Point, by float32) {
	at := c.OnMap(p)
	c.Zoom *= by
	c.settle()
	c.At = c.At.Plus(at.Minus(c.OnMap(p)))
	c.settle()
}

// Jump shows a place in the middle.
func (c *Camera) Jump(at draw.Point) {
	c.At = at
	c.settle()
}
