package controls

import (
	"testing"

	"github.com/tickback/tickback/play/words"
)

// A key is named by its label in the layout of the keyboard, if that is known.
func TestKeysAreCalledByWhatIsPrintedOnThem(t *testing.T) {
	azerty := func(k Key) string {
		return map[Key]string{"KeyA": "q", "KeyW": "z", "Quote": "ù", "KeyS": " ", "KeyD": "\x1b", "ArrowLeft": "left", "Space": " "}[k]
	}
	for _, c := range []struct {
		key   Key
		named func(Key) string
		want  string
	}{
		{"KeyA", nil, "A"},
		{"KeyA", azerty, "Q"},
		{"KeyW", azerty, "Z"},
		{"Quote", azerty, "Ù"},
		{"KeyJ", azerty, "J"},
		{"KeyS", azerty, "S"},
		{"KeyD", azerty, "D"}, // invisible characters are not a name
		{"ArrowLeft", azerty, "←"},
		{"Space", azerty, "Space"},
		{"ShiftRight", nil, "Right Shift"},
		{"Digit1", nil, "1"},
		{"Period", nil, "."},
		{"Backquote", nil, "`"},
		{"Numpad4", nil, "Num 4"},
		{"F5", nil, "F5"},
		{"IntlBackslash", nil, "IntlBackslash"},
	} {
		if got := c.key.Label(c.named); got != c.want {
			t.Errorf("%s is called %q, want %q", c.key, got, c.want)
		}
	}
	words.Set(words.German)
	t.Cleanup(func() { words.Set(words.English) })
	if got := Key("Space").Label(nil); got != "Leertaste" {
		t.Errorf("the space bar is called %q in German", got)
	}
}
