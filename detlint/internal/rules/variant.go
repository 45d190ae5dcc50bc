package rules

import (
	"go/ast"
	"go/types"
)

// variants visits the names of declarations that differ on other machines, with the file that declares them.
func variants(c *Context, visit func(id *ast.Ident, obj types.Object, file string)) {
	if len(c.Variants) == 0 {
		return
	}
	inspectOwn(c, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := c.Info.Uses[id]
		if fn, ok := obj.(*types.Func); ok {
			obj = fn.Origin()
		}
		if file := c.Variants[obj]; obj != nil && file != "" {
			visit(id, obj, file)
		}
		return true
	})
}

// otherValues reports constants, variables and types that differ on other machines.
func otherValues(c *Context) {
	variants(c, func(id *ast.Ident, obj types.Object, file string) {
		switch obj.(type) {
		case *types.Const:
			c.report(id.Pos(), "the constant %s is another one on other machines: see %s", obj.Name(), file)
		case *types.Var:
			c.report(id.Pos(), "the variable %s begins as something else on other machines: see %s", obj.Name(), file)
		case *types.TypeName:
			c.report(id.Pos(), "the type %s is another one on other machines: see %s", obj.Name(), file)
		}
	})
}

// otherCode reports functions that have another body on other machines, which was not examined.
func otherCode(c *Context) {
	variants(c, func(id *ast.Ident, obj types.Object, file string) {
		if _, ok := obj.(*types.Func); ok {
			c.report(id.Pos(), "%s has another body on other machines, in %s, which is not examined", obj.Name(), file)
		}
	})
}
