package main

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// mutantsOf returns the mutants of one source file, by their changes and by what the
// file is then.
func mutantsOf(t *testing.T, src string) (changes []string, sources map[string]string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	file := t.TempDir() + "/a.go"
	cfg := &packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
		Overlay: map[string][]byte{file: []byte(src)}, Dir: t.TempDir(),
	}
	loaded, err := packages.Load(cfg, "file="+file)
	if err != nil || len(loaded) != 1 || len(loaded[0].Syntax) != 1 {
		t.Fatal(err, loaded)
	}
	found, err := find(loaded[0].Fset, "a", loaded[0], func(string) ([]byte, error) { return []byte(src), nil })
	if err != nil {
		t.Fatal(err)
	}
	sources = map[string]string{}
	for _, m := range found {
		changes = append(changes, m.Change)
		sources[m.Change] = string(m.apply())
	}
	return changes, sources
}

func TestOperators(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"func f(a, b int) bool { return a < b }", "return at once, < to <="},
		{"func f(a, b int) bool { return a != b && b >= 0 }", "return at once, && to ||, != to ==, >= to >, 0 to 1"},
		{"func f(a string) string { return a + a }", "return at once"},
		{"func f(a uint) uint { a &^= 3; return a<<2 }", "return at once, remove a &^= 3, &^= to &=, 3 to 4, 3 to 2, << to >>, 2 to 3, 2 to 1"},
		{"func f(a bool) { if a { f(true) } }", "return at once, negate a, remove f(true), true to false"},
		{"func f(a int) { if a == 1 { a++ } }", "return at once, == to !=, 1 to 2, 1 to 0, remove a++, ++ to --"},
		{"func f(e error) (int, error) { return 0x1_0, e }", "return at once, return nil for e"},
		{"func f(e error) (bool, int, error) { return true, 2 * 3, e }", "return at once, return nil for e, 2 to 3, 2 to 1, * to /, 3 to 4, 3 to 2"},
		{"func f() int { return 0x1_0 }", "return at once, 0x1_0 to 17, 0x1_0 to 15"},
		{"func f(a int) { switch a { case 5: f(a); default: } }", "return at once, skip case 5: f(a), 5 to 6, 5 to 4, remove f(a)"},
		{"func f() []int { return make([]int, 1, 64) }", "return at once, 1 to 2, 1 to 0"},
		{"func f() (int, error) { return 0, nil }", "0 to 1"},
		{"func f(a []int) { _ = a[1]; for { break } }", "return at once, 1 to 2, 1 to 0, remove break, break to continue"},
		{"const a = 3", "3 to 4, 3 to 2"},
	} {
		changes, sources := mutantsOf(t, "package a\n\n"+c.code+"\n")
		want := strings.Split(c.want, ", ")
		slices.Sort(changes)
		slices.Sort(want)
		if !slices.Equal(changes, want) {
			t.Errorf("%s:\n %s\nwant\n %s", c.code, strings.Join(changes, ", "), strings.Join(want, ", "))
		}
		for change, source := range sources {
			if source == "package a\n\n"+c.code+"\n" {
				t.Errorf("%s changes nothing", change)
			}
		}
	}
}

func TestReturnAtOnceReturnsZeros(t *testing.T) {
	_, sources := mutantsOf(t, "package a\n\nfunc f() (a, b int, c error) { return 1, 2, nil }\n")
	if want := "{ return *new(int), *new(int), *new(error);  return 1, 2, nil }"; !strings.Contains(sources["return at once"], want) {
		t.Error(sources["return at once"])
	}
}

// Rule: equal changes in a function are told from each other by their numbers, and
// changes elsewhere do not change what a mutant is called.
func TestKeysOutliveOtherChanges(t *testing.T) {
	first, _ := mutantsOf(t, "package a\n\nfunc f(a int) int { return 2*a + 2 }\n")
	if !slices.Contains(first, "2 to 3") || !slices.Contains(first, "2 to 3 #2") {
		t.Error(first)
	}
	k := Key{"a", "f", "return 2*a + 2", "2 to 3 #2"}
	if k.ID() != (Key{"a", "f", "return 2*a + 2", "2 to 3 #2"}).ID() || k.ID() == (Key{"a", "f", "return 2*a + 2", "2 to 3"}).ID() {
		t.Error(k.ID())
	}
}
