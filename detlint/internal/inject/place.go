package inject

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Place is a position where a fault can be inserted: before a statement, with variables that it can change.
type Place struct {
	File   string
	Offset int
	Line   int
	Func   string
	Sinks  []string // statements that change something depending on out#, an int64
	Tick   string   // a variable that has the tick, or ""
}

// Places returns the places in those functions of a package that are reached; reached contains the positions of
// their names.
func Places(fset *token.FileSet, p *packages.Package, reached map[token.Position]bool) (places []Place) {
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !reached[plain(fset.Position(fn.Name.Pos()))] {
				continue
			}
			v := visitor{fset: fset, p: p, fn: fn}
			ast.Inspect(fn.Body, v.visit)
			places = append(places, v.places...)
		}
	}
	return places
}

// plain returns a position that can be compared with others.
func plain(p token.Position) token.Position { p.Offset = 0; return p }

type visitor struct {
	fset   *token.FileSet
	p      *packages.Package
	fn     *ast.FuncDecl
	bodies []*ast.BlockStmt // the bodies of switches, which have no statements of their own
	places []Place
}

func (v *visitor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		v.bodies = append(v.bodies, n.Body)
	case *ast.TypeSwitchStmt:
		v.bodies = append(v.bodies, n.Body)
	case *ast.SelectStmt:
		v.bodies = append(v.bodies, n.Body)
	case *ast.BlockStmt:
		if !slices.Contains(v.bodies, n) {
			v.list(n.List)
		}
	case *ast.CaseClause:
		v.list(n.Body)
	}
	return true
}

func (v *visitor) list(list []ast.Stmt) {
	for _, s := range list {
		at := v.fset.Position(s.Pos())
		place := Place{File: at.Filename, Offset: at.Offset, Line: at.Line, Func: v.fn.Name.Name}
		v.scope(&place, s.Pos())
		if len(place.Sinks) > 0 {
			v.places = append(v.places, place)
		}
	}
}

// scope examines the variables that are visible at a place, innermost first.
func (v *visitor) scope(place *Place, pos token.Pos) {
	seen := map[string]bool{}
	inner := v.p.Types.Scope().Innermost(pos)
	for s := inner; s != nil && s != v.p.Types.Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			obj, ok := s.Lookup(name).(*types.Var)
			if !ok || seen[name] || name == "_" || s.Lookup(name).Pos() >= pos {
				continue
			}
			if _, found := inner.LookupParent(name, pos); found != types.Object(obj) {
				continue
			}
			seen[name] = true
			if isTick(obj.Type()) {
				place.Tick = name
				continue
			}
			v.sinks(place, name, "", obj.Type(), 0)
		}
	}
}

func isTick(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Name() == "Tick" && n.Obj().Pkg() != nil && n.Obj().Pkg().Name() == "rollback"
}

// sinks adds statements that change what a variable contains or refers to. guard is a condition that excludes nil
// pointers on the way.
func (v *visitor) sinks(place *Place, expr, guard string, t types.Type, depth int) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok && depth < 3 {
			v.fields(place, expr, join(guard, expr+" != nil"), u.Elem(), depth)
		}
	case *types.Struct:
		if depth > 0 && depth < 3 {
			v.fields(place, expr, guard, t, depth)
		}
	case *types.Array:
		if u.Len() > 0 && depth > 0 && depth < 3 {
			v.sinks(place, expr+"[0]", guard, u.Elem(), depth+1)
		}
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 || u.Info()&types.IsUntyped != 0 {
			return
		}
		if name, ok := v.typeName(t); ok {
			place.Sinks = append(place.Sinks, fmt.Sprintf("if %s {\n%s += %s(out# & 1)\n}", join(guard, "out# != 0"), expr, name))
		}
	}
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " && " + b
}

func (v *visitor) fields(place *Place, expr, guard string, t types.Type, depth int) {
	s := t.Underlying().(*types.Struct)
	n, named := types.Unalias(t).(*types.Named)
	if named && n.Obj().Pkg() != v.p.Types && n.Obj().Pkg().Name() != "fixed" {
		return // memory of the engine, or of a component store
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || !f.Exported() && f.Pkg() != v.p.Types || s.Tag(i) != "" {
			continue
		}
		v.sinks(place, expr+"."+f.Name(), guard, f.Type(), depth+1)
	}
}

// typeName returns the spelling of a type in the package, if it needs no other import.
func (v *visitor) typeName(t types.Type) (string, bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Name(), true
	case *types.Named:
		if t.TypeArgs().Len() > 0 || t.Obj().Parent() != t.Obj().Pkg().Scope() {
			return "", false
		}
		if t.Obj().Pkg() == v.p.Types {
			return t.Obj().Name(), true
		}
		if name := t.Obj().Pkg().Name(); name == "fixed" || name == "rollback" {
			return "{" + t.Obj().Pkg().Path() + "}." + t.Obj().Name(), true
		}
	}
	return "", false
}
