package detlint_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// Rule: a game that says Floats: Strict, however it is written, has no findings about what a strict build rules out, and has all
// others; a game that does not certainly say so has all of them.
func TestStrictFloatsAreJudgedAsTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 20 packages")
	}
	c := readCorpus(t, "testdata/strict")
	r, err := detlint.Run(detlint.Options{Dir: "testdata/strict", Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	c.judge(t, r)
	got, text := vetted(t, builtTool(t), "testdata/strict", "./...")
	if want := places(r); !slices.Equal(got, want) {
		t.Errorf("go vet finds %v, want %v\n%s", got, want, text)
	}
}

// Rule: with -floats strict, or -strict for short, functions that are named or marked are judged as in a strict build, and so is
// each game; what cannot be followed is still reported.
func TestFloatsAreStrictIfAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 5 packages some times")
	}
	const mixed, games = "./testdata/strict/mixed", "./testdata/strict/games"
	for _, args := range [][]string{
		{"-strict", mixed, games},
		{"--strict", mixed},
		{"-floats", "strict", mixed},
		{"-floats=strict", "-root", "strict/mixed.shared", mixed},
		{"-floats=strict", "-root", "testdata/strict/mixed", mixed},
	} {
		if code, out, errs := run(t, args...); code != 0 {
			t.Errorf("%v: %d\n%s%s", args, code, out, errs)
		}
	}
	if code, out, _ := run(t, "-root", "strict/mixed.shared", mixed); code != 1 || !strings.Contains(out, "fusedfloat") {
		t.Errorf("without: %d\n%s", code, out)
	}
	if code, out, _ := run(t, "-strict", "./testdata/strict/limits"); code != 1 || !strings.Contains(out, "floatint") {
		t.Errorf("what strictness does not cover: %d\n%s", code, out)
	}
	if code, _, errs := run(t, "-floats", "few", mixed); code != 2 || !strings.Contains(errs, "write some, strict or none") {
		t.Errorf("a wrong word: %d, %s", code, errs)
	}
}
