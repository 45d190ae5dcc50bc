package letters

import (
	"strings"
	"syscall/js"
	"unicode/utf8"
)

// The page uses the browser's rules for letters: tables of its own would make it two percent larger.

const (
	// longest is the number of bytes of a text that the browser gets at once, which is also the maximum
	// length of a letter.
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
