package window

import (
	"bytes"
	"fmt"
	"image"
	"syscall/js"
	"unicode/utf8"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
)

// browser writes text on a canvas of the page, outside of its document: the browser shapes it, with the
// fonts of the system.
type browser struct {
	canvas, pen js.Value
}

// writer returns what writes the text that the built-in font lacks: the browser.
func writer() draw.Writer {
	canvas := js.Global().Get("document").Call("createElement", "canvas")
	options := js.Global().Get("Object").New()
	options.Set("willReadFrequently", true)
	pen := canvas.Call("getContext", "2d", options)
	if pen.IsNull() {
		return nil // the built-in font does its best
	}
	return &browser{canvas, pen}
}

// Ready reports that the fonts are there.
func (b *browser) Ready() bool { return true }

// unit is the size in which advances are measured.
const unit = 100

// font chooses a size, and the direction of a text.
func (b *browser) font(text string, size int) {
	b.pen.Set("font", fmt.Sprintf("bold %dpx sans-serif", size))
	direction := "ltr"
	if letters.RightToLeft(text) {
		direction = "rtl"
	}
	b.pen.Set("direction", direction)
	b.pen.Set("textAlign", "left")
	b.pen.Set("textBaseline", "alphabetic")
	b.pen.Set("fillStyle", "#fff")
}

// Advance returns how far a text advances the pen, relative to the size.
func (b *browser) Advance(text string) float32 {
	b.font(text, unit)
	return float32(b.pen.Call("measureText", text).Get("width").Float()) / unit
}

// Has reports whether a font has a letter. Browsers do not say, but they draw a box for what no font has:
// an empty one, or one with the number of the code point.
func (b *browser) Has(letter string) bool {
	r, n := utf8.DecodeRuneInString(letter)
	for _, r := range letter[n:] {
		if !letters.Changes(r) && b.boxed(string(r)) && b.boxed(letter) {
			return false
		}
	}
	return !b.boxed(string(r))
}

// No code points, now and ever. Browsers draw four digits into the box of the first, and six into that of the second.
const nothing, nothingHigh = "\uFFFF", "\U0010FFFF"

// boxed reports whether a text is drawn as the box of a missing letter.
func (b *browser) boxed(text string) bool {
	const size = 32
	got := b.Paint(text, size).Image
	if got == nil {
		return false
	}
	for _, none := range [...]string{nothing, nothingHigh} {
		if box := b.Paint(none, size).Image; box != nil && sameEdge(got, box) {
			return true
		}
	}
	return false
}

// sameEdge reports whether two pictures are of the same size, and have the same edge.
func sameEdge(a, b *image.RGBA) bool {
	w, h := a.Rect.Dx(), a.Rect.Dy()
	if w != b.Rect.Dx() || h != b.Rect.Dy() {
		return false
	}
	row := func(m *image.RGBA, y int) []byte {
		from := m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y)
		return m.Pix[from : from+4*w]
	}
	for y := range h {
		p, q := row(a, y), row(b, y)
		if (y == 0 || y == h-1) && !bytes.Equal(p, q) || !bytes.Equal(p[:4], q[:4]) || !bytes.Equal(p[4*w-4:], q[4*w-4:]) {
			return false
		}
	}
	return true
}

// Paint paints a text.
func (b *browser) Paint(text string, size int) draw.Writing {
	b.font(text, size)
	advance := int(b.pen.Call("measureText", text).Get("width").Float()) + 1
	left, base := size, 2*size
	w, h := min(advance+2*size, draw.AtlasSize), min(3*size+size/2, draw.AtlasSize/2)
	b.canvas.Set("width", w) // which empties it, and forgets how it writes
	b.canvas.Set("height", h)
	b.font(text, size)
	b.pen.Call("fillText", text, left, base)
	m := image.NewRGBA(image.Rect(-left, -base, w-left, h-base))
	js.CopyBytesToGo(m.Pix, b.pen.Call("getImageData", 0, 0, w, h).Get("data"))
	ink, coloured := premultiply(m)
	if ink.Empty() {
		return draw.Writing{}
	}
	return draw.Writing{Image: m.SubImage(ink).(*image.RGBA), Offset: ink.Min, Coloured: coloured}
}

// premultiply multiplies colours with their alpha, as pages do not. It returns where there is ink, and whether
// some of it is not white.
func premultiply(m *image.RGBA) (ink image.Rectangle, coloured bool) {
	for i := 0; i < len(m.Pix); i += 4 {
		p := m.Pix[i : i+4 : i+4]
		if p[3] == 0 {
			continue
		}
		x, y := m.Rect.Min.X+i/4%m.Rect.Dx(), m.Rect.Min.Y+i/4/m.Rect.Dx()
		ink = ink.Union(image.Rect(x, y, x+1, y+1))
		coloured = coloured || p[3] > 128 && min(p[0], p[1], p[2]) < 220
		for c := range 3 {
			p[c] = uint8(int(p[c]) * int(p[3]) / 255)
		}
	}
	return ink, coloured
}
