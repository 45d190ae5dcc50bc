//go:build !js

package shaping_test

import (
	"os"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"github.com/tickback/tickback/play/shaping"
)

// A font has a letter if it has a picture of it, and not otherwise.
func TestAFontHasWhatItPaints(t *testing.T) {
	w, err := shaping.Of(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	for letter, has := range map[string]bool{"a": true, "Ж": true, "ع": false, "क": false, "あ": false, "😀": false, "": false} {
		if w.Has(letter) != has {
			t.Errorf("%q: %v", letter, !has)
		}
	}
	one, two := w.Advance("Ж"), w.Advance("ЖЖ")
	p := w.Paint("ЖЖ", 40)
	if one <= 0.3 || two < 1.9*one || two > 2.1*one {
		t.Errorf("advances of %v and %v", one, two)
	}
	if p.Image == nil || p.Coloured || p.Offset.Y >= 0 || p.Image.Rect.Dx() > int(40*two)+4 || p.Image.Rect.Dx() < int(30*two) {
		t.Errorf("%v at %v", p.Image.Rect, p.Offset)
	}
}

// Arabic letters are joined: a word is narrower than the sum of its letters.
func TestArabicIsJoined(t *testing.T) {
	text, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf")
	if err != nil {
		t.Skip("there is no font of Arabic here")
	}
	w, err := shaping.Of(text)
	if err != nil {
		t.Fatal(err)
	}
	alone := float32(0)
	for _, r := range "مرحبا" {
		if !w.Has(string(r)) {
			t.Fatalf("%q is lacking", r)
		}
		alone += w.Advance(string(r))
	}
	if word := w.Advance("مرحبا"); word > 0.9*alone {
		t.Errorf("a word is %v wide, and its letters %v", word, alone)
	}
}
