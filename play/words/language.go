package words

import (
	"strings"
	"sync/atomic"
)

// Language is a language of the client. The zero value is [English].
type Language uint8

// The languages.
const (
	English Language = iota
	German
	count
)

// language has the texts and rules of a language. Keys are the English texts.
type language struct {
	tag, name string
	comma     string // the decimal sign
	texts     []map[string]string
	plurals   []map[string][2]string // by the English plural: for one, and for more
}

var languages = [count]language{
	English: {tag: "en", name: "English", comma: "."},
	German: {
		tag: "de", name: "Deutsch", comma: ",",
		texts:   germanTexts,
		plurals: germanPlurals,
	},
}

// current is the language of the texts: one for the whole program, as it has one player's screen.
var current atomic.Uint32

// Set sets the language of all texts from now on.
func Set(l Language) { current.Store(uint32(min(l, count-1))) }

// Current returns the language of the texts.
func Current() Language { return Language(current.Load()) }

// All returns all languages.
func All() []Language { return []Language{English, German} }

// Tag returns the short name of a language, such as "de".
func (l Language) Tag() string { return languages[l].tag }

// String returns a language's own name, such as "Deutsch".
func (l Language) String() string { return languages[l].name }

// Parse returns the language of a tag, such as "de", "de-AT" or "de_DE.UTF-8", in upper or lower case. ok is false if
// there is no such language.
func Parse(tag string) (l Language, ok bool) {
	tag, _, _ = strings.Cut(tag, ".")
	tag, _, _ = strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	for _, l := range All() {
		if strings.EqualFold(tag, l.Tag()) {
			return l, true
		}
	}
	return English, false
}

// Choose returns the language of the first tag that has one, or English.
func Choose(tags ...string) Language {
	for _, tag := range tags {
		if l, ok := Parse(tag); ok {
			return l
		}
	}
	return English
}
