// Package letters splits and cleans text by what people perceive as a letter: a grapheme cluster, such as an accented
// letter, a syllable of Devanagari, or an emoji of several code points.
package letters

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxMarks is the maximum number of combining marks that a letter keeps: languages need up to four.
	maxMarks = 4
	// maxParts is the maximum number of code points that a letter keeps: an emoji of a family with skin colours has
	// eleven.
	maxParts = 16
	joiner   = '\u200D' // joins emoji, and letters of Indic scripts
	parted   = '\u200C' // separates letters of Persian and of Indic scripts
)

// Next returns the first letter of a text, and the rest. Every text that is not empty has a letter.
func Next(text string) (letter, rest string) {
	if len(text) > 1 && text[0] < utf8.RuneSelf && text[1] < utf8.RuneSelf && text[0] != '\r' {
		return text[:1], text[1:]
	}
	if text == "" {
		return "", ""
	}
	n := first(text)
	return text[:n], text[n:]
}

// Count returns how many letters a text has.
func Count(text string) (n int) {
	for text != "" {
		_, text = Next(text)
		n++
	}
	return n
}

// WithoutLast returns a text without its last letter.
func WithoutLast(text string) string {
	last := 0
	for rest := text; rest != ""; {
		last = len(text) - len(rest)
		_, rest = Next(rest)
	}
	return text[:last]
}

// Clean makes an untrusted text safe to show on one line: at most most letters in at most bytes bytes, with single
// spaces between words, and otherwise as [Visible] returns it. Cleaning again changes nothing.
func Clean(text string, most, bytes int) string {
	text = Visible(text)
	var b strings.Builder
	last := " "
	for n := 0; text != "" && n < most; {
		var letter string
		letter, text = Next(text)
		if letter == " " && last == " " || letter != " " && isSpace(letter) {
			continue
		}
		if b.Len()+len(letter) > bytes {
			break
		}
		b.WriteString(letter)
		last = letter
		n++
	}
	return strings.TrimRight(b.String(), " "+string(joiner)+string(parted))
}

func isSpace(letter string) bool {
	r, _ := utf8.DecodeRuneInString(letter)
	return unicode.Is(unicode.Zs, r)
}

// Visible removes characters that are invisible or change the direction of the text, and more combining marks than a
// letter has in any language. Characters that join or separate letters are kept between these.
func Visible(text string) string {
	var b strings.Builder
	var last rune // the last character that was written
	marks, parts := 0, 0
	write := func(r rune) { b.WriteRune(r); last = r }
	for i, r := range text {
		switch {
		case unicode.Is(unicode.Zs, r):
			marks, parts = 0, 0
			write(r)
		case r == joiner || r == parted:
			// It needs a letter on each side.
			next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if joins(last) && joins(next) && !unicode.IsMark(next) && parts < maxParts-1 {
				parts++
				write(r)
			}
		case !Shown(r):
		case unicode.IsMark(r):
			if joined := last == joiner || last == parted; last != 0 && !joined && !unicode.Is(unicode.Zs, last) && marks < maxMarks && parts < maxParts-1 {
				marks, parts = marks+1, parts+1
				write(r)
			}
		default:
			if marks = 0; last != joiner {
				parts = 0
			}
			parts++
			write(r)
		}
	}
	return b.String()
}

// joins reports whether a joiner next to this character has a meaning.
func joins(r rune) bool {
	return r >= 0x300 && Shown(r)
}

// Shown reports whether a code point is drawn by itself: it is neither a control character nor a modifier of other
// characters.
func Shown(r rune) bool {
	return unicode.IsPrint(r) && r != unicode.ReplacementChar
}

// RightToLeft reports whether a letter belongs to a script that is written from right to left. The digits of those
// scripts do not.
func RightToLeft(letter string) bool {
	r, _ := utf8.DecodeRuneInString(letter)
	if unicode.IsDigit(r) {
		return false
	}
	for _, s := range [...][2]rune{{0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}} {
		if r >= s[0] && r <= s[1] {
			return true
		}
	}
	return false
}
