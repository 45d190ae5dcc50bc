package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A conversion of a product to the type that it already has changes nothing where nothing is fused, so these edits
// preserve all results of a plain build for amd64.

// editor makes the edits of findings about floats.
type editor struct{ *Context }

// roundTerm adds edits to a finding about a sum that round the product in it: where it is computed, or else where it
// is added.
func (c editor) roundTerm(f *Finding, product ssa.Value, sum *ssa.BinOp, operand int) {
	if c.roundProduct(f, product) || c.roundExpr(f, c.term(sum, operand)) {
		return
	}
	if a := c.source().assignment(sum); a != nil && operand == 0 { // p += z, of a product p
		if t, ok := c.typeNameOf(a.Lhs[0]); ok {
			c.spellOut(f, a, spelled{t + "(", ") " + a.Tok.String()[:1] + " ", ""})
		}
		c.unmended(f, a, "float64(*p) "+a.Tok.String()[:1]+" y")
	}
	if b, ok := product.(*ssa.BinOp); ok {
		c.unmended(f, c.source().assignment(b), "float64(*p * y)")
	}
}

// roundArgument adds edits to a finding about a call that round a product among its arguments.
func (c editor) roundArgument(f *Finding, product ssa.Value, call *ssa.Call, arg int) {
	if e := c.argument(call, arg); !c.roundProduct(f, product) && e != nil && isFloat(c.Info.TypeOf(e)) {
		c.roundExpr(f, e)
	}
}

// roundProduct adds edits to a finding that convert a product where it is computed, if that is in the function.
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
	t, ok := c.typeNameOf(a.Lhs[0])
	return ok && c.spellOut(f, a, spelled{t + "(", " " + a.Tok.String()[:1] + " ", ")"})
}

// roundExpr adds edits to a finding that convert an expression to its own type.
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

// typeNameOf returns how the type of an expression is written at its position.
func (c editor) typeNameOf(e ast.Expr) (string, bool) {
	if c.Info == nil {
		return "", false
	}
	return c.typeName(c.Info.TypeOf(e), e.Pos())
}

// spelled is the text around x and y that replaces x *= y.
type spelled struct{ before, between, after string }

// spellOut adds edits to a finding that rewrite x *= y as x = BEFORE x BETWEEN y AFTER. If x calls functions, its
// address is computed once and stored in a variable.
func (c editor) spellOut(f *Finding, a *ast.AssignStmt, by spelled) bool {
	x, y := a.Lhs[0], a.Rhs[0]
	if c.Info == nil {
		return false
	}
	if strings.HasSuffix(strings.TrimSpace(by.between), ",") {
		// y is an argument
	} else if !simple(y) && !literal(y) {
		by.between, by.after = by.between+"(", ")"+by.after
	}
	if repeatable(x) {
		f.Edits = append(f.Edits,
			Edit{a.TokPos, a.TokPos + token.Pos(len(a.Tok.String())), "= " + by.before + types.ExprString(x) + by.between},
			Edit{y.End(), y.End(), by.after})
		return true
	}
	if edits, ok := c.placedOnce(a, by); ok {
		f.Edits = append(f.Edits, edits...)
		return true
	}
	return false
}

// unmended notes in a finding without edits why it has none, if there would be some for x *= y with another x or y.
func (c editor) unmended(f *Finding, a *ast.AssignStmt, round string) {
	if a == nil || f.Edits != nil || repeatable(a.Lhs[0]) {
		return
	}
	f.Fix = "find the place once, p := &x, and round there: *p = " + round + " (-fix does so, but not for an element of a map that a function returns, " +
		"nor where y calls functions, the statement is not one of a block, or a comment is in it); or build with --strict, for a game with Floats: tickback.Strict"
}

// placedOnce returns edits that turn x *= y into a block whose first statement stores the address of x, or its key in
// a map.
func (c editor) placedOnce(a *ast.AssignStmt, by spelled) ([]Edit, bool) {
	switch c.source().parents[a].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return nil, false // part of an if, a for or a switch, or with a label
	}
	x, y := ast.Unparen(a.Lhs[0]), a.Rhs[0]
	name := c.unusedIn(a, by.before)
	if !repeatable(y) || name == "" || c.commented(a) {
		return nil, false
	}
	begin, place := Edit{a.Pos(), a.Pos(), "{\n" + name + " := &"}, "*"+name
	from := a.Lhs[0].End()
	if i, ok := x.(*ast.IndexExpr); ok && isMap(c.Info.TypeOf(i.X)) {
		if !repeatable(i.X) {
			return nil, false
		}
		begin, place, from = Edit{a.Pos(), i.Index.Pos(), "{\n" + name + " := "}, types.ExprString(i.X)+"["+name+"]", i.Index.End()
	}
	return []Edit{
		begin,
		{from, y.Pos(), "\n" + place + " = " + by.before + place + by.between},
		{y.End(), y.End(), by.after + "\n}"},
	}, true
}

