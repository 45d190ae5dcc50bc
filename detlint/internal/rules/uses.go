package rules

import (
	"go/ast"
	"go/token"
	"go/types"
)

// uses visits the names of constants of other packages in the source of the function. (The
// compiled form has only their values.) Function literals are functions of their own.
func (c *Context) uses(visit func(pos token.Pos, pkg, name string)) {
	if c.Info == nil || c.syntax() == nil {
		return
	}
	own := c.syntax()
	ast.Inspect(own, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && n != own {
			return lit == own
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if k, ok := c.Info.Uses[id].(*types.Const); ok && k.Pkg() != nil {
			visit(id.Pos(), k.Pkg().Path(), k.Name())
		}
		return true
	})
}
