package detlint_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// place is a line of a file of a corpus.
type place struct {
	file string
	line int
}

// specimen is a case: a root and the declarations before it, back to the previous case.
type specimen struct {
	name        string
	first, last place
	rules       []string // that are wanted in it
}

// corpus is what its files say about themselves: a comment "want RULE..." on each line with findings, or "want+1
// RULE..." on the line before it.
type corpus struct {
	want  map[place]string
	cases []specimen
}

// isCase reports whether a function ends a case: whether it is a root or makes a game.
func isCase(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool {
		return c.Text == "//tickback:deterministic" || c.Text == "//corpus:case"
	})
}

// readCorpus reads all files below a directory.
func readCorpus(t *testing.T, dir string) corpus {
	t.Helper()
	c := corpus{want: map[place]string{}}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		return c.file(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// file reads one file.
func (c *corpus) file(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(source), "\n") {
		if _, want, ok := strings.Cut(line, "// want "); ok {
			c.want[place{full, i + 1}] = sorted(strings.Fields(want))
		} else if _, want, ok := strings.Cut(line, "// want+1 "); ok {
			c.want[place{full, i + 2}] = sorted(strings.Fields(want))
		}
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, source, parser.ParseComments)
	if err != nil {
		return err
	}
	first := 1
	for _, d := range f.Decls {
		if !isCase(d) {
			continue
		}
		s := specimen{d.(*ast.FuncDecl).Name.Name, place{full, first}, place{full, fset.Position(d.End()).Line}, nil}
		for line := s.first.line; line <= s.last.line; line++ {
			s.rules = append(s.rules, strings.Fields(c.want[place{full, line}])...)
		}
		c.cases, first = append(c.cases, s), s.last.line+1
	}
	return nil
}

func sorted(list []string) string {
	slices.Sort(list)
	return strings.Join(list, " ")
}

// judge compares what is found with what is wanted.
func (c *corpus) judge(t *testing.T, r *detlint.Result) {
	t.Helper()
	found := map[place][]string{}
	why := map[place]string{}
	for _, f := range r.Findings {
		at := place{f.Position.Filename, f.Position.Line}
		found[at] = append(found[at], f.Rule)
		why[at] += "\n\t" + f.Message
	}
	places := slices.Collect(maps.Keys(found))
	for at := range c.want {
		if found[at] == nil {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return strings.Compare(a.String(), b.String()) })
	for _, at := range places {
		if got := sorted(found[at]); got != c.want[at] {
			t.Errorf("%v: found %q, want %q%s", at, got, c.want[at], why[at])
		}
	}
}

func (p place) String() string {
	return fmt.Sprintf("%s:%04d", filepath.Join(filepath.Base(filepath.Dir(p.file)), filepath.Base(p.file)), p.line)
}

// silent returns how many cases have no findings.
func (c *corpus) silent() (n int) {
	for _, s := range c.cases {
		if len(s.rules) == 0 {
			n++
		}
	}
	return n
}

// Rule: in the corpus, everything that is wanted is found, on its line, and nothing else. The corpus has at least 200
// cases, half of them silent, and findings of each rule.
func TestTheCorpusIsJudgedAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 100 packages")
	}
	topics, err := os.ReadDir("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	cases, silent := 0, 0
	for _, topic := range topics {
		dir := filepath.Join("testdata/corpus", topic.Name())
		c := readCorpus(t, dir)
		cases, silent = cases+len(c.cases), silent+c.silent()
		t.Run(topic.Name(), func(t *testing.T) {
			r, err := detlint.Run(detlint.Options{Dir: dir, Patterns: []string{"./..."}})
			if err != nil {
				t.Fatal(err)
			}
			c.judge(t, r)
		})
	}
	t.Logf("%d cases, %d of them silent", cases, silent)
	if cases < 200 || 2*silent < cases {
		t.Errorf("%d cases, %d of them silent: want 200, half of them", cases, silent)
	}
}

// Rule: the corpus has cases of each rule.
func TestEachRuleHasCases(t *testing.T) {
	n := map[string]int{}
	for _, s := range readCorpus(t, "testdata").cases {
		for _, r := range s.rules {
			n[r]++
		}
	}
	for _, r := range rules.All() {
		if n[r.Name] == 0 {
			t.Errorf("there is no case of %s", r.Name)
		}
	}
}

// Rule: with floats none, every float is found, and nothing else.
func TestNoFloatsIsJudgedAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 20 packages")
	}
	c := readCorpus(t, "testdata/nofloats")
	r, err := detlint.Run(detlint.Options{Dir: "testdata/nofloats", NoFloats: true})
	if err != nil {
		t.Fatal(err)
	}
	c.judge(t, r)
}

// Rule: a call of C is found.
func TestCgoIsJudgedAsItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs cgo")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no C compiler")
	}
	c := readCorpus(t, "testdata/cgo")
	for _, flags := range []string{"", "-trimpath"} {
		r, err := detlint.Run(detlint.Options{Dir: "testdata/cgo", Env: append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS="+flags)})
		if err != nil {
			t.Fatal(err)
		}
		c.judge(t, r)
	}
	r, err := detlint.Run(detlint.Options{Dir: "testdata/cgo", Patterns: []string{"cgo.go"}, Env: append(os.Environ(), "CGO_ENABLED=1")})
	if err != nil {
		t.Fatal(err)
	}
	c.judge(t, r)
}

// Rule: what a test imports is read too, even if the package itself does not import it.
func TestPackagesAreReadWithWhatTheirTestsImport(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads packages")
	}
	r, err := detlint.Run(detlint.Options{Dir: "testdata/tested", Tests: true})
	if err != nil || r.Roots != 1 || len(r.Findings) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
