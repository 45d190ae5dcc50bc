package letters_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tickback/tickback/play/letters"
)

const family = "👨\u200D👩\u200D👧"

// A letter is what people consider one: including its marks and vowels, or an emoji of several code points.
func TestALetterIsAGraphemeCluster(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "e\u0301": 1, "षि": 1, family: 1, "🇩🇪🇫🇷": 2, "مرحبا": 5, "\r\n": 1} {
		if n := letters.Count(text); n != want {
			t.Errorf("%q has %d letters, not %d", text, n, want)
		}
	}
	for text, want := range map[string]string{"": "", "ab": "a", "ae\u0301": "a", "x" + family: "x", "🇩🇪🇫🇷": "🇩🇪"} {
		if got := letters.WithoutLast(text); got != want {
			t.Errorf("%q without its last letter is %q", text, got)
		}
	}
}

// A text from other machines is cut between letters, and contains nothing that is invisible or changes the direction of
// the text.
func TestAForeignTextIsCleaned(t *testing.T) {
	for text, want := range map[string]string{
		"  a  b  ":                             "a b",
		"a\u202Eb\u2066c\u200Fd\u061C":         "abcd",
		"\u200B\u200D\uFEFF":                   "",
		"z" + strings.Repeat("\u0301", 10_000): "z" + strings.Repeat("\u0301", 4),
		family + "\u200D":                      family,
		family + family:                        family, // 18 bytes each
		"a\u200Db":                             "ab",
		"नमस्ते दुनिया":                        "नमस्ते दुनि",
		"می\u200Cخواهم":                        "می\u200Cخواهم",
		"\u0301\u0302x":                        "x",
	} {
		if got := letters.Clean(text, 12, 32); got != want {
			t.Errorf("%q is cleaned to %q, not %q", text, got, want)
		}
	}
}

// Characters that join or separate letters stay between them, even where the text is cut: rooms refuse other names.
func TestNoJoinerIsLeftAlone(t *testing.T) {
	for _, text := range []string{"क्\u200Dष", "می\u200Cخ", "👨\u200D👩", "क्\u200D", "\u200Cم"} {
		for most := range 4 {
			for bytes := range 20 {
				if got := letters.Clean(text, most, bytes); strings.Trim(got, joiners) != got {
					t.Errorf("%q is cleaned to %q", text, got)
				}
			}
		}
	}
}

const joiners = "\u200C\u200D"

// Rules: the result keeps its limits, is valid, does not change when cleaned again, and only loses whole letters at the
// end.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"Ada", family, "e\u0301\u0301", "\u202Eab", "a\xFF", "🇩🇪🇫", "क्षि", "\u200D\u200D", "가\u1100"} {
		f.Add(s, 12, 32)
	}
	f.Fuzz(func(t *testing.T, s string, most, bytes int) {
		most, bytes = most&63, bytes&255
		got := letters.Clean(s, most, bytes)
		if len(got) > bytes || letters.Count(got) > most || !utf8.ValidString(got) || strings.Trim(got, " "+joiners) != got {
			t.Errorf("%q: %q", s, got)
		}
		if again := letters.Clean(got, most, bytes); again != got {
			t.Errorf("%q, then %q", got, again)
		}
		whole := ""
		for rest := s; rest != ""; {
			var letter string
			if letter, rest = letters.Next(rest); letter == "" {
				t.Fatal("a letter of no bytes")
			}
			whole += letter
		}
		if whole != s {
			t.Errorf("the letters of %q are %q", s, whole)
		}
		if less := letters.WithoutLast(s); s != "" && (len(less) >= len(s) || !strings.HasPrefix(s, less)) {
			t.Errorf("%q without its last letter is %q", s, less)
		}
	})
}
