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

// The rooms whose code runs inside a step, and those that decide what a peer does or
// writes as all others do: these may import more, but have to leave the clock and
// chance alone, too.
var (
	steps    = []string{"./fixed", "./rng", "./games/..."}
	machines = []string{"./session/...", "./classic", "./classic/rbn1", "./wire/datagram", "./wire/agreed", "./netem", "./fleet/...", "./replay/tbr/coder", "./predict", "./world/nav", "./world/near"}
)

// drawingMark exempts a function: it converts to floats for drawing, and is not
// called in a step. It may return nothing but floats, so that a call in a step
// would be found.
const drawingMark = "//tickback:drawing"

// pure are the packages that these rooms may import besides each other: their
// results depend on their arguments alone.
var pure = []string{
	"bytes", "encoding", "errors", "fmt", "math", "math/bits", "slices", "strconv", "strings",
	module + "/canon", module + "/fixed", module + "/rng",
	module + "/rollback", module + "/rollback/effects",
}

// moving are the packages that a step may import besides, to move what a client predicts, and many
// units over a map, and to hold a large state: durations, but see impure.
var moving = append([]string{"time", module + "/predict", "encoding/binary", module + "/world", module + "/world/nav", module + "/world/near"}, pure...)

// plain are the packages that machines may import besides: durations, addresses and
// bytes, but see impure.
var plain = append([]string{
	module + "/internal/pieces",
	"cmp", "crypto/hmac", "crypto/sha256", "crypto/subtle", "encoding/binary", "encoding/json", "hash", "io", "iter", "math/rand/v2", "net/netip", "time", "github.com/zeebo/xxh3",
	module + "/netem", module + "/fleet", module + "/session", module + "/session/reliable", module + "/session/admission", module + "/session/lobby", module + "/session/membership", module + "/session/pace", module + "/session/peer", module + "/session/stream",
	module + "/session/event", module + "/session/inputs", module + "/session/sequencer", module + "/session/served", module + "/session/shares", module + "/session/sight", module + "/session/spectate", module + "/session/desync", module + "/wire/agreed", module + "/wire/datagram", module + "/classic/rbn1",
	module + "/predict/internal/plain",
}, pure...)

// storing are the packages that the store of a world may import besides: it binds the world by
// reflection, and has the goroutines of stages.
var storing = append([]string{
	"cmp", "encoding/binary", "iter", "reflect", "runtime", "runtime/debug", "sort", "sync", "sync/atomic", "unsafe", "github.com/zeebo/xxh3",
}, pure...)

// sanctioned are the breaches that there have to be, by package: the start of what the audit says.
// A stage is the one thing in a step that may start goroutines, and what it computes does not
// depend on them. The twin file for worldcheck looks for misuse, and computes nothing.
var sanctioned = map[string][]string{
	module + "/world": {"stage.go: starts a goroutine", "has values_checked.go"},
}

// isSanctioned reports whether a breach is listed. The audit names the line as well.
func isSanctioned(pkg, found string) bool {
	file, what, _ := strings.Cut(found, ": ")
	file, _, _ = strings.Cut(file, ":")
	return slices.Contains(sanctioned[pkg], file+": "+what) || slices.Contains(sanctioned[pkg], found)
}

// impure reports whether a function of a package depends on more than its
// arguments.
func impure(pkg, name string) bool {
	switch pkg {
	case "time":
		return slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}, name)
	case "math/rand/v2":
		return !slices.Contains([]string{"New", "NewPCG", "Rand", "PCG"}, name)
	}
	return false
}

// audit looks for what is banned in the files of one package.
type audit struct {
	imports []string // that are allowed
	fset    *token.FileSet
	pkg     *types.Package
	info    *types.Info
	found   []string
}

func (a *audit) report(n ast.Node, format string, args ...any) {
	p := a.fset.Position(n.Pos())
	a.found = append(a.found, fmt.Sprintf("%s:%d: %s", filepath.Base(p.Filename), p.Line, fmt.Sprintf(format, args...)))
}