// unusedIn returns a name for a variable that does not occur in a statement, or in the text inserted there, or "".
func (c editor) unusedIn(a *ast.AssignStmt, text string) string {
	used := map[string]bool{}
	ast.Inspect(a, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, name := range []string{"p", "at", "place"} {
		if !used[name] && !strings.HasPrefix(text, name+"(") && !strings.HasPrefix(text, name+".") {
			return name
		}
	}
	return ""
}

// commented reports whether a statement contains a comment.
func (c editor) commented(a *ast.AssignStmt) bool {
	file := c.file(a.Pos())
	return file == nil || slices.ContainsFunc(file.Comments, func(g *ast.CommentGroup) bool { return a.Pos() <= g.Pos() && g.End() <= a.End() })
}

// complexBy adds edits to a finding about a product or quotient of complex numbers that call a function of package
// portable, or math32. A quotient uses the sign of a NaN, which may be different afterwards.
func (c editor) complexBy(f *Finding, b *ssa.BinOp) {
	if c.Info == nil {
		return
	}
	name := "MulComplex"
	if b.Op == token.QUO {
		name, f.Caution = "QuoComplex", true
	}
	if e := c.source().binary(b); e != nil {
		path, to := c.complexKind(e)
		c.complexCall(f, e, path, name, to)
	} else if a := c.source().assignment(b); a != nil {
		path, to := c.complexKind(a.Lhs[0])
		c.complexAssigned(f, a, path, name, to)
		c.unmended(f, a, path[strings.LastIndexByte(path, '/')+1:]+"."+name+"(*p, y)")
	}
}

// complexKind returns the package that computes with complex numbers of the type of an expression, and the type in
// which it computes. For a type parameter that is complex128, with the same results for complex64 as math32.
func (c editor) complexKind(e ast.Expr) (path, to string) {
	if t, ok := c.Info.TypeOf(e).Underlying().(*types.Basic); ok && t.Kind() == types.Complex64 {
		return portable32, "complex64"
	}
	return portable, "complex128"
}

// complexCall replaces x * y by NAME(x, y).
func (c editor) complexCall(f *Finding, e *ast.BinaryExpr, path, name, to string) {
	open, between, end, ok := c.complexArguments(e, to)
	edits, found := c.portably(e.Pos(), e.Pos(), path, name)
	if !ok || !found {
		return
	}
	last := &edits[len(edits)-1]
	if open != "" {
		last.Text = open + "(" + last.Text
	}
	last.Text += "(" + between[0]
	f.Edits = append(edits, Edit{e.OpPos, e.OpPos + 1, between[1]}, Edit{e.End(), e.End(), end})
}

// complexAssigned replaces x *= y by x = NAME(x, y).
func (c editor) complexAssigned(f *Finding, a *ast.AssignStmt, path, name, to string) {
	open, between, end, ok := c.complexArguments(a.Lhs[0], to)
	edits, found := c.portably(a.Pos(), a.Pos(), path, name)
	if !ok || !found {
		return
	}
	before := edits[len(edits)-1].Text + "(" + between[0]
	if open != "" {
		before = open + "(" + before
	}
	f.Edits = edits[:len(edits)-1]
	if !c.spellOut(f, a, spelled{before, between[1], end}) {
		f.Edits = nil
	}
}

// complexArguments returns the text around the arguments of a function of complex numbers whose result has the type
// of e: the text before the first argument, with the name of that type if the function returns another one, the text
// between the arguments, and the text after them.
func (c editor) complexArguments(e ast.Expr, to string) (of string, between [2]string, end string, ok bool) {
	t := c.Info.TypeOf(e)
	if types.Identical(t, types.Universe.Lookup(to).Type()) {
		return "", [2]string{"", ", "}, ")", true
	}
	of, ok = c.typeName(t, e.Pos())
	return of, [2]string{to + "(", "), " + to + "("}, ")))", ok && c.meaning(to, e.Pos()) == types.Universe.Lookup(to)
}

func literal(e ast.Expr) bool { _, ok := e.(*ast.BasicLit); return ok }

// typeName returns how a type is written at a place, if it has a name there.
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

// meaning returns what a name stands for at a place.
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

// packageOf returns the package that contains the source of a function.
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

// file returns the file that contains a place.
func (c editor) file(at token.Pos) *ast.File {
	for _, f := range c.Files {
		if f.FileStart <= at && at < f.FileEnd {
			return f
		}
	}
	return nil
}

// importedAs returns the name under which a package is imported at a place, or "".
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
