package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A conversion to the type that a product has already changes nothing where nothing is fused, so that these edits keep all results
// of a plain build for amd64.

// editor makes the edits of findings about floats.
type editor struct{ *Context }

// roundTerm lets a finding about a sum round the product in it: where that is computed, or else where it is added.
func (c editor) roundTerm(f *Finding, product ssa.Value, sum *ssa.BinOp, operand int) {
	if c.roundProduct(f, product) || c.roundExpr(f, c.term(sum, operand)) {
		return
	}
	if a := c.source().assignment(sum); a != nil && operand == 0 { // p += z, of a product p
		c.spellOut(f, a, func(x, t string) string { return t + "(" + x + ") " + a.Tok.String()[:1] }, "")
	}
}

// roundArgument lets a finding about a call round the product that it is given.
func (c editor) roundArgument(f *Finding, product ssa.Value, call *ssa.Call, arg int) {
	if e := c.argument(call, arg); !c.roundProduct(f, product) && e != nil && isFloat(c.Info.TypeOf(e)) {
		c.roundExpr(f, e)
	}
}

// roundProduct lets a finding convert a product where it is computed, if that is in the function.
func (c editor) roundProduct(f *Finding, product ssa.Value) bool {
	b, ok := product.(*ssa.BinOp)
	if !ok {
		return false
	}
	if e := c.source().binary(b); e != nil {
		if p, ok := c.source().parents[e].(*ast.ParenExpr); ok {
			return c.roundExpr(f, p)
		}
		return c.roundExpr(f, e)
	}
	a := c.source().assignment(b)
	if a == nil {
		return false
	}
	return c.spellOut(f, a, func(x, t string) string { return t + "(" + x + " " + a.Tok.String()[:1] }, ")")
}

// roundExpr lets a finding convert an expression to its own type.
func (c editor) roundExpr(f *Finding, e ast.Expr) bool {
	if e == nil || c.Info == nil {
		return false
	}
	t, ok := c.typeName(c.Info.TypeOf(e), e.Pos())
	if !ok {
		return false
	}
	if _, is := e.(*ast.ParenExpr); is {
		f.Edits = []Edit{{e.Pos(), e.Pos(), t}}
		return true
	}
	f.Edits = []Edit{{e.Pos(), e.Pos(), t + "("}, {e.End(), e.End(), ")"}}
	return true
}

// spellOut lets a finding make x = START y END of x *= y, if it does not matter that x is computed twice.
func (c editor) spellOut(f *Finding, a *ast.AssignStmt, start func(x, t string) string, end string) bool {
	x, y := a.Lhs[0], a.Rhs[0]
	if c.Info == nil || !repeatable(x) {
		return false
	}
	t, ok := c.typeName(c.Info.TypeOf(x), x.Pos())
	if !ok {
		return false
	}
	open := ""
	if !simple(y) && !literal(y) {
		open, end = "(", ")"+end
	}
	f.Edits = []Edit{
		{a.TokPos, a.TokPos + token.Pos(len(a.Tok.String())), "= " + start(types.ExprString(x), t)},
		{y.Pos(), y.Pos(), open},
		{y.End(), y.End(), end},
	}
	return true
}

func literal(e ast.Expr) bool { _, ok := e.(*ast.BasicLit); return ok }

// typeName is how a type is written at a place, if it has a name there.
func (c editor) typeName(t types.Type, at token.Pos) (string, bool) {
	if b, ok := t.(*types.Basic); ok {
		return b.Name(), b.Info()&types.IsUntyped == 0 && c.meaning(b.Name(), at) == types.Universe.Lookup(b.Name())
	}
	n, ok := t.(interface {
		Obj() *types.TypeName
		TypeArgs() *types.TypeList
	})
	if !ok {
		if p, is := t.(*types.TypeParam); is {
			return p.Obj().Name(), c.meaning(p.Obj().Name(), at) == types.Object(p.Obj())
		}
		return "", false
	}
	obj := n.Obj()
	if n.TypeArgs().Len() > 0 {
		return "", false
	}
	if c.meaning(obj.Name(), at) == types.Object(obj) {
		return obj.Name(), true
	}
	if obj.Pkg() == nil || !obj.Exported() {
		return "", false
	}
	name := c.importedAs(obj.Pkg().Path(), at)
	return name + "." + obj.Name(), name != ""
}

// meaning is what a name stands for at a place.
func (c editor) meaning(name string, at token.Pos) types.Object {
	pkg := packageOf(c.Fn)
	if pkg == nil {
		return nil
	}
	scope := pkg.Scope().Innermost(at)
	if scope == nil {
		return nil
	}
	_, obj := scope.LookupParent(name, at)
	return obj
}

// packageOf is the package that has the source of a function.
func packageOf(fn *ssa.Function) *types.Package {
	for ; fn != nil; fn = fn.Parent() {
		if o := fn.Origin(); o != nil {
			fn = o
		}
		if fn.Pkg != nil {
			return fn.Pkg.Pkg
		}
	}
	return nil
}

// file is the one that a place is in.
func (c editor) file(at token.Pos) *ast.File {
	for _, f := range c.Files {
		if f.FileStart <= at && at < f.FileEnd {
			return f
		}
	}
	return nil
}

// importedAs is the name by which a place has a package, or "".
func (c editor) importedAs(path string, at token.Pos) string {
	file := c.file(at)
	if file == nil || c.Info == nil {
		return ""
	}
	for _, i := range file.Imports {
		obj, ok := c.Info.Implicits[i].(*types.PkgName)
		if i.Name != nil {
			obj, ok = c.Info.Defs[i.Name].(*types.PkgName)
		}
		if ok && obj.Imported().Path() == path && c.meaning(obj.Name(), at) == types.Object(obj) {
			return obj.Name()
		}
	}
	return ""
}
