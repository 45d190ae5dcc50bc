package letters

import (
	"strings"
	"syscall/js"
	"unicode"
	"unicode/utf8"
)

// The page asks the browser, which knows the rules anyway: their tables would be a fiftieth of the page.

const (
	// longest is how many bytes of a text the browser sees at once, and so the longest letter.
	longest = 256
	// remembered bounds the letters that are not asked for again.
	remembered = 1024
)

var (
	segmenter = newSegmenter()
	known     = map[string]int{}
)

// newSegmenter returns what cuts text into letters, or undefined in an old browser.
func newSegmenter() js.Value {
	class := js.Global().Get("Intl").Get("Segmenter")
	if class.IsUndefined() {
		return class
	}
	return class.New(js.Undefined(), map[string]any{"granularity": "grapheme"})
}

// first returns how many bytes the first letter of a text has, which is not empty.
func first(text string) int {
	seen := text
	if len(seen) > longest {
		seen = seen[:longest]
		for !utf8.RuneStart(text[len(seen)]) && len(seen) > longest-utf8.UTFMax {
			seen = seen[:len(seen)-1]
		}
	}
	if n, ok := known[seen]; ok {
		return n
	}
	if len(known) >= remembered {
		clear(known)
	}
	n := segment(seen)
	known[strings.Clone(seen)] = n
	return n
}

func segment(text string) int {
	if segmenter.IsUndefined() || !utf8.ValidString(text) {
		return base(text)
	}
	letter := segmenter.Call("segment", text).Call("containing", 0).Get("segment").String()
	if letter == "" || !strings.HasPrefix(text, letter) {
		return base(text)
	}
	return len(letter)
}

// base returns how many bytes a code point has, with the marks and the joined code points behind it.
func base(text string) (n int) {
	for joined := true; n < len(text); {
		r, size := utf8.DecodeRuneInString(text[n:])
		if n > 0 && !joined && !unicode.IsMark(r) && r != joiner {
			break
		}
		joined = r == joiner
		n += size
	}
	return n
}