// auditPackage type-checks the files as one package and audits them.
func auditPackage(fset *token.FileSet, path string, files []*ast.File, imp types.Importer, imports []string) ([]string, error) {
	a := &audit{imports: imports, fset: fset, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}}
	config := types.Config{Importer: imp}
	var err error
	if a.pkg, err = config.Check(path, fset, files, a.info); err != nil {
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
		if path, _ := strconv.Unquote(n.Path.Value); !slices.Contains(a.imports, path) {
			a.report(n, "imports %s", path)
		}
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok {
			if p, ok := a.info.Uses[id].(*types.PkgName); ok && impure(p.Imported().Path(), n.Sel.Name) {
				a.report(n, "uses %s.%s", id.Name, n.Sel.Name)
			}
		}
	case *ast.FuncDecl:
		if marked(n) {
			a.checkMarked(n)
			return false
		}
	case *ast.GoStmt:
		a.report(n, "starts a goroutine")
	case *ast.SelectStmt:
		a.report(n, "selects on channels")
	case *ast.RangeStmt:
		if holds(a.info.TypeOf(n.X), isMap, false) {
			a.report(n, "ranges over a map")
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			a.checkWrite(left)
		}
	case *ast.IncDecStmt:
		a.checkWrite(n.X)
	}
	if e, ok := n.(ast.Expr); ok {
		a.checkExpr(e)
	}
	return true
}

// checkExpr looks at the type of whatever has one. Constants are exact, whatever
// their kind; only what is left at run time counts.
func (a *audit) checkExpr(e ast.Expr) {
	tv := a.info.Types[e]
	t := tv.Type
	if id, ok := e.(*ast.Ident); ok && a.info.Defs[id] != nil {
		if _, constant := a.info.Defs[id].(*types.Const); !constant {
			t = a.info.Defs[id].Type()
		}
	}
	if t == nil || tv.Value != nil {
		return
	}
	if holds(t, isFloat, true) {
		a.report(e, "has type %s, with a float", t)
	}
	if holds(t, isChan, true) {
		a.report(e, "has type %s, with a channel", t)
	}
}

// checkWrite finds writes to variables of the package: state that no snapshot
// restores. Tables, which are only read, are fine. (A write through a pointer is
// beyond it.)
func (a *audit) checkWrite(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := a.info.Uses[x].(*types.Var); ok && v.Parent() == a.pkg.Scope() {
				a.report(e, "writes to the package's variable %s", v.Name())
			}
			return
		default:
			return
		}
	}
}

// checkMarked holds a function for drawing to its mark.
func (a *audit) checkMarked(f *ast.FuncDecl) {
	results := a.info.Defs[f.Name].(*types.Func).Signature().Results()
	for i := range results.Len() {
		if !isFloat(results.At(i).Type().Underlying()) {
			a.report(f, "is marked for drawing and returns more than floats")
		}
	}
	if results.Len() == 0 {
		a.report(f, "is marked for drawing and returns no float")
	}
}

func marked(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return c.Text == drawingMark })
}

