package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func listed(t *testing.T, text string) ([]equivalent, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readEquivalents(path)
}

func TestEquivalentsAreRead(t *testing.T) {
	list, err := listed(t, "# about\n#\n\na (*T).f\n\tx := 1\n\t1 to 2\n\tone line,\n\tand another\n\n\nb -\nconst c = 1\n1 to 0\nwhy\n")
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if list[0].Key != (Key{"a", "(*T).f", "x := 1", "1 to 2"}) || list[0].reason != "one line, and another" || list[0].line != 4 {
		t.Errorf("%+v", list[0])
	}
	if list[1].Key != (Key{"b", "-", "const c = 1", "1 to 0"}) || list[1].reason != "why" {
		t.Errorf("%+v", list[1])
	}
}

func TestAListWithMistakesIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a f\nx\n1 to 2\n", "at least four lines"},
		{"a\nx\n1 to 2\nwhy\n", "no package and function"},
		{"a f\nx\n1 to 2\nwhy\n\na f\nx\n1 to 2\nelse\n", "listed twice"},
	} {
		if _, err := listed(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// Rule: a mutant of the list is not tried; one that does not exist is an error, unless
// its package is not looked at.
func TestStaleEquivalentsAreAnError(t *testing.T) {
	m := &Mutant{Key: Key{"a", "f", "x := 1", "1 to 2"}}
	other := &Mutant{Key: Key{"a", "f", "x := 1", "1 to 0"}}
	e := equivalent{Key: m.Key, line: 7}
	rest, out, err := split([]*Mutant{m, other}, []equivalent{e}, []string{"a"})
	if len(rest) != 1 || rest[0] != other || len(out) != 1 || err != nil {
		t.Errorf("%d, %d, %v", len(rest), len(out), err)
	}
	if _, _, err = split([]*Mutant{other}, []equivalent{e}, []string{"a"}); err == nil || !strings.Contains(err.Error(), "line 7") {
		t.Errorf("it is gone: %v", err)
	}
	if _, _, err = split(nil, []equivalent{e}, []string{"b"}); err != nil {
		t.Errorf("not looked at: %v", err)
	}
}
