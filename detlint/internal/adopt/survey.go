package adopt

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Game is what a survey has found.
type Game struct {
	Package   *types.Package
	Step      string         // the function's name, as in code of its own package: update, (*game).update
	At        token.Position // of the step
	Members   []Member       // what the step gets and can change; in the order of its parameters
	Variables []Variable     // package variables of which a match depends, sorted by name
	Refused   []Refused      // what cannot be saved as it is
	Other     []string       // types of other modules that are a part of the state

	fn        *ssa.Function
	behind    []*types.Named               // structs of the user's own that interfaces of the state may hold
	beginning map[types.Object]*types.Func // functions without parameters that make members
}

// Member is what a step gets by reference: its receiver, or a parameter.
type Member struct {
	Name  string         // a name for a field
	Type  types.Type     // what it points to
	At    token.Position // of the type
	Holds []string       // names of the types of the game that it leads to, itself not among them

	param int // its index in the parameters of the SSA form
}

// Variable is a package variable.
type Variable struct {
	Name    string
	Type    types.Type
	Changed bool             // by the step; if not, something else changes it, and the step reads it
	Places  []token.Position // where
	At      token.Position   // of the variable

	object *types.Var
}

// Refused is a field of a state that cannot be saved as it is, or a type that is no part of a state.
type Refused struct {
	Place string // as options of canon name it: game.window
	What  string // a function, a channel, ...
	At    token.Position
	Func  bool
}

// Survey finds out what a game is made of, whose step is a function of the program. The findings are those of the
// rules in what the step reaches. Home says which packages are the user's own.
func Survey(fset *token.FileSet, step *ssa.Function, found []reach.Reached, home func(path string) bool) *Game {
	g := &Game{
		Package: step.Package().Pkg, Step: step.RelString(step.Package().Pkg), At: fset.Position(step.Pos()),
		fn: step, beginning: map[types.Object]*types.Func{},
	}
	w := walk{fset: fset, home: home, seen: map[types.Type]bool{}, other: map[string]bool{}, all: structs(step.Prog, home)}
	taken := map[string]bool{}
	for i, p := range step.Params {
		pointer, ok := types.Unalias(p.Type()).(*types.Pointer)
		if !ok {
			continue
		}
		named, ok := types.Unalias(pointer.Elem()).(*types.Named)
		if !ok || !home(packageOf(named)) {
			continue
		}
		m := Member{Type: named, At: fset.Position(named.Obj().Pos()), param: i, Name: lower(named.Obj().Name())}
		for taken[m.Name] || token.IsKeyword(m.Name) {
			m.Name += "_"
		}
		taken[m.Name] = true
		m.Holds = w.from(named)
		g.Members = append(g.Members, m)
		g.beginning[named.Obj()] = maker(step.Package().Pkg, named)
	}
	g.Variables = variables(fset, step.Prog, found)
	for _, v := range g.Variables {
		if v.Changed {
			w.from(v.Type)
		}
	}
	g.Refused, g.behind = w.refused, w.behind
	for path := range w.other {
		g.Other = append(g.Other, path)
	}
	slices.Sort(g.Other)
	return g
}

// variables collects the package variables of findings.
func variables(fset *token.FileSet, prog *ssa.Program, found []reach.Reached) (list []Variable) {
	byName := map[string]*Variable{}
	for _, f := range found {
		if f.Rule != "globals" || f.Global == "" {
			continue
		}
		v := byName[f.Global]
		if v == nil {
			global := globalOf(prog, f.Global)
			if global == nil {
				continue
			}
			object, ok := global.Object().(*types.Var)
			if !ok {
				continue
			}
			v = &Variable{Name: object.Name(), Type: object.Type(), At: fset.Position(object.Pos()), object: object}
			byName[f.Global] = v
		}
		if changes := strings.Contains(f.Message, "changes"); changes && !v.Changed {
			v.Changed, v.Places = true, nil // only those matter
		} else if v.Changed && !changes {
			continue
		}
		v.Places = append(v.Places, f.At)
	}
	for _, v := range byName {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b Variable) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.At.Filename, b.At.Filename), cmp.Compare(a.At.Offset, b.At.Offset))
	})
	return list
}

func globalOf(prog *ssa.Program, name string) *ssa.Global {
	path, short, ok := cutLast(name, ".")
	if !ok {
		return nil
	}
	p := prog.ImportedPackage(path)
	if p == nil {
		for _, q := range prog.AllPackages() {
			if q.Pkg.Path() == path {
				p = q
			}
		}
	}
	if p == nil {
		return nil
	}
	return p.Var(short)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func packageOf(n *types.Named) string {
	if n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path()
}

// lower returns a name for a field that holds something of a type.
func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// maker returns a function that needs no arguments and makes a T or a *T: of several the one that is called New, newT and
// so on; nil if there is none.
func maker(pkg *types.Package, t *types.Named) *types.Func {
	var best *types.Func
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		sig := fn.Signature()
		if sig.Params().Len() > 0 && !(sig.Variadic() && sig.Params().Len() == 1) || sig.Results().Len() != 1 || sig.TypeParams().Len() > 0 {
			continue
		}
		result := types.Unalias(sig.Results().At(0).Type())
		if p, ok := result.(*types.Pointer); ok {
			result = p.Elem()
		}
		if !types.Identical(result, t) {
			continue
		}
		if best == nil || strings.HasPrefix(strings.ToLower(name), "new") && !strings.HasPrefix(strings.ToLower(best.Name()), "new") {
			best = fn
		}
	}
	return best
}

