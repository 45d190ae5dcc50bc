package strict

import (
	"fmt"
	"testing"
)

// Rule: of the arguments of go test, those that determine what is built for any target are passed on to a test: not
// those that determine how it is run, and none that needs a C compiler for the target.
func TestFlagsOfBuilds(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"--strict", "./..."}, "[]"},
		{[]string{"-v", "-race", "-tags", "a,b", "-run", "X", "./x", "-mod=vendor", "-count=2", "-timeout", "1m"}, "[-tags=a,b -mod=vendor]"},
		{[]string{"-gcflags=all=-N", "-ldflags", "-X=a.b=c", "-overlay", "o.json", "-modfile=m.mod", "--trimpath"}, "[-modfile=m.mod --trimpath -gcflags=all=-N -ldflags=-X=a.b=c -overlay=o.json]"},
		{[]string{"-cover", "-exec", "-tags", ".", "-args", "-tags=x"}, "[]"},
		{[]string{"-p", "1", ".", "-tags"}, "[-p=1]"},
		{[]string{"-update", "-tags=x", "-golden", "file", "-test.v", "-mod=vendor", ".", "-update"}, "[-tags=x -mod=vendor]"},
	} {
		a, _ := read(nil, c.words, true)
		if got := fmt.Sprint(a.builds()); got != c.want {
			t.Errorf("%v: %s, want %s", c.words, got, c.want)
		}
	}
}

// Rule: a test's own flag does not take a word that looks like another flag as its value, and may be the last word; our own flags
// after it are found.
func TestFlagsOfTestsOwn(t *testing.T) {
	for _, words := range [][]string{
		{"-update", "--strict", "-gcflags=-N", "."}, {"-gcflags", "-N", "--strict", ".", "-update"}, {"-test.v", "--strict", "-test.run", "-gcflags", "-gcflags", "-N", "."},
	} {
		if a, err := read(nil, words, true); err != nil || !a.strict || fmt.Sprint(a.compiler) != "[-N]" {
			t.Errorf("%v: %v, strict %v, compiler %q", words, err, a.strict, a.compiler)
		}
	}
}
