package letters

import (
	"strings"
	"syscall/js"
	"unicode/utf8"
)

// The page asks the browser, which knows the rules anyway: their tables would be a fiftieth of the page.

const (
	// longest is how many bytes of a text the browser gets at once, and so the longest letter.
	longest = 256
	// remembered is how many letters are cached.
	remembered = 1024
)

var known = map[string]int{}

// first returns the number of bytes of the first letter of a text, which must not be empty.
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
	_, n := utf8.DecodeRuneInString(seen)
	if utf8.ValidString(seen) {
		if letter := js.Global().Call("tickbackLetter", seen).String(); strings.HasPrefix(seen, letter) {
			n = max(n, len(letter))
		}
	}
	known[strings.Clone(seen)] = n
	return n
}
