package window

import (
	"image"
	"syscall/js"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
)

// browser writes text with the browser, which shapes it, and has the fonts of the system: see writer.js. This way the
// program does not become larger.
type browser struct {
	page js.Value // not embedded: the program would have all of its methods, too
}

// writer returns the writer for text that the built-in font lacks: the browser.
func writer() draw.Writer {
	w := js.Global().Get("tickbackWriter")
	if w.IsUndefined() {
		return nil // the built-in font is used
	}
	return &browser{w}
}

// Ready returns true: the browser always has its fonts.
func (b *browser) Ready() bool { return true }

// Has reports whether a font has a letter.
func (b *browser) Has(letter string) bool { return b.page.Call("has", letter).Bool() }

// Advance returns how far a text advances the pen, relative to the size.
func (b *browser) Advance(text string) float32 {
	return float32(b.page.Call("advance", text, letters.RightToLeft(text)).Float())
}

// Paint paints a text.
func (b *browser) Paint(text string, size int) draw.Writing {
	p := b.page.Call("paint", text, size, letters.RightToLeft(text), draw.AtlasSize)
	at := image.Pt(p.Get("x").Int(), p.Get("y").Int())
	m := image.NewRGBA(image.Rectangle{at, at.Add(image.Pt(p.Get("w").Int(), p.Get("h").Int()))})
	js.CopyBytesToGo(m.Pix, p.Get("pixels"))
	return draw.Writing{Image: m, Offset: at, Coloured: p.Get("coloured").Bool()}
}
