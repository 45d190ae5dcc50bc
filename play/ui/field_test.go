package ui_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// A field takes typed text while it has the focus, up to its maximum length.
func TestAFieldIsTypedInto(t *testing.T) {
	var u ui.UI
	c := draw.NewCanvas(draw.NewAtlas())
	text, asked := "Ad", false
	picture := func(in ui.Input) {
		c.Begin(1)
		u.Begin(c, in, 1.0/60)
		text, asked = u.Field(draw.Box{W: 300, H: 40}, "Name", text, 5)
		u.Button(draw.Box{Y: 50, W: 300, H: 40}, "Go")
		u.End()
	}
	picture(ui.Input{Text: []rune("a\x08ß€xyz")})
	if text != "Adaß€" || !u.Typing {
		t.Errorf("the text is %q", text)
	}
	picture(ui.Input{Erase: true})
	picture(ui.Input{Accept: true})
	if text != "Adaß" || !asked {
		t.Errorf("the text is %q, asked %v", text, asked)
	}
	picture(ui.Input{DownKey: true})
	picture(ui.Input{Text: []rune("no"), Erase: true})
	if text != "Adaß" || u.Typing {
		t.Errorf("without the focus the text is %q", text)
	}
}

// Rule: typing, erasing and counting in a field work on whole letters, however many code points they have.
func TestAFieldCountsLetters(t *testing.T) {
	var u ui.UI
	c := draw.NewCanvas(draw.NewAtlas())
	text := ""
	picture := func(in ui.Input, want string) {
		t.Helper()
		c.Begin(1)
		u.Begin(c, in, 1.0/60)
		text, _ = u.Field(draw.Box{W: 300, H: 40}, "Name", text, 4)
		u.End()
		if text != want {
			t.Errorf("the text is %q, want %q", text, want)
		}
	}
	const family, accent, flag, syllable = "👨\u200D👩\u200D👧", "e\u0301", "🇩🇪", "षि"
	whole := family + accent + flag + syllable
	for _, r := range whole { // one code point in each picture, as keyboards send them
		picture(ui.Input{Text: []rune{r}}, text+string(r))
	}
	picture(ui.Input{Text: []rune("x" + family)}, whole)
	picture(ui.Input{Erase: true}, family+accent+flag)
	picture(ui.Input{Erase: true, Text: []rune(syllable)}, family+accent+syllable)
	picture(ui.Input{Erase: true}, family+accent)
	picture(ui.Input{Erase: true}, family)
	picture(ui.Input{Erase: true}, "")
	picture(ui.Input{Erase: true}, "")
	picture(ui.Input{Text: []rune("e" + strings.Repeat("\u0301", 1000))}, "e"+strings.Repeat("\u0301", 63)) // 4 letters of 32 bytes
}
