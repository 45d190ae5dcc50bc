package words

import (
	"os"
	"regexp"
	"testing"
)

var (
	pageUse  = regexp.MustCompile(`\bt\("([^"]*)"\)`)
	pageText = regexp.MustCompile(`(?m)^    "([^"]*)": "([^"]+)",$`)
	literal  = regexp.MustCompile(`"([^"\n]*)"`)
	// phrase matches something that looks like a text.
	phrase = regexp.MustCompile(`^[A-Z][a-z]+$|^[A-Za-z]+[.:,]? [A-Za-z]|[A-Za-z]{2} $`)
)

// technical are literals of the loader that nobody reads.
var technical = map[string]bool{"use strict": true, "Content-Type": true, "Space": true, "Backspace": true}

// The page around the game has its texts in its loader, each with a German translation, and there are no other
// translations.
func TestThePageIsComplete(t *testing.T) {
	b, err := os.ReadFile("../web/loader.js")
	if err != nil {
		t.Fatal(err)
	}
	used, german := map[string]bool{}, map[string]bool{}
	for _, m := range pageUse.FindAllSubmatch(b, -1) {
		used[string(m[1])] = true
	}
	for _, m := range pageText.FindAllSubmatch(b, -1) {
		german[string(m[1])] = true
	}
	if len(used) < 10 {
		t.Fatalf("%d texts: the loader is not read", len(used))
	}
	for text := range used {
		if !german[text] {
			t.Errorf("no text for %q", text)
		}
	}
	for text := range german {
		if !used[text] {
			t.Errorf("nothing shows %q", text)
		}
	}
	rest := pageText.ReplaceAll(pageUse.ReplaceAll(b, nil), nil)
	for _, m := range literal.FindAllSubmatch(rest, -1) {
		if text := string(m[1]); phrase.MatchString(text) && !technical[text] {
			t.Errorf("%q avoids the table", text)
		}
	}
}
