package draw

import "image"

// Sheet is a picture with colours of its own: sprites, or a map. A backend uploads it when it is first drawn, and
// again after changes.
type Sheet struct {
	// Image is the picture, premultiplied, with its corner at 0, 0.
	Image *image.RGBA
	// Changed says that the picture has changed since the backend last set it to false.
	Changed bool
}

// NewSheet returns an empty sheet of this size in pixels.
func NewSheet(w, h int) *Sheet {
	return &Sheet{Image: image.NewRGBA(image.Rect(0, 0, w, h)), Changed: true}
}

// Box returns the whole sheet.
func (s *Sheet) Box() Box {
	size := s.Image.Rect.Size()
	return Box{W: float32(size.X), H: float32(size.Y)}
}

// Sprite draws a part of a sheet, in pixels of the sheet, into a box. Its colours are multiplied by
// col.
func (c *Canvas) Sprite(s *Sheet, part, to Box, col Color) {
	c.Turned(s, part, to.Centre(), Point{X: to.W / 2}, Point{Y: to.H / 2}, col)
}

// Turned draws a part of a sheet around a point. right and down lead from there to the middle of its right and of its
// lower edge, so that it can be rotated and stretched. Thousands of sprites of one sheet, one after the other, are a
// single batch for a graphics processor.
func (c *Canvas) Turned(s *Sheet, part Box, at, right, down Point, col Color) {
	c.use(false, s)
	t := &c.now.t
	m := t.apply(at)
	rx, ry := t.a*right.X+t.c*right.Y, t.b*right.X+t.d*right.Y
	dx, dy := t.a*down.X+t.c*down.Y, t.b*down.X+t.d*down.Y
	a := col.A * c.now.alpha
	v := Vertex{R: col.R * a, G: col.G * a, B: col.B * a, A: a * (1 - col.Add)}
	first := uint32(len(c.Vertices))
	u, w, right1, low := part.X, part.Y, part.X+part.W, part.Y+part.H
	corner := func(x, y, tu, tv float32) Vertex {
		v.X, v.Y, v.U, v.V = x, y, tu, tv
		return v
	}
	c.Vertices = append(c.Vertices,
		corner(m.X-rx-dx, m.Y-ry-dy, u, w), corner(m.X+rx-dx, m.Y+ry-dy, right1, w),
		corner(m.X+rx+dx, m.Y+ry+dy, right1, low), corner(m.X-rx+dx, m.Y-ry+dy, u, low))
	c.Indices = append(c.Indices, first, first+1, first+2, first, first+2, first+3)
}
