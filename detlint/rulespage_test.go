package detlint_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/detlint"
)

// span is the lines of a function in a file.
type span struct {
	name       string
	first, end int
}

// functions lists the functions of Go files, by file.
func functions(t *testing.T, pattern string) map[string][]span {
	t.Helper()
	list := map[string][]span{}
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				s := span{d.Name.Name, fset.Position(d.Pos()).Line, fset.Position(d.End()).Line}
				list[filepath.Base(name)] = append(list[filepath.Base(name)], s)
			}
		}
	}
	return list
}

// Rule: of the code on the page of duties, everything marked WRONG is found by the rule about that duty, and nothing is
// found in what is marked RIGHT.
func TestThePageOfDutiesIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads 30 packages")
	}
	r, err := detlint.Run(detlint.Options{Dir: "../examples/rules", Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	spans := functions(t, "../examples/rules/*_test.go")
	for _, f := range r.Findings {
		for _, s := range spans[filepath.Base(f.Position.Filename)] {
			if s.first <= f.Position.Line && f.Position.Line <= s.end {
				found[s.name] = append(found[s.name], f.Rule)
			}
		}
	}
	expected := map[string]string{
		"mapWrong": "maporder", "goroutineWrong": "concurrency", "sortWrong": "sorttie", "clockWrong": "clock", "randomWrong": "random",
		"configWrong": "environment", "processorsWrong": "machine", "screenWrong": "globals", "globalWrong": "globals", "floatWrong": "fusedfloat",
		"functionWrong": "mathfunc", "convertWrong": "floatint", "widthWrong": "intwidth", "nanWrong": "nankey", "saveWrong": "alias", "restoreWrong": "alias",
		"capacityWrong": "capacity", "addressWrong": "address", "hashWrong": "maphash", "poolWrong": "collector", "excludedWrong": "excluded",
		"encodeWrong": "encoding", "statusWrong": "status", "sideWrong": "globals", "keepWrong": "retain",
	}
	seen := 0
	for _, list := range spans {
		for _, s := range list {
			if strings.HasSuffix(s.name, "Right") && len(found[s.name]) > 0 {
				t.Errorf("%s is right, and found: %v", s.name, found[s.name])
			}
			if strings.HasSuffix(s.name, "Wrong") {
				seen++
				if !slices.Contains(found[s.name], expected[s.name]) {
					t.Errorf("%s: found %v, want %q", s.name, found[s.name], expected[s.name])
				}
			}
		}
	}
	if seen != len(expected) {
		t.Errorf("%d functions are wrong, want %d", seen, len(expected))
	}
}
