package flow_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// functions is source code whose comments say what a call of each function does: w, k and r are followed by the numbers
// of the parameters that are written to, kept and returned, p by those that are printed; * by the float results that
// are products, + by the float parameters to which something is added; fw by captured variables that are written to; g
// names package variables.
const functions = `package p

type unit struct {
	hp   int
	next *unit
	list []int
	by   map[string]*unit
}

var counter int

var all []*unit

// -
func reads(u *unit) int { return u.hp + len(u.list) }

// w0
func writes(u *unit) { u.hp++ }

// w0
func writesDeep(u *unit) { u.next.next.hp = 1 }

// w0
func writesList(list []int) { list[0] = 1 }

// w0
func writesMap(m map[string]int) { m["a"] = 1 }

// w0
func deletes(m map[string]int) { delete(m, "a") }

// w0
func copies(a, b []int) { copy(a, b) }

// w0
func clears(list []int) { clear(list) }

// -
func local() int {
	u := unit{}
	u.hp = 3
	return u.hp
}

// -
func localMap() map[string]int {
	m := map[string]int{}
	m["a"] = 1
	return m
}

// -
func valueOnly(u unit) int {
	u.hp = 3
	return u.hp
}

// w0
func valueWithList(u unit) { u.list[0] = 1 }

// w0 k1
func keeps(a, b *unit) { a.next = b }

// w0
func keepsOwn(a *unit) { a.next = a.next.next }

// k0 g(all)
func keepsInVariable(u *unit) { all = append(all, u) }

// g(counter)
func global() { counter++ }

// r0
func returns(u *unit) *unit { return u.next }

// r0
func returnsPart(list []int) []int { return list[1:] }

// -
func returnsCopy(list []int) []int { return append([]int(nil), list...) }

// r0
func returnsAppended(list []int) []int { return append(list, 1) }

// r0 r1
func returnsEither(a, b *unit, c bool) *unit {
	if c {
		return a
	}
	return b
}

// Functions that call each other do what any of them does, wherever one begins to read.

// w0 g(counter)
func circleA(u *unit, n int) {
	if n > 0 {
		circleB(u, n-1)
		circleC(n - 1)
	}
	u.hp++
}

// w0 g(counter)
func circleB(u *unit, n int) {
	if n > 0 {
		circleA(u, n-1)
	}
}

// w0 g(counter)
func circleD(u *unit, n int) { circleE(u, n) }

// w0 g(counter)
func circleE(u *unit, n int) {
	if n > 5 {
		circleD(u, n-1)
	}
	circleB(u, n)
}

// g(counter)
func circleC(n int) {
	if n > 0 {
		circleC(n - 1)
		circleB(&unit{}, n-1)
	}
	counter++
}

// w0
func nestedLoops(a *unit, n int) {
	x, y := &unit{}, &unit{}
	for range n {
		for range n {
			x, y = y, x
			x.hp++
		}
		y = a
	}
}

// r0
func returnsInCircle(u *unit, n int) *unit {
	if n == 0 {
		return u
	}
	return returnsOther(u, n-1)
}

// r0
func returnsOther(u *unit, n int) *unit { return returnsInCircle(u, n) }

type lender interface{ lend() *unit }

type vault struct{ u unit }

func (v *vault) lend() *unit { return &v.u } // r0

type maker struct{}

func (maker) lend() *unit { return &unit{} } // -

var (
	byVault lender = &vault{}
	byMaker lender = maker{}
)

// g(byVault) D
func changesLent() { byVault.lend().hp++ }

// D
func changesMade() { byMaker.lend().hp++ }

// r0
func returnsByVariable(u *unit) *unit {
	v := unit{next: u}
	w := &v
	return w
}

// w0
func throughCall(u *unit) { writes(u) }

// w0
func throughResult(u *unit) { writes(returns(u)) }

// w0 k1
func throughKeeper(a, b *unit) { keeps(a, b) }

// g(counter)
func throughGlobal() { global() }

// w0
func throughMethod(u *unit) { u.hit() }

// w0
func (u *unit) hit() { u.hp-- }

// w0
func throughLiteral(u *unit) {
	f := func() { u.hp++ }
	f()
}

// -
func literalSets(u *unit) bool {
	best := u
	f := func() { best = nil }
	f()
	return best == nil
}

// w0
func literalInLiteral(u *unit) {
	f := func() {
		g := func() { u.hp++ }
		g()
	}
	f()
}

// D
func dynamic(f func()) { f() }

// D
func invoked(s interface{ Do() }) { s.Do() }

// E
func sends(c chan int) { c <- 1 }

// E
func starts() { go starts() }

// E
func prints() { println(1) }

// w0
func recursive(u *unit, n int) {
	if n > 0 {
		recursive(u, n-1)
	}
	u.hp++
}

// *0
func product(a, b float64) float64 { return a * b }

// +0 +1
func sum(a, b float64) float64 { return a + b }

type vec struct {
	n    int
	x, y float64
}

// *1
func scaled(v vec, k float64) vec { return vec{v.n, v.x, v.y * k} }

// -
func rounded(v vec, k float64) vec { return vec{v.n, v.x, float64(v.y * k)} }

// *1 *2
func several(v vec, k float64) (bool, vec, float64) {
	v.y *= k
	return true, v, -v.y
}

// +1 +2
func added(n int, v vec, k float64) float64 { return v.y - k }

// +0
func addedInCall(v vec) float64 { return added(1, vec{v.n, v.y, v.x}, 2) }

// *0
func productOfCall(v vec) float64 { return scaled(v, 3).y }

// -
func otherOfCall(v vec) float64 { return scaled(v, 3).x }

// *0
func productByVariable(a float64, c bool) float64 {
	var v vec
	v.x = a * 3
	if c {
		v.y = a
	}
	return v.x
}

// -
func productInBranch(a float64, c bool) float64 {
	v := vec{}
	if c {
		v.x = a * 3
	} else {
		v.x = a
	}
	return v.x
}

// -
func twice(a float64) float64 { return a * 2 }

// w0 r0
func chained(u *unit) *unit {
	u.hp++
	return u
}
`

