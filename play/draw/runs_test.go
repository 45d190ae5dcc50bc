package draw_test

import (
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
)

// blocks writes each letter as a block of half its size, and records the calls. It lacks Devanagari.
type blocks struct {
	loading bool
	asked   []string
}

func (b *blocks) Ready() bool                 { return !b.loading }
func (b *blocks) Has(letter string) bool      { return !strings.ContainsRune(letter, 'क') }
func (b *blocks) Advance(text string) float32 { return float32(letters.Count(text)) / 2 }

func (b *blocks) Paint(text string, size int) draw.Writing {
	b.asked = append(b.asked, text)
	m := image.NewRGBA(image.Rect(0, -size, letters.Count(text)*size/2, 0))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i+1], m.Pix[i+3] = 255, 255 // green
	}
	return draw.Writing{Image: m, Offset: m.Rect.Min, Coloured: true}
}

// written draws a text with a writer, and returns its width and the picture.
func written(w draw.Writer, text string) (width float32, m *image.RGBA) {
	m = painted(1, func(c *draw.Canvas) {
		c.Atlas.Writer = w
		width = c.Text(draw.Point{Y: 60}, 20, draw.Left, white, text)
		if got := c.TextWidth(20, text); got != width {
			panic("a text is as wide as it is written")
		}
	})
	return width, m
}

// green returns how many pixels have a colour of their own.
func green(m *image.RGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i+1] > 200 && m.Pix[i] < 50 {
			n++
		}
	}
	return n
}

// Text that the built-in font lacks is written by the writer, in runs of one direction, in its own colours.
func TestTheWriterWritesWhatTheFontLacks(t *testing.T) {
	for text, runs := range map[string][]string{
		"Ada ß Ж":               nil,
		"a مرحبا ب b":           {"مرحبا ب"},
		"😀a😀":                   {"😀"}, // the second one is in the atlas already
		"عあ":                    {"ع", "あ"},
		"a\u202Eب\u202C\u200Fc": {"ب"},
		"\u202E\u200D":          nil,
		"می\u200Cخ":             {"می\u200Cخ"}, // which is not joined there
	} {
		var w blocks
		_, m := written(&w, text)
		if !slices.Equal(w.asked, runs) {
			t.Errorf("%q is written as %q, not %q", text, w.asked, runs)
		}
		if got := green(m); (got > 0) != (runs != nil) {
			t.Errorf("%q has %d coloured pixels", text, got)
		}
	}
}

// A letter that no font has becomes a question mark, and so does every such letter while fonts are loaded.
func TestWhatNoFontHasIsAQuestionMark(t *testing.T) {
	wide, mark := written(nil, "a?b")
	for text, w := range map[string]draw.Writer{"aकb": &blocks{}, "aعb": &blocks{loading: true}, "a👨\u200D👩b": nil} {
		if width, m := written(w, text); width != wide || !slices.Equal(m.Pix, mark.Pix) {
			t.Errorf("%q is not written as a?b", text)
		}
	}
	w, c := &blocks{loading: true}, draw.NewCanvas(draw.NewAtlas())
	c.Atlas.Writer = w
	before := c.TextWidth(20, "عع")
	if w.loading = false; c.TextWidth(20, "عع") != 20 || before == 20 {
		t.Error("a text is not written again when the fonts are there")
	}
}

// A text of any length stays inside the atlas.
func TestALongTextFitsIntoTheAtlas(t *testing.T) {
	w := &blocks{}
	for _, text := range []string{strings.Repeat("あ", 500), "あ" + strings.Repeat("\u0301", 10_000)} {
		c := draw.NewCanvas(draw.NewAtlas())
		c.Atlas.Writer = w
		for _, size := range []float32{8, 112, 400} {
			c.Begin(1)
			c.Text(draw.Point{}, size, draw.Left, white, text)
			for _, v := range c.Vertices {
				if v.U < 0 || v.V < 0 || v.U > draw.AtlasSize || v.V > draw.AtlasSize {
					t.Fatalf("%d bytes at %v: a corner at %v, %v", len(text), size, v.U, v.V)
				}
			}
		}
	}
	for _, asked := range w.asked {
		if letters.Count(asked) > 32 || len(asked) > 32*64 {
			t.Errorf("a run of %d bytes", len(asked))
		}
	}
}
