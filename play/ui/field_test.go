package ui_test

import (
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// A field takes what is typed while it has the focus, and no more than it may.
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
