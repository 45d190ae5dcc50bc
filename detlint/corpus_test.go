package detlint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// Rule: in the corpus, what is wanted is found, on its line, and nothing else.
func TestTheCorpusIsJudgedAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 10 packages")
	}
	r, err := detlint.Run(detlint.Options{Dir: "testdata/corpus"})
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		file string
		line int
	}
	found := map[place]string{}
	for _, f := range r.Findings {
		at := place{filepath.Base(f.Position.Filename), f.Position.Line}
		found[at] = strings.TrimSpace(found[at] + " " + f.Rule)
	}
	source, err := os.ReadFile("testdata/corpus/corpus.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, line := range strings.Split(string(source), "\n") {
		if strings.HasPrefix(line, "// ") {
			continue
		}
		_, want, wanted := strings.Cut(line, "// want ")
		if wanted {
			n++
		}
		if got := found[place{"corpus.go", i + 1}]; got != want {
			t.Errorf("corpus.go:%d: found %q, want %q: %s", i+1, got, want, line)
		}
	}
	if n < 15 || r.Roots < 30 {
		t.Errorf("%d findings are wanted, of %d roots", n, r.Roots)
	}
}