// A test built with -trimpath does not know where Go is, and that is where the importer looks.
func init() {
	if build.Default.GOROOT == "" {
		if out, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
			build.Default.GOROOT = strings.TrimSpace(string(out))
		}
	}
}

// program builds the functions, but not what they import.
func program(t *testing.T, source string) (*ssa.Package, map[string]string) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{f}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil && d.Recv == nil {
			want[d.Name.Name] = strings.TrimSpace(d.Doc.Text())
		}
	}
	return pkg, want
}

// text writes traits the way the comments do.
func text(t flow.Traits, params int) string {
	var parts []string
	for i := range params {
		if t.WritesTo(i) {
			parts = append(parts, fmt.Sprint("w", i))
		}
	}
	for i := range params {
		if t.KeepsArg(i) {
			parts = append(parts, fmt.Sprint("k", i))
		}
	}
	for i := range params {
		if t.ReturnsArg(i) {
			parts = append(parts, fmt.Sprint("r", i))
		}
	}
	for i := range 4 {
		if t.Products>>i&1 != 0 {
			parts = append(parts, fmt.Sprint("*", i))
		}
	}
	for i := range 4 {
		if t.Sums>>i&1 != 0 {
			parts = append(parts, fmt.Sprint("+", i))
		}
	}
	for _, g := range t.Globals {
		parts = append(parts, "g("+strings.TrimPrefix(g, "p.")+")")
	}
	for letter, is := range map[string]bool{"E": t.Effects, "D": t.Dynamic} {
		if is {
			parts = append(parts, letter)
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, " ")
}

// Rule: what a call does to memory is found in the function's code and in that of its callees.
func TestTraitsOfFunctions(t *testing.T) {
	pkg, want := program(t, functions)
	a := flow.New(func(*ssa.Function) (flow.Traits, bool) { return flow.Traits{}, false })
	for name, w := range want {
		fn := pkg.Func(name)
		if got := text(a.Traits(fn), len(fn.Params)); got != w {
			t.Errorf("%s does %s, want %s", name, got, w)
		}
		if pure := a.Traits(fn).Pure(); pure != (w == "-" || strings.ContainsAny(w[:1], "*+r")) {
			t.Errorf("%s is pure: %v", name, pure)
		}
	}
	if len(want) < 35 {
		t.Errorf("only %d functions", len(want))
	}
}

// Rule: nothing is known about a function without a body, unless a table says what it does.
func TestTraitsOfOtherFunctions(t *testing.T) {
	pkg, _ := program(t, "package p\n\nfunc unknown(p *int)\n\nfunc known(p *int)\n\nfunc calls(p *int) { known(p) }\n")
	a := flow.New(func(fn *ssa.Function) (flow.Traits, bool) { return flow.Traits{Keeps: 1}, fn.Name() == "known" })
	if got := a.Traits(pkg.Func("unknown")); !got.Effects || !got.Dynamic || !got.WritesTo(0) || got.Pure() {
		t.Errorf("of unknown it is known that %+v", got)
	}
	if got := a.Traits(pkg.Func("calls")); got.WritesTo(0) || !got.KeepsArg(0) {
		t.Errorf("calls does %+v", got)
	}
}

// Rule: what is passed to package fmt is noted, also inside a list of any.
func TestPrintedParameters(t *testing.T) {
	pkg, _ := program(t, `package p

import "fmt"

func one(a int, x any) string { return fmt.Sprintf("%v %d", x, a) }

func several(list ...any) string { return fmt.Sprint(list...) }

func through(x any) string { return several(x) }

func quiet(x any) bool { return x == nil }

func number(n int) string { return fmt.Sprint(n) }
`)
	a := flow.New(func(*ssa.Function) (flow.Traits, bool) { return flow.Traits{}, true })
	for name, want := range map[string]uint64{"one": 2, "several": 1, "through": 1, "quiet": 0, "number": 0} {
		if got := a.Traits(pkg.Func(name)).Prints; got != want {
			t.Errorf("%s prints %b, want %b", name, got, want)
		}
	}
}

// Rule: types that refer to memory are told from those that do not, also by constraints.
func TestHasPointers(t *testing.T) {
	pkg, _ := program(t, `package p

type (
	number  int32
	text    string
	plain   struct{ A [4]int32; B struct{ C string } }
	array   [2]*int
	leads   struct{ A int; B []int }
	circle  struct{ next *circle }
	face    interface{ M() }
	fn      func()
	channel chan int
)

func numbers[T ~int32 | ~string]() {}

func anything[T any]() {}

func mixed[T ~int32 | ~[]int]() {}
`)
	for name, want := range map[string]bool{
		"number": false, "text": false, "plain": false, "array": true, "leads": true, "circle": true, "face": true, "fn": true, "channel": true,
	} {
		if got := flow.HasPointers(pkg.Type(name).Type()); got != want {
			t.Errorf("%s has pointers: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"numbers": false, "anything": true, "mixed": true} {
		param := pkg.Func(name).Signature.TypeParams().At(0)
		if got := flow.HasPointers(param); got != want {
			t.Errorf("the parameter of %s has pointers: %v", name, got)
		}
	}
}
