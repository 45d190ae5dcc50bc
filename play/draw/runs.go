package draw

import (
	"image"
	"strings"
	"unicode/utf8"

	"github.com/tickback/tickback/play/letters"
)

// Writer writes what the built-in font lacks: other scripts, and emoji.
type Writer interface {
	// Ready reports whether the fonts are loaded. Before that, nothing else is called.
	Ready() bool
	// Has reports whether some font has a letter, which is a grapheme cluster.
	Has(letter string) bool
	// Advance returns how far a text advances the pen, relative to the size.
	Advance(text string) float32
	// Paint paints a text in a size in pixels: white, or in its own colours.
	Paint(text string, size int) Writing
}

// Writing is a painted text.
type Writing struct {
	// Image is premultiplied; nil means a text without ink.
	Image *image.RGBA
	// Offset is the position of the image's upper left corner relative to the pen.
	Offset image.Point
	// Coloured says that it has colours of its own.
	Coloured bool
}

const (
	// maxRun is the maximum number of letters that are drawn as one picture.
	maxRun = 32
	// maxLetter is the maximum size of a letter in bytes: four times what any language needs.
	maxLetter = 64
	// maxPicture limits the height of such a picture, in pixels, and twice as much limits its width: the largest
	// is half of the atlas.
	maxPicture = AtlasSize / 2
	// maxLines is how many texts are cached with their runs.
	maxLines = 512
	// stands is the replacement for a letter that no font has.
	stands = "?"
)

// run is a part of a text: in the built-in font, or a picture by the writer.
type run struct {
	text    string
	foreign bool
	rtl     bool
	advance float32
}

// plain reports whether a text only has characters that every font has.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// own reports whether the built-in font has all parts of a letter.
func (a *Atlas) own(letter string) bool {
	for _, r := range letter {
		if i, err := a.font.GlyphIndex(&a.buffer, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// runs splits a text. Invisible characters, and those that change the direction of others, are removed, so that a
// name affects nothing around it.
func (a *Atlas) runs(text string) []run {
	if a.ready != (a.Writer != nil && a.Writer.Ready()) {
		a.ready = !a.ready
		a.lines = map[string][]run{}
	}
	if runs, ok := a.lines[text]; ok {
		return runs
	}
	var runs []run
	for rest := letters.Visible(text); rest != ""; {
		var letter string
		if letter, rest = letters.Next(rest); len(letter) > maxLetter {
			letter = stands
		}
		runs = a.addLetter(runs, letter)
	}
	for i := range runs {
		if r := &runs[i]; r.foreign {
			r.advance = min(max(a.Writer.Advance(r.text), 0), 4*maxRun)
		}
	}
	if len(a.lines) >= maxLines {
		clear(a.lines)
	}
	a.lines[strings.Clone(text)] = runs
	return runs
}

// addLetter adds a letter to the last run, or to a new one.
func (a *Atlas) addLetter(runs []run, letter string) []run {
	r := run{text: letter, foreign: !a.own(letter), rtl: letters.RightToLeft(letter)}
	if r.foreign && !(a.ready && a.Writer.Has(letter)) {
		r = run{text: stands}
	}
	n := len(runs)
	if n > 0 && runs[n-1].foreign == r.foreign && runs[n-1].rtl == r.rtl && (!r.foreign || letters.Count(runs[n-1].text) < maxRun) {
		runs[n-1].text += r.text
		return runs
	}
	if n > 1 && r.foreign && runs[n-1].text == " " && runs[n-2].foreign && runs[n-2].rtl == r.rtl &&
		letters.Count(runs[n-2].text) < maxRun-1 {
		// Words of one script are one run: the first font may be the right one for all.
		runs[n-2].text += " " + r.text
		return runs[:n-1]
	}
	return append(runs, r)
}

// pictureKey is a picture of a run.
type pictureKey struct {
	text string
	size int
}

// picture is the picture of a run in the atlas.
type picture struct {
	glyph
	coloured bool
}

// picture returns the picture of a run, and paints it if it is new.
func (a *Atlas) picture(r *run, size int) picture {
	key := pictureKey{r.text, size}
	if p, ok := a.pictures[key]; ok {
		return p
	}
	w := a.Writer.Paint(r.text, size)
	if w.Image == nil || w.Image.Rect.Empty() {
		a.pictures[key] = picture{}
		return picture{}
	}
	from := w.Image.Rect
	from.Max.X, from.Max.Y = min(from.Max.X, from.Min.X+2*maxPicture-1), min(from.Max.Y, from.Min.Y+maxPicture)
	at, ok := a.room(from.Size())
	if !ok {
		a.reset()
		at, _ = a.room(from.Size())
	}
	to := image.Rectangle{at, at.Add(from.Size())}
	for y := range from.Dy() { // package image/draw would add half a percent to the page's size
		copy(a.Image.Pix[a.Image.PixOffset(to.Min.X, to.Min.Y+y):], w.Image.Pix[w.Image.PixOffset(from.Min.X, from.Min.Y+y):][:4*from.Dx()])
	}
	p := picture{glyph{to, w.Offset}, w.Coloured}
	a.pictures[key] = p
	a.coloured = a.coloured || w.Coloured
	a.Changed = true
	return p
}

// pictureSize returns the size in which a run is painted, for a height in pixels: its picture fits into the atlas.
func pictureSize(pixels, advance float32) int {
	size := glyphSize(pixels)
	const room = 2*maxPicture - 64 // the rest is for parts that stick out at both ends
	if float32(size)*advance > room {
		size = max(int(room/advance), 1)
	}
	return size
}
