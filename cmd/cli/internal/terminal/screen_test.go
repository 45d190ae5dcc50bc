package terminal

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A page never scrolls the screen: it has at most as many lines and columns, and no line break after the last line.
func TestPageFitsTheScreen(t *testing.T) {
	lines := []string{"12345678", "äöüß€", "", "last"}
	for height := range 6 {
		for width := range 10 {
			text := page(lines, width, height)
			rows := strings.Split(text, "\r\n")
			if text == "" {
				rows = nil
			}
			if len(rows) != min(height, len(lines)) {
				t.Errorf("%d×%d: %d rows in %q", width, height, len(rows), text)
			}
			for i, row := range rows {
				shown := []rune(strings.TrimSuffix(row, clearRight))
				if len(shown) != min(width, len([]rune(lines[i]))) {
					t.Errorf("%d×%d: row %q", width, height, row)
				}
			}
		}
	}
}

// The newest events stay below the picture, and are shown at once.
func TestMessagesBelowThePicture(t *testing.T) {
	sc := &Screen{drawn: time.Now()}
	for i := range messageLines + 3 {
		sc.Say(fmt.Sprint(i))
	}
	if len(sc.messages) != messageLines || sc.messages[0] != "3" || !sc.drawn.IsZero() {
		t.Errorf("%v, drawn %v", sc.messages, sc.drawn)
	}
}
