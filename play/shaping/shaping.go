//go:build !js

// Package shaping writes text with the fonts of the system, for a [draw.Atlas] of a window: [System]. A page
// does not need it, since its browser shapes text.
package shaping

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	drawing "github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
)

const (
	// maxSize limits the height of a picture, and maxWidth its width, in pixels: these are the limits of the atlas.
	maxSize, maxWidth = drawing.AtlasSize / 2, drawing.AtlasSize
	// unit is the size in which advances are measured.
	unit = 256
	// maxBitmap limits the pixels of an emoji in a font, on each side.
	maxBitmap = 1024
)

// Writer is a [drawing.Writer] with fonts that it finds.
type Writer struct {
	fonts   *fontscan.FontMap // nil until they are loaded
	loading <-chan *fontscan.FontMap
	shaper  shaping.HarfbuzzShaper
	split   shaping.Segmenter
}

// System returns a writer with the fonts of the system. It looks for them in the background, which can take seconds
// the first time.
func System() *Writer {
	found := make(chan *fontscan.FontMap, 1)
	go func() {
		fonts := fontscan.NewFontMap(silent{})
		cache := ""
		if dir, err := os.UserCacheDir(); err == nil {
			cache = filepath.Join(dir, "tickback", "fonts")
		}
		if cache == "" || os.MkdirAll(cache, 0o755) != nil || fonts.UseSystemFonts(cache) != nil {
			return // it is never ready, and the built-in font is used
		}
		fonts.SetQuery(fontscan.Query{Families: []string{fontscan.SansSerif}, Aspect: font.Aspect{Weight: font.WeightBold}})
		found <- fonts
	}()
	return &Writer{loading: found}
}

// silent drops the messages about fonts that cannot be read: other fonts are used instead.
type silent struct{}

// Printf implements fontscan.Logger.
func (silent) Printf(string, ...any) {}

// Of returns a writer with these fonts only.
func Of(fonts ...[]byte) (*Writer, error) {
	m := fontscan.NewFontMap(silent{})
	for i, f := range fonts {
		if err := m.AddFont(bytes.NewReader(f), string(rune('a'+i)), ""); err != nil {
			return nil, err
		}
	}
	m.SetQuery(fontscan.Query{Aspect: font.Aspect{Weight: font.WeightBold}})
	return &Writer{fonts: m}, nil
}

// Ready reports whether the fonts have been found.
func (w *Writer) Ready() bool {
	if w.fonts == nil {
		select {
		case w.fonts = <-w.loading:
		default:
		}
	}
	return w.fonts != nil
}

// Has reports whether a font has every part of a letter, and a picture of it.
func (w *Writer) Has(letter string) bool {
	inked := false
	for _, o := range w.shape(letter, unit) {
		for _, g := range o.Glyphs {
			if g.GlyphID == 0 {
				return false
			}
			inked = inked || paintable(o.Face, g.GlyphID)
		}
	}
	return inked
}

// Advance returns how far a text advances the pen, relative to the size.
func (w *Writer) Advance(text string) (sum float32) {
	for _, o := range w.shape(text, unit) {
		sum += float32(o.Advance) / 64 / unit
	}
	return sum
}

// shape returns the parts of a text from left to right. The text must have only one direction.
func (w *Writer) shape(text string, size int) []shaping.Output {
	runes := []rune(text)
	if len(runes) == 0 {
		return nil
	}
	in := shaping.Input{Text: runes, RunEnd: len(runes), Size: fixed.I(size), Language: language.DefaultLanguage()}
	if in.Direction = di.DirectionLTR; letters.RightToLeft(text) {
		in.Direction = di.DirectionRTL
	}
	var out []shaping.Output
	for _, part := range w.split.Split(in, w.fonts) {
		if part.Face == nil {
			continue
		}
		part.Direction = in.Direction
		o := w.shaper.Shape(part)
		o.Face = part.Face
		if in.Direction == di.DirectionRTL {
			out = append([]shaping.Output{o}, out...)
		} else {
			out = append(out, o)
		}
	}
	return out
}

// paintable reports whether a glyph can be painted.
func paintable(f *font.Face, id font.GID) bool {
	if b, ok := f.GlyphDataBitmap(id); ok && b.Format == font.PNG {
		return true
	}
	o, ok := f.GlyphDataOutline(id)
	return ok && len(o.Segments) > 0
}

// Paint paints a text.
func (w *Writer) Paint(text string, size int) drawing.Writing {
	parts := w.shape(text, size)
	// The ink is inside of this; anything outside is cut off.
	width := fixed.Int26_6(0)
	for _, o := range parts {
		width += o.Advance
	}
	side := size
	box := image.Rect(-side, -2*size, min(max(width.Ceil(), 0)+side, maxWidth), size+size/2)
	if box.Dy() > maxSize {
		box.Min.Y, box.Max.Y = -maxSize*2/3, maxSize/3
	}
	p := painter{to: image.NewRGBA(box), size: float32(size)}
	for _, o := range parts {
		p.face = o.Face
		for _, g := range o.Glyphs {
			p.glyph(g)
			p.pen += float32(g.Advance) / 64
		}
	}
	ink := inked(p.to)
	if ink.Empty() {
		return drawing.Writing{}
	}
	return drawing.Writing{Image: p.to.SubImage(ink).(*image.RGBA), Offset: ink.Min, Coloured: p.coloured}
}

// painter paints glyphs one after the other.
type painter struct {
	to       *image.RGBA
	size     float32
	pen      float32
	face     *font.Face
	coloured bool
}

func (p *painter) glyph(g shaping.Glyph) {
	x, y := p.pen+float32(g.XOffset)/64, -float32(g.YOffset)/64
	if b, ok := p.face.GlyphDataBitmap(g.GlyphID); ok && b.Format == font.PNG && p.bitmap(b.Data, g, x, y) {
		return
	}
	if o, ok := p.face.GlyphDataOutline(g.GlyphID); ok {
		p.outline(o, x, y)
	}
}

// bitmap paints a picture from a font in the box that the font specifies.
func (p *painter) bitmap(data []byte, g shaping.Glyph, x, y float32) bool {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width > maxBitmap || c.Height > maxBitmap {
		return false
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return false
	}
	x, y = x+float32(g.XBearing)/64, y-float32(g.YBearing)/64
	w, h := float32(g.Width)/64, -float32(g.Height)/64
	box := image.Rect(int(x), int(y), int(math.Ceil(float64(x+w))), int(math.Ceil(float64(y+h))))
	if box.Empty() || box.Dx() > maxWidth || box.Dy() > maxSize {
		return false
	}
	draw.BiLinear.Scale(p.to, box, m, m.Bounds(), draw.Over, nil)
	p.coloured = true
	return true
}

// outline paints a shape in white.
func (p *painter) outline(o font.GlyphOutline, x, y float32) {
	box := p.to.Rect
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	k := p.size / float32(p.face.Upem())
	pt := func(s font.SegmentPoint) (float32, float32) {
		return x + s.X*k - float32(box.Min.X), y - s.Y*k - float32(box.Min.Y)
	}
	for _, s := range o.Segments {
		ax, ay := pt(s.Args[0])
		bx, by := pt(s.Args[1])
		cx, cy := pt(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			r.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			r.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			r.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.ClosePath()
	r.Draw(p.to, box, image.NewUniform(color.White), image.Point{})
}

// inked returns the part of a picture that is not empty.
func inked(m *image.RGBA) (ink image.Rectangle) {
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if m.Pix[m.PixOffset(x, y)+3] != 0 {
				ink = ink.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return ink
}
