package tickback_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rooms whose code runs inside a step.
var deterministic = []string{"./fixed", "./rng", "./games/..."}

// drawingMark exempts a function: it converts to floats for drawing, and is not
// called in a step. (A call would be found: its result is a float.)
const drawingMark = "//tickback:drawing"

// outside are packages whose results depend on more than their arguments.
var outside = []string{
	"crypto/rand", "hash/maphash", "maps", "math/rand", "math/rand/v2", "os", "runtime", "sync", "sync/atomic", "time", "unsafe",
}

// audit looks for what is banned from a step in the files of one package.
type audit struct {
	fset  *token.FileSet
	info  *types.Info
	found []string
}

func (a *audit) report(n ast.Node, format string, args ...any) {
	p := a.fset.Position(n.Pos())
	a.found = append(a.found, fmt.Sprintf("%s:%d: %s", filepath.Base(p.Filename), p.Line, fmt.Sprintf(format, args...)))
}

// auditPackage type-checks the files as one package and audits them.
func auditPackage(fset *token.FileSet, path string, files []*ast.File, imp types.Importer) ([]string, error) {
	a := &audit{fset: fset, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}}
	config := types.Config{Importer: imp}
	if _, err := config.Check(path, fset, files, a.info); err != nil {
		return nil, err
	}
	for _, f := range files {
		ast.Inspect(f, a.visit)
	}
	return a.found, nil
}

func (a *audit) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		if path, _ := strconv.Unquote(n.Path.Value); slices.Contains(outside, path) {
			a.report(n, "imports %s", path)
		}
	case *ast.FuncDecl:
		return !marked(n)
	case *ast.GoStmt:
		a.report(n, "starts a goroutine")
	case *ast.SelectStmt:
		a.report(n, "selects on channels")
	case *ast.RangeStmt:
		if _, ok := a.info.TypeOf(n.X).Underlying().(*types.Map); ok {
			a.report(n, "ranges over a map")
		}
	case *ast.Ident:
		if v, ok := a.info.Defs[n].(*types.Var); ok {
			a.checkType(n, v.Type())
		}
	case ast.Expr:
		// Constants are exact whatever their kind; only what is left at run
		// time counts.
		if tv := a.info.Types[n]; tv.Type != nil && tv.Value == nil {
			a.checkType(n, tv.Type)
		}
	}
	return true
}

func (a *audit) checkType(n ast.Node, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&(types.IsFloat|types.IsComplex) != 0 {
			a.report(n, "has type %s", t)
		}
	case *types.Chan:
		a.report(n, "is a channel")
	}
}

func marked(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == drawingMark })
}

// exports imports packages from the export data of the build cache.
func exports(t testing.TB, fset *token.FileSet, patterns ...string) types.Importer {
	files := map[string]string{}
	for _, p := range goList(t, nil, append([]string{"-export", "-deps"}, patterns...)...) {
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// Nothing that runs inside a step uses floats, the clock, random sources,
// goroutines or the order of a map.
func TestDeterministicRoomsKeepTheRules(t *testing.T) {
	fset := token.NewFileSet()
	imp := exports(t, fset, deterministic...)
	audited := 0
	for _, p := range goList(t, nil, deterministic...) {
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		found, err := auditPackage(fset, p.ImportPath, files, imp)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			t.Errorf("%s: %s", p.ImportPath, f)
		}
		audited += len(files)
	}
	if audited < 20 {
		t.Errorf("only %d files were audited", audited)
	}
}

// The negative control of the audit: each rule finds its breach, and code that
// keeps the rules passes.
func TestAuditFindsEveryBreach(t *testing.T) {
	fset := token.NewFileSet()
	imp := exports(t, fset, "time", "math/rand/v2", "math", "maps")
	for _, c := range []struct{ source, want string }{
		{"type S struct{ X float64 }", "has type float64"},
		{"type F float32; func f(a, b F) F { return a * b }", "has type p.F"},
		{"func f(a int64) int64 { return int64(float64(a) * 1.5) }", "has type float64"},
		{"func f(a int64) bool { return math.Sqrt(2) > 1 }", "has type float64"},
		{"func f(c complex128) {}", "has type complex128"},
		{"func f() int64 { return time.Now().Unix() }", "imports time"},
		{"func f() int { return rand.IntN(6) }", "imports math/rand/v2"},
		{"func f() { go f() }", "starts a goroutine"},
		{"func f() { select {} }", "selects on channels"},
		{"func f(c chan int) {}", "is a channel"},
		{"func f(m map[int]int) (n int) { for k := range m { n = k }; return n }", "ranges over a map"},
		{"type M map[int]int; func f(m M) (n int) { for _, v := range m { n += v }; return n }", "ranges over a map"},
		{"func f(m map[int]int) (n int) { for k := range maps.Keys(m) { n = k }; return n }", "imports maps"},
		{"func f(x int64) float64 { return float64(x) }", "has type float64"},

		{drawingMark + "\nfunc f(x int64) float64 { return float64(x) }", ""},
		{drawingMark + "\nfunc f(x int64) float64 { return float64(x) }\nfunc step() bool { return f(1) > 0 }", "has type float64"},
		{"const half = 0.5; func f(m map[int]int) int64 { for range 3 { m[1]++ }; return half * 4 }", ""},
		{"func f() int64 { return math.MaxInt64 }", ""},
	} {
		source := "package p\n"
		for _, path := range []string{"time", "math/rand/v2", "math", "maps"} {
			if name := strings.TrimSuffix(path, "/v2"); strings.Contains(c.source, filepath.Base(name)+".") {
				source += "import " + strconv.Quote(path) + "\n"
			}
		}
		f, err := parser.ParseFile(fset, "p.go", source+c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		found, err := auditPackage(fset, "p", []*ast.File{f}, imp)
		if err != nil {
			t.Fatal(err)
		}
		switch all := strings.Join(found, "\n"); {
		case c.want == "" && all != "":
			t.Errorf("%s\nfound %s", c.source, all)
		case !strings.Contains(all, c.want):
			t.Errorf("%s\nfound %q, want %s", c.source, all, c.want)
		}
	}
}
