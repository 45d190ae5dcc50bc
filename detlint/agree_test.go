package detlint_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/tickback/tickback/detlint"
)

// places lists findings by file, line and rule, sorted and each once.
func places(r *detlint.Result) []string {
	set := map[string]bool{}
	for _, f := range r.Findings {
		set[fmt.Sprintf("%s:%d %s", filepath.Base(f.Position.Filename), f.Position.Line, f.Rule)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// wanted lists the comments "want RULE" of all files in and below a directory, in the same form.
func wanted(t *testing.T, dir string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		b, err := os.ReadFile(path)
		for i, line := range strings.Split(string(b), "\n") {
			if _, rules, ok := strings.Cut(line, "// want "); ok && !strings.HasPrefix(line, "// ") {
				for _, r := range strings.Fields(rules) {
					list = append(list, fmt.Sprintf("%s:%d %s", filepath.Base(path), i+1, r))
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// builtTool builds the command.
func builtTool(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "detlint")
	if out, err := exec.Command("go", "build", "-o", tool, "./cmd/detlint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return tool
}

// vetted is what go vet prints of a tool's findings.
func vetted(t *testing.T, tool, dir string, args ...string) (list []string, text string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, args...)...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // findings are an error
	set := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:.*/)?([a-z_]+\.go:\d+):\d+: (\w+): `).FindAllStringSubmatch(string(out), -1) {
		set[m[1]+" "+m[2]] = true
	}
	return slices.Sorted(maps.Keys(set)), string(out)
}

// Rule: go vet finds what the command finds on its own, on the same lines, and those are the lines that the source
// marks: in a package, in the packages it imports, in instances of their generic functions, and what only the whole
// program reveals. The second run takes it from the cache.
func TestGoVetFindsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command, and runs the go command")
	}
	tool := builtTool(t)
	for _, dir := range []string{"testdata/spread", "testdata/corpus"} {
		r, err := detlint.Run(detlint.Options{Dir: dir, Patterns: []string{"./..."}})
		if err != nil {
			t.Fatal(err)
		}
		want := places(r)
		if source := wanted(t, dir); dir == "testdata/spread" && !slices.Equal(want, source) {
			t.Errorf("%s: found\n%s\nwant\n%s", dir, strings.Join(want, "\n"), strings.Join(source, "\n"))
		}
		for range 2 {
			got, _ := vetted(t, tool, dir, "./...")
			for _, p := range got {
				if !slices.Contains(want, p) {
					t.Errorf("%s: only go vet finds %s", dir, p)
				}
			}
			for _, p := range want {
				if !slices.Contains(got, p) {
					t.Errorf("%s: go vet does not find %s", dir, p)
				}
			}
		}
	}
	none, text := vetted(t, tool, "testdata/spread", "./tick", "./each")
	if len(none) > 0 || strings.Contains(text, "detlint") {
		t.Errorf("packages without roots: %v\n%s", none, text)
	}
}

// Rule: a driver of analyzers, such as an editor, gets the findings of a package in the package's own files, each with
// the calls in it that lead to the finding, and with edits.
func TestTheAnalyzerReportsInThePackageOfTheRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 10 packages with the library")
	}
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Dir: "testdata"}
	list, err := packages.Load(cfg, "./spread/moves", "./corpus/maps", "./corpus/fixedpoint")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{detlint.Analyzer}, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, edits, related := map[string]bool{}, 0, 0
	for _, a := range graph.Roots {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		for _, d := range a.Diagnostics {
			at := a.Package.Fset.Position(d.Pos)
			if filepath.Dir(at.Filename) != a.Package.Dir {
				t.Errorf("%s is not in %s", at, a.Package.Dir)
			}
			found[fmt.Sprintf("%s:%d %s", filepath.Base(at.Filename), at.Line, d.Category)] = true
			edits += len(d.SuggestedFixes)
			related += len(d.Related)
		}
	}
	r, err := detlint.Run(detlint.Options{Dir: "testdata/corpus", Patterns: []string{"./maps", "./fixedpoint"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range append(places(r), "moves.go:25 clock", "moves.go:27 globals", "moves.go:37 maporder") {
		if !found[want] {
			t.Errorf("%s is missing in %v", want, slices.Sorted(maps.Keys(found)))
		}
	}
	if edits < 2 || related < 10 {
		t.Errorf("%d findings have edits, and there are %d related places", edits, related)
	}
}
