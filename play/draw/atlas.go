package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	// AtlasSize is the width and the height of an atlas, in pixels.
	AtlasSize = 1024
	// whiteAt is in the middle of a white spot, the texture of everything except text.
	whiteAt = 2
	// maxGlyph is the largest size in which a glyph is painted; larger ones are scaled.
	maxGlyph = 112
)

// Atlas is a picture of the glyphs needed so far, and of a white spot.
type Atlas struct {
	// Image is the picture, premultiplied.
	Image *image.RGBA
	// Changed says that the picture has changed since the backend last set it to false.
	Changed bool
	// Writer, if it is not nil, writes what the built-in font lacks. Without one, a question mark is drawn instead.
	Writer Writer

	font   *sfnt.Font
	buffer sfnt.Buffer
	glyphs map[glyphKey]glyph
	widths map[rune]float32
	pen    image.Point
	row    int // height of the pen's row
	runsOf
}

// runsOf caches the runs of texts that need more than the built-in font, and their pictures.
type runsOf struct {
	ready    bool // whether the writer was ready
	lines    map[string][]run
	pictures map[pictureKey]picture
	coloured bool // some picture has colours of its own
}

type glyphKey struct {
	r    rune
	size int
}

// glyph is the position of a glyph in the atlas, and its offset from the pen.
type glyph struct {
	box    image.Rectangle
	offset image.Point
}

// NewAtlas returns an atlas without glyphs.
func NewAtlas() *Atlas {
	f, err := sfnt.Parse(gobold.TTF)
	if err != nil {
		panic(fmt.Sprintf("draw: the font that is built in: %v", err))
	}
	a := &Atlas{font: f, widths: map[rune]float32{}}
	a.lines = map[string][]run{}
	a.reset()
	return a
}

// reset removes all glyphs.
func (a *Atlas) reset() {
	a.Image = image.NewRGBA(image.Rect(0, 0, AtlasSize, AtlasSize))
	a.glyphs, a.pictures, a.coloured = map[glyphKey]glyph{}, map[pictureKey]picture{}, false
	for y := range 2 * whiteAt {
		for x := range 2 * whiteAt {
			a.Image.Set(x, y, color.White)
		}
	}
	a.pen, a.row, a.Changed = image.Pt(2*whiteAt+1, 0), 2*whiteAt, true
}

// width returns how far a glyph advances the pen, relative to the size.
func (a *Atlas) width(r rune) float32 {
	if w, ok := a.widths[r]; ok {
		return w
	}
	const size = 256
	i, _ := a.font.GlyphIndex(&a.buffer, r)
	advance, err := a.font.GlyphAdvance(&a.buffer, i, fixed.I(size), font.HintingNone)
	if err != nil {
		advance = 0
	}
	w := float32(advance) / 64 / size
	a.widths[r] = w
	return w
}

// glyph returns a glyph in a size in pixels, and paints it if it is new.
func (a *Atlas) glyph(r rune, size int) glyph {
	key := glyphKey{r, size}
	if g, ok := a.glyphs[key]; ok {
		return g
	}
	i, _ := a.font.GlyphIndex(&a.buffer, r)
	segments, err := a.font.LoadGlyph(&a.buffer, i, fixed.I(size), nil)
	if err != nil || len(segments) == 0 {
		a.glyphs[key] = glyph{}
		return glyph{}
	}
	bounds := segments.Bounds()
	box := image.Rect(bounds.Min.X.Floor()-1, bounds.Min.Y.Floor()-1, bounds.Max.X.Ceil()+1, bounds.Max.Y.Ceil()+1)
	at, ok := a.room(box.Size())
	if !ok {
		a.reset()
		at, _ = a.room(box.Size())
	}
	paintGlyph(a.Image, segments, box, at)
	g := glyph{image.Rectangle{at, at.Add(box.Size())}, box.Min}
	a.glyphs[key] = g
	a.Changed = true
	return g
}

// room finds a free position for a picture: to the right of the last one, or in a new row.
func (a *Atlas) room(size image.Point) (image.Point, bool) {
	if a.pen.X+size.X+1 > AtlasSize {
		a.pen = image.Pt(0, a.pen.Y+a.row+1)
		a.row = 0
	}
	if a.pen.Y+size.Y > AtlasSize {
		return image.Point{}, false
	}
	at := a.pen
	a.pen.X += size.X + 1
	a.row = max(a.row, size.Y)
	return at, true
}

func paintGlyph(to *image.RGBA, segments sfnt.Segments, box image.Rectangle, at image.Point) {
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	pt := func(p fixed.Point26_6) (x, y float32) {
		return float32(p.X)/64 - float32(box.Min.X), float32(p.Y)/64 - float32(box.Min.Y)
	}
	for _, s := range segments {
		x, y := pt(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			r.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := pt(s.Args[1])
			r.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := pt(s.Args[1])
			x2, y2 := pt(s.Args[2])
			r.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	r.ClosePath()
	r.Draw(to, image.Rectangle{at, at.Add(box.Size())}, image.White, image.Point{})
}

// glyphSize returns the size in which glyphs are painted, for a height in pixels.
func glyphSize(pixels float32) int {
	return min(max(int(math.Round(float64(pixels))), 6), maxGlyph)
}
