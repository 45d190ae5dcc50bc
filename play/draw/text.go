package draw

// Align says which point of a text is placed.
type Align uint8

// The alignments, along the baseline.
const (
	Left Align = iota
	Middle
	Right
)

// Text writes a line in a size (the height of the font, in units, or [Canvas.Least]), with its baseline at a
// point. It returns the width of the line.
func (c *Canvas) Text(at Point, size float32, align Align, col Color, text string) (width float32) {
	size = c.legible(size)
	width = c.TextWidth(size, text)
	switch align {
	case Middle:
		at.X -= width / 2
	case Right:
		at.X -= width
	}
	c.markText(at, size, width, col, text)
	pixels := glyphSize(size * c.now.t.size())
	k := size / float32(pixels)
	for _, r := range text {
		generation := c.Atlas.Image
		g := c.Atlas.glyph(r, pixels)
		if generation != c.Atlas.Image {
			// The atlas was full, so the text written so far in this picture is wrong. The next
			// picture is right.
			c.Atlas.Changed = true
		}
		if !g.box.Empty() {
			c.glyph(at, k, g, col)
		}
		at.X += c.Atlas.width(r) * size
	}
	return width
}

// legible returns a size that is at least [Canvas.Least].
func (c *Canvas) legible(size float32) float32 {
	return max(size, c.Least*c.Pixel())
}

// TextWidth returns the width of a line, as [Canvas.Text] writes it.
func (c *Canvas) TextWidth(size float32, text string) (width float32) {
	size = c.legible(size)
	for _, r := range text {
		width += c.Atlas.width(r) * size
	}
	return width
}

func (c *Canvas) glyph(pen Point, k float32, g glyph, col Color) {
	x, y := pen.X+float32(g.offset.X)*k, pen.Y+float32(g.offset.Y)*k
	w, h := float32(g.box.Dx())*k, float32(g.box.Dy())*k
	c.kind(true)
	first := uint32(len(c.Vertices))
	for i, p := range [4]Point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}} {
		v := c.vertex(c.now.t.apply(p), col, 1)
		c.Vertices[v].U, c.Vertices[v].V = float32(g.box.Min.X), float32(g.box.Min.Y)
		if i == 1 || i == 2 {
			c.Vertices[v].U = float32(g.box.Max.X)
		}
		if i >= 2 {
			c.Vertices[v].V = float32(g.box.Max.Y)
		}
	}
	c.Indices = append(c.Indices, first, first+1, first+2, first, first+2, first+3)
}
