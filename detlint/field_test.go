package detlint_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// Rule: the cases that came up in other people's code are judged as their comments say.
func TestCasesFromTheFieldAreJudgedAsTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 10 packages")
	}
	r, err := detlint.Run(detlint.Options{Dir: "testdata/field"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]string{}
	for _, f := range r.Findings {
		if !strings.HasSuffix(f.Position.Filename, "field.go") {
			t.Errorf("%v: %s", f.Position, f.Message)
		}
		found[f.Position.Line] = strings.TrimSpace(found[f.Position.Line] + " " + f.Rule)
	}
	source, err := os.ReadFile("testdata/field/field.go")
	if err != nil {
		t.Fatal(err)
	}
	wanted := 0
	for i, line := range strings.Split(string(source), "\n") {
		_, want, ok := strings.Cut(line, "// want ")
		if ok {
			wanted++
		}
		if got := found[i+1]; got != want {
			t.Errorf("field.go:%d: found %q, want %q: %s", i+1, got, want, line)
		}
	}
	if wanted < 6 {
		t.Errorf("only %d findings are wanted", wanted)
	}
}
