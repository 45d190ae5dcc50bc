package rules

import (
	"go/ast"
	"go/types"
)

// uses visits the names of constants in the source of the function. (The SSA form only has their values.) Function
// literals are examined separately.
func (c *Context) uses(visit func(id *ast.Ident, k *types.Const)) {
	inspectOwn(c, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if k, ok := c.Info.Uses[id].(*types.Const); ok && k.Pkg() != nil {
			visit(id, k)
		}
		return true
	})
}

// inspectOwn calls ast.Inspect on the source of the function, if there is any, without the function literals in it.
func inspectOwn(c *Context, visit func(n ast.Node) bool) {
	if c.Info == nil || c.syntax() == nil {
		return
	}
	own := c.syntax()
	ast.Inspect(own, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal && n != own {
			return false
		}
		return visit(n)
	})
}

// visitSizes visits the sizes, alignments and offsets of package unsafe that differ between machines: those of types
// with pointers, or with integers of the machine's width.
func visitSizes(c *Context, visit func(size *ast.CallExpr, name string, t types.Type)) {
	inspectOwn(c, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		b, ok := c.Info.Uses[sel.Sel].(*types.Builtin)
		if !ok || b.Pkg() != types.Unsafe || b.Name() != "Sizeof" && b.Name() != "Alignof" && b.Name() != "Offsetof" {
			return true
		}
		if t := c.Info.TypeOf(call.Args[0]); t != nil && machineSized(t) {
			visit(call, b.Name(), t)
		}
		return true
	})
}

// generic reports whether the size of a type depends on that of a type parameter.
func generic(t types.Type) bool {
	if isParam(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return generic(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if generic(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// machineSized reports whether the size of a type may depend on the machine.
func machineSized(t types.Type) bool {
	narrow, wide := types.SizesFor("gc", "386"), types.SizesFor("gc", "amd64")
	return generic(t) || narrow.Sizeof(t) != wide.Sizeof(t)
}