// structs returns the named structs of the user's own, without those that have type parameters.
func structs(prog *ssa.Program, home func(path string) bool) (list []*types.Named) {
	packages := slices.SortedFunc(slices.Values(prog.AllPackages()), func(a, b *ssa.Package) int { return cmp.Compare(a.Pkg.Path(), b.Pkg.Path()) })
	for _, p := range packages {
		if !home(p.Pkg.Path()) {
			continue
		}
		for _, name := range p.Pkg.Scope().Names() {
			object, ok := p.Pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			named, ok := object.Type().(*types.Named)
			if !ok || named.TypeParams().Len() > 0 {
				continue
			}
			if _, is := named.Underlying().(*types.Struct); is {
				list = append(list, named)
			}
		}
	}
	return list
}

// walk looks at the types that a state leads to.
type walk struct {
	fset    *token.FileSet
	home    func(path string) bool
	seen    map[types.Type]bool
	all     []*types.Named // structs of the user's own, which may be behind an interface
	behind  []*types.Named // those that are behind one
	refused []Refused
	other   map[string]bool
	holds   []string
}

// from walks a type and everything that it leads to, and returns the names of the named structs of the user's own
// among them.
func (w *walk) from(t types.Type) []string {
	w.holds = nil
	w.visit(t, "", token.NoPos)
	if _, ok := types.Unalias(t).(*types.Named); ok && len(w.holds) > 0 {
		return w.holds[1:]
	}
	return w.holds
}

// refuse notes a place; those of variables, which have no name for options, are left to the error of the saver.
func (w *walk) refuse(place, what string, at token.Pos) {
	if place != "" {
		w.refused = append(w.refused, Refused{Place: place, What: what, At: w.fset.Position(at), Func: what == function})
	}
}

const function = "a function"

// visit walks a type, which is that of a field called place, if that is not empty.
func (w *walk) visit(t types.Type, place string, at token.Pos) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		w.named(t, place, at)
	case *types.Pointer:
		w.visit(t.Elem(), place, at)
	case *types.Slice:
		w.visit(t.Elem(), place, at)
	case *types.Array:
		w.visit(t.Elem(), place, at)
	case *types.Map:
		w.visit(t.Key(), place, at)
		w.visit(t.Elem(), place, at)
	case *types.Struct:
		w.fields(t, "")
	case *types.Interface:
		if t.NumMethods() == 0 {
			return // anything
		}
		for _, n := range w.all {
			if types.Implements(n, t) || types.Implements(types.NewPointer(n), t) {
				if !slices.Contains(w.behind, n) {
					w.behind = append(w.behind, n)
				}
				w.visit(n, "", n.Obj().Pos())
			}
		}
	case *types.Signature:
		w.refuse(place, function, at)
	case *types.Chan:
		w.refuse(place, "a channel", at)
	case *types.Basic:
		switch t.Kind() {
		case types.UnsafePointer:
			w.refuse(place, "an unsafe pointer", at)
		case types.Uintptr:
			w.refuse(place, "a uintptr, which may be an address", at)
		}
	}
}

// savable are the packages of the standard library whose types are data. Others hold files, connections, and functions.
var savable = []string{"time", "sync", "sync/atomic", "math/rand", "math/rand/v2", "math/big", "container/list", "container/ring", "strings", "bytes", "image", "image/color"}

// devices are modules whose types are no part of a state: pictures, windows, sounds.
var devices = []string{
	"github.com/hajimehoshi/ebiten", "github.com/ebitengine/oto", "github.com/gen2brain/raylib-go", "github.com/veandco/go-sdl2",
	"github.com/faiface", "github.com/gopxl", "github.com/go-gl", "github.com/gdamore/tcell", "github.com/gopxl/beep", "golang.org/x/term",
}

func (w *walk) named(t *types.Named, place string, at token.Pos) {
	path := packageOf(t)
	if w.seen[t] && w.home(path) {
		return
	}
	_, isFunc := t.Underlying().(*types.Signature)
	_, isStruct := t.Underlying().(*types.Struct)
	_, isChan := t.Underlying().(*types.Chan)
	switch {
	case isFunc || isChan:
		w.visit(t.Underlying(), place, at)
		return
	case path == "": // error
		return
	case std.Known(path):
		if isStruct && !slices.Contains(savable, path) {
			w.refuse(place, "a "+t.Obj().Pkg().Name()+"."+t.Obj().Name(), at)
		}
		return
	case slices.ContainsFunc(devices, func(d string) bool { return path == d || strings.HasPrefix(path, d+"/") }):
		w.refuse(place, "a "+t.Obj().Pkg().Name()+"."+t.Obj().Name(), at)
		return
	case !w.home(path):
		w.other[t.Obj().Pkg().Name()+"."+t.Obj().Name()] = true
		return
	}
	w.seen[t] = true
	if s, ok := t.Underlying().(*types.Struct); ok {
		w.holds = append(w.holds, t.Obj().Name())
		w.fields(s, t.Obj().Name())
		return
	}
	w.visit(t.Underlying(), place, at)
}

func (w *walk) fields(s *types.Struct, name string) {
	for f := range s.Fields() {
		place := ""
		if name != "" {
			place = name + "." + f.Name()
		}
		w.visit(f.Type(), place, f.Pos())
	}
}
