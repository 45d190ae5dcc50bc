package draw

// Align says which point of a text is at the given position.
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
	generation := c.Atlas.Image
	if plain(text) {
		c.write(at, size, col, text)
	} else {
		for _, r := range c.Atlas.runs(text) {
			if r.foreign {
				c.picture(at, size, col, &r)
				at.X += r.advance * size
				continue
			}
			at.X = c.write(at, size, col, r.text)
		}
	}
	if generation != c.Atlas.Image {
		// The atlas was full, so the text written so far in this picture is wrong. The next picture will be correct.
		c.Atlas.Changed = true
	}
	return width
}

// write writes a text in the built-in font, and returns where it ends.
func (c *Canvas) write(at Point, size float32, col Color, text string) (end float32) {
	pixels := glyphSize(size * c.now.t.size())
	k := size / float32(pixels)
	for _, r := range text {
		if g := c.Atlas.glyph(r, pixels); !g.box.Empty() {
			c.glyph(at, k, g, col)
		}
		at.X += c.Atlas.width(r) * size
	}
	return at.X
}

// picture writes a run that the built-in font lacks.
func (c *Canvas) picture(at Point, size float32, col Color, r *run) {
	pixels := pictureSize(size*c.now.t.size(), r.advance)
	p := c.Atlas.picture(r, pixels)
	if p.box.Empty() {
		return
	}
	if p.coloured {
		col = Color{R: 1, G: 1, B: 1, A: col.A}
	}
	c.glyph(at, size/float32(pixels), p.glyph, col)
}

// legible returns a size that is at least [Canvas.Least].
func (c *Canvas) legible(size float32) float32 {
	return max(size, c.Least*c.Pixel())
}

// TextWidth returns the width of a line, as [Canvas.Text] writes it.
func (c *Canvas) TextWidth(size float32, text string) (width float32) {
	size = c.legible(size)
	if plain(text) {
		return c.Atlas.line(text) * size
	}
	for _, r := range c.Atlas.runs(text) {
		if r.foreign {
			width += r.advance * size
		} else {
			width += c.Atlas.line(r.text) * size
		}
	}
	return width
}

// line returns how far a text in the built-in font advances the pen, relative to the size.
func (a *Atlas) line(text string) (width float32) {
	for _, r := range text {
		width += a.width(r)
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