func isFloat(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

func isMap(t types.Type) bool  { _, ok := t.(*types.Map); return ok }
func isChan(t types.Type) bool { _, ok := t.(*types.Chan); return ok }

// holds reports whether a type, or what its type parameter may stand for, is of
// a kind; with deep, also whether it is made of such types.
func holds(t types.Type, is func(types.Type) bool, deep bool) bool {
	return holder{is, deep, map[types.Type]bool{}}.in(t)
}

type holder struct {
	is   func(types.Type) bool
	deep bool
	seen map[types.Type]bool
}

func (h holder) in(t types.Type) bool {
	if t == nil || h.seen[t] {
		return false
	}
	h.seen[t] = true
	if p, ok := t.(*types.TypeParam); ok {
		return h.inConstraint(p.Constraint().Underlying())
	}
	u := t.Underlying()
	if h.is(u) {
		return true
	}
	if !h.deep {
		return false
	}
	switch u := u.(type) {
	case *types.Array:
		return h.in(u.Elem())
	case *types.Slice:
		return h.in(u.Elem())
	case *types.Pointer:
		return h.in(u.Elem())
	case *types.Map:
		return h.in(u.Key()) || h.in(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if h.in(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// inConstraint looks at every type that a constraint lists.
func (h holder) inConstraint(t types.Type) bool {
	constraint, ok := t.(*types.Interface)
	if !ok {
		return false
	}
	for i := range constraint.NumEmbeddeds() {
		switch e := constraint.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				if h.in(e.Term(j).Type()) {
					return true
				}
			}
		default:
			if h.in(e) || h.inConstraint(e.Underlying()) {
				return true
			}
		}
	}
	return false
}

// exports imports packages from the export data of the build cache.
func exports(t testing.TB, fset *token.FileSet, patterns ...string) types.Importer {
	files := map[string]string{}
	for _, p := range goList(t, nil, append([]string{"-export", "-deps"}, patterns...)...) {
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}

// Nothing that runs inside a step, or decides what a peer does, uses floats, the
// clock, random sources, goroutines, the order of a map, or variables outside the
// state; and no file of it is for some machines only, where the audit would not see
// it.
func TestDeterministicRoomsKeepTheRules(t *testing.T) {
	auditRooms(t, steps, moving, 20)
	auditRooms(t, machines, plain, 60)
	auditRooms(t, []string{"./world"}, storing, 15)
}

func auditRooms(t *testing.T, rooms, imports []string, least int) {
	t.Helper()
	fset := token.NewFileSet()
	imp := exports(t, fset, rooms...)
	audited := 0
	for _, p := range goList(t, nil, rooms...) {
		for _, name := range slices.Concat(p.IgnoredGoFiles, p.CgoFiles, p.SFiles) {
			if !strings.HasSuffix(name, "_test.go") && !isSanctioned(p.ImportPath, "has "+name) {
				t.Errorf("%s has a file that cannot be audited: %s", p.ImportPath, name)
			}
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		found, err := auditPackage(fset, p.ImportPath, files, imp, imports)
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for _, f := range found {
			if used[f] = isSanctioned(p.ImportPath, f); !used[f] {
				t.Errorf("%s: %s", p.ImportPath, f)
			}
		}
		if goroutines := len(used); p.ImportPath == module+"/world" && goroutines != 1 {
			t.Errorf("%d places in the world's store start goroutines, and one is sanctioned", goroutines)
		}
		audited += len(files)
	}
	if audited < least {
		t.Errorf("only %d files were audited", audited)
	}
}

// The negative control of the audit: each rule finds its breach, and code that
// keeps the rules passes.
func TestAuditFindsEveryBreach(t *testing.T) {
	packages := []string{"time", "math/rand/v2", "math", "maps", "reflect", "net", "os", "slices"}
	fset := token.NewFileSet()
	imp := exports(t, fset, packages...)
	for _, c := range []struct{ source, want string }{
		{"type S struct{ X float64 }", "with a float"},
		{"type S struct{ X [4]float64 }", "with a float"},
		{"type S struct{ X []float32 }", "with a float"},
		{"type S struct{ X map[int32]float64 }", "with a float"},
		{"type S struct{ X *float64 }", "with a float"},
		{"type F float32; func f(a, b F) F { return a * b }", "with a float"},
		{"type S struct{ V V }; type V struct{ X, Y float64 }", "with a float"},
		{"func f[T ~float64](a, b, c T) T { return a*b + c }", "with a float"},
		{"type number interface{ ~int | ~float32 }; func f[T number](a T) T { return a * a }", "with a float"},
		{"func f(a int64) int64 { return int64(float64(a) * 1.5) }", "with a float"},
		{"func f(a int64) bool { return math.Sqrt(2) > 1 }", "with a float"},
		{"func f(c complex128) {}", "with a float"},
		{"func f(x int64) float64 { return float64(x) }", "with a float"},
		{"func f() { go f() }", "starts a goroutine"},
		{"func f() { select {} }", "selects on channels"},
		{"func f(c chan int) {}", "with a channel"},
		{"func f(m map[int]int) (n int) { for k := range m { n = k }; return n }", "ranges over a map"},
		{"type M map[int]int; func f(m M) (n int) { for _, v := range m { n += v }; return n }", "ranges over a map"},
		{"func f[M ~map[int]int](m M) (n int) { for k := range m { n = k }; return n }", "ranges over a map"},
		{"func f(m map[int]int) (n int) { for k := range maps.Keys(m) { n = k }; return n }", "imports maps"},
		{"func f(m map[int]int) (n int) { for _, k := range reflect.ValueOf(m).MapKeys() { n += int(k.Int()) }; return n }", "imports reflect"},
		{"func f() int64 { return time.Now().Unix() }", "imports time"},
		{"func f() int { return rand.IntN(6) }", "imports math/rand/v2"},
		{"func f() int { return os.Getpid() }", "imports os"},
		{"func f() string { return net.FlagUp.String() }", "imports net"},
		{"var n int; func f() { n++ }", "the package's variable n"},
		{"var n int; func f() { n = 3 }", "the package's variable n"},
		{"var n [3]int; func f() { n[1] += 2 }", "the package's variable n"},
		{"var n struct{ a int }; func f() { n.a-- }", "the package's variable n"},

		{"func f(d time.Duration) time.Time { return time.Now().Add(d) }", "uses time.Now"},
		{"func f(d time.Duration) { time.AfterFunc(d, nil) }", "uses time.AfterFunc"},
		{"func f(d time.Duration) int { return rand.IntN(6) }", "uses rand.IntN"},
		{"func f(d time.Duration) int { return rand.New(rand.NewPCG(1, uint64(d))).IntN(6) }", ""},
		{"func f(d time.Duration) string { return d.Round(time.Second).String() }", ""},

		{drawingMark + "\nfunc f(x int64) float64 { return float64(x) }", ""},
		{drawingMark + "\nfunc f(x int64) float64 { return float64(x) }\nfunc step() bool { return f(1) > 0 }", "with a float"},
		{drawingMark + "\nfunc f(x int64) int64 { return int64(float64(x) * 1.1) }", "returns more than floats"},
		{drawingMark + "\nfunc f(x int64) (float64, int64) { return float64(x), x }", "returns more than floats"},
		{drawingMark + "\nfunc f(x *int64) { *x = int64(float64(*x) * 1.1) }", "returns no float"},
		{"const half = 0.5; func f(m map[int]int) int64 { for range 3 { m[1]++ }; return half * 4 }", ""},
		{"func f() int64 { return math.MaxInt64 }", ""},
		{"var table = [3]int{1, 2, 3}; func f(i int) int { t := table[i]; t++; return t }", ""},
		{"type list struct{ next *list; v []int }; func f(l *list) { for range l.v { l = l.next } }", ""},
		{"func f[T ~int64 | ~int32](s []T) T { return slices.Max(s) }", ""},
	} {
		source := "package p\n"
		for _, path := range packages {
			if name := filepath.Base(strings.TrimSuffix(path, "/v2")); strings.Contains(c.source, name+".") {
				source += "import " + strconv.Quote(path) + "\n"
			}
		}
		f, err := parser.ParseFile(fset, "p.go", source+c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		imports := pure
		if strings.Contains(c.source, "time.Duration") {
			imports = plain
		}
		found, err := auditPackage(fset, "p", []*ast.File{f}, imp, imports)
		if err != nil {
			t.Fatal(c.source, err)
		}
		switch all := strings.Join(found, "\n"); {
		case c.want == "" && all != "":
			t.Errorf("%s\nfound %s", c.source, all)
		case !strings.Contains(all, c.want):
			t.Errorf("%s\nfound %q, want %s", c.source, all, c.want)
		}
	}
}
