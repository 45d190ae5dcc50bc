package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/letters"
)

// families are letters of 18 bytes and five code points each; others are an accent, a flag, and a syllable.
var families = strings.Split("👨\u200D👩\u200D👧 e\u0301 🇩🇪 षि", " ")

// whole reports whether a text consists only of whole letters of these kinds.
func whole(text string) bool {
	for text != "" {
		var letter string
		if letter, text = letters.Next(text); letter != " " && !slices.Contains(families, letter) {
			return false
		}
	}
	return true
}

// Rule: a text is only cut between letters, and the visible part is as wide as allowed.
func TestTextIsCutBetweenLetters(t *testing.T) {
	c := draw.NewCanvas(draw.NewAtlas())
	text := strings.Repeat(strings.Join(families, ""), 8)
	for width := float32(20); width < 380; width += 3 {
		cut := app.Fit(c, text, 20, width)
		begin, ok := strings.CutSuffix(cut, "...")
		if whole := whole(begin); !ok || !whole || !strings.HasPrefix(text, begin) {
			t.Fatalf("%v wide, it is cut to %q", width, cut)
		}
		if w := c.TextWidth(20, cut); w > width && begin != "" || w < min(width, c.TextWidth(20, text))-25 {
			t.Errorf("a line of %v in %v", w, width)
		}
	}
	if got := app.Fit(c, text, 20, 1000); got != text {
		t.Errorf("a text that fits is cut to %q", got)
	}
}

// Rule: lines break between words, and inside a word only if it is too wide, between its letters; nothing is lost.
func TestLinesBreakBetweenLetters(t *testing.T) {
	c := draw.NewCanvas(draw.NewAtlas())
	long := strings.Repeat(strings.Join(families, ""), 8)
	text := "We watch: " + long + " and Ada"
	for width := float32(90); width < 600; width += 3 {
		lines := app.Wrap(c, text, 20, width)
		for _, l := range lines {
			if w := c.TextWidth(20, l); w > width {
				t.Errorf("a line of %v in %v", w, width)
			}
		}
		joined := strings.Join(lines, "\n")
		for _, l := range lines {
			rest := strings.NewReplacer("We", "", "watch:", "", "and", "", "Ada", "").Replace(l)
			if !whole(rest) {
				t.Fatalf("a letter is cut: %q", joined)
			}
		}
		if none := strings.NewReplacer("\n", "", " ", ""); none.Replace(joined) != none.Replace(text) {
			t.Fatalf("%q is broken to %q", text, joined)
		}
	}
	lines := fmt.Sprintf("%q", app.Wrap(c, "a b\nc", 20, 500))
	if want := `["a b c"]`; lines != want {
		t.Errorf("%s, want %s", lines, want)
	}
}
