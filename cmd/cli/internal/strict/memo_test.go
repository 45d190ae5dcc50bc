package strict

import (
	"bytes"
	"os"
	"regexp"
	"testing"
)

// Rule: the memo of a folder is only valid for a command that makes package math in the same way: its name depends on
// the sources of all code that makes it.
func TestMemosBelongToOneWayOfMakingMath(t *testing.T) {
	for _, f := range []string{"made", "merged", "replaced", "edited", "bodies"} {
		declared := regexp.MustCompile(`(?m)^func ` + f + `\(`)
		known := false
		entries, err := makers.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := makers.ReadFile(e.Name())
			if now, other := os.ReadFile(e.Name()); err != nil || other != nil || !bytes.Equal(text, now) {
				t.Fatalf("%s: %v, %v", e.Name(), err, other)
			}
			known = known || declared.Match(text)
		}
		if !known {
			t.Errorf("%s is in none of the files that the name of a memo depends on", f)
		}
	}
	was := madeBy
	defer func() { madeBy = was }()
	name := func(by string) string {
		madeBy = func() string { return by }
		file, err := memoOf("cache", ".", nil)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	if first, second := name("a"), name("a"); first != second || first == name("b") || len(was()) != 64 {
		t.Error("the name of a memo does not depend on what makes package math")
	}
}
