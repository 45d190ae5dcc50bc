package rules

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// drawingMark exempts a function from the ban on floats: it converts to floats for drawing, and a step does not call
// it. It may only return floats, so that a call in a step is found.
const drawingMark = "//tickback:drawing"

// Declared examines the declarations of a package that must not use floats and channels at all: types, fields,
// parameters and variables, whether anything uses them or not.
func Declared(files []*ast.File, info *types.Info) (found []Finding) {
	d := declarations{info: info}
	for _, f := range files {
		ast.Inspect(f, d.visit)
	}
	return d.found
}

type declarations struct {
	info  *types.Info
	found []Finding
}

func (d *declarations) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Doc != nil && slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool { return c.Text == drawingMark || strings.HasPrefix(c.Text, drawingMark+" ") }) {
			d.drawing(n)
			return false
		}
	case *ast.Ident:
		switch obj := d.info.Defs[n].(type) {
		case *types.Var:
			d.declares(n, obj.Type())
		case *types.TypeName:
			if _, param := obj.Type().(*types.TypeParam); !param {
				d.declares(n, obj.Type())
			}
		}
	}
	return true
}

func (d *declarations) declares(n *ast.Ident, t types.Type) {
	if contains(t, isFloat, map[types.Type]bool{}) {
		d.found = append(d.found, Finding{Rule: anyfloat.Name, Pos: n.Pos(), Message: n.Name + " has type " + short(t) + ", with a float"})
	}
	if contains(t, isChan, map[types.Type]bool{}) {
		d.found = append(d.found, Finding{Rule: concurrency.Name, Pos: n.Pos(), Message: n.Name + " has type " + short(t) + ", with a channel, which only goroutines need"})
	}
}

// drawing checks that a function for drawing meets the conditions of its mark.
func (d *declarations) drawing(f *ast.FuncDecl) {
	fn, ok := d.info.Defs[f.Name].(*types.Func)
	if !ok {
		return
	}
	results := fn.Signature().Results()
	only := results.Len() > 0
	for i := range results.Len() {
		only = only && isFloat(results.At(i).Type())
	}
	if !only {
		d.found = append(d.found, Finding{Rule: anyfloat.Name, Pos: f.Name.Pos(), Message: f.Name.Name + " is marked for drawing and has to return floats, and nothing else"})
	}
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// contains reports whether a type, or a type that its type parameter may stand for, is of a kind, or contains such
// types.
func contains(t types.Type, is func(types.Type) bool, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return slices.ContainsFunc(terms(p), func(t types.Type) bool { return contains(t, is, seen) })
	}
	if is(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return contains(u.Elem(), is, seen)
	case *types.Slice:
		return contains(u.Elem(), is, seen)
	case *types.Pointer:
		return contains(u.Elem(), is, seen)
	case *types.Map:
		return contains(u.Key(), is, seen) || contains(u.Elem(), is, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if contains(u.Field(i).Type(), is, seen) {
				return true
			}
		}
	}
	return false
}

// terms returns the types that the constraint of a type parameter lists.
func terms(p *types.TypeParam) (list []types.Type) {
	var add func(t types.Type)
	add = func(t types.Type) {
		switch t := types.Unalias(t).(type) {
		case *types.Union:
			for i := range t.Len() {
				list = append(list, t.Term(i).Type())
			}
			return
		case *types.TypeParam:
			return
		}
		i, ok := t.Underlying().(*types.Interface)
		if !ok {
			list = append(list, t)
			return
		}
		for j := range i.NumEmbeddeds() {
			add(i.EmbeddedType(j))
		}
	}
	add(p.Constraint())
	return list
}
