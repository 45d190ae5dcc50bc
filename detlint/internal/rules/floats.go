package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var fusedfloat = &Rule{
	Name: "fusedfloat", Short: "products of floats that may be fused with a sum", Duty: "Floating point",
	Fix:     "round the product: float64(x*y) + z; or build with --strict, for a game with Floats: tickback.Strict; or use package fixed",
	examine: examineFused, build: true,
}

var anyfloat = &Rule{
	Name: "anyfloat", Short: "any float (only with -floats=none)", Duty: "Floating point",
	Fix: "use package fixed or integers", examine: examineAnyFloat, option: true,
}

var nankey = &Rule{
	Name: "nankey", Short: "map keys with floats, which may be NaN", Duty: "NaN as a key",
	Fix: "use keys that equal themselves: integers, or fixed.Num", examine: examineNaNKey,
}

// examineFused finds sums and differences with a product as an operand, also across
// statements: the compiler may compute both with one rounding, and does so on some machines.
func examineFused(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(*ssa.Call); ok {
			c.added(call)
		}
		b, ok := in.(*ssa.BinOp)
		if !ok || !isFloat(b.Type()) {
			return
		}
		if isComplex(b.Type()) && (b.Op == token.MUL || b.Op == token.QUO) {
			f := c.report(b.Pos(), "a %s of complex numbers is made of sums of products, which may be fused", productOrQuotient(b.Op))
			f.Fix = "no conversion of it helps: use " + complexFunction(b) + ", which rounds each of them; or build with --strict, for a game with Floats: tickback.Strict"
			editor{c}.complexBy(f, b)
			return
		}
		if b.Op != token.ADD && b.Op != token.SUB {
			return
		}
		for i, x := range []ssa.Value{b.X, b.Y} {
			if p := c.product(x); p != nil && !c.rounded(b, i) {
				what := "product"
				if q, ok := p.(*ssa.BinOp); ok && q.Op == token.QUO {
					what = "division by a power of two, which is a product,"
				}
				f := c.report(b.Pos(), "the %s in this %s may be fused with it: one rounding on some machines, two on others", what, sumOrDifference(b.Op))
				editor{c}.roundTerm(f, p, b, i)
				return
			}
		}
	})
}

// complexFunction returns the function that does the same as an operation on complex numbers, with each product
// rounded.
func complexFunction(b *ssa.BinOp) string {
	name := "MulComplex"
	if b.Op == token.QUO {
		name = "QuoComplex"
	}
	if t, ok := b.Type().Underlying().(*types.Basic); ok && t.Kind() == types.Complex64 {
		return "math32." + name + " of package portable/math32"
	}
	return "portable." + name
}

func sumOrDifference(op token.Token) string {
	if op == token.SUB {
		return "difference"
	}
	return "sum"
}

func productOrQuotient(op token.Token) string {
	if op == token.QUO {
		return "quotient"
	}
	return "product"
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// product returns the product that a value is, if nothing has rounded it: an operation, or the call of a function
// that may be inlined.
func (c *Context) product(v ssa.Value) (product ssa.Value) {
	c.Flow.Sources(flow.Part{Of: v}, func(p flow.Part) {
		if b, ok := p.Of.(*ssa.BinOp); ok && (c.converted(b) || isComplex(b.Type())) { // a complex product is itself a sum, and reported as such
			return
		}
		if _, param := p.Of.(*ssa.Parameter); !param && product == nil {
			product = p.Of
		}
	})
	return product
}

// added reports products that are passed to a function that may be inlined and that adds something to them.
func (c *Context) added(call *ssa.Call) {
	said := false
	c.Flow.Added(&call.Call, func(arg int, p flow.Part) {
		b, operation := p.Of.(*ssa.BinOp)
		if said || operation && c.converted(b) || c.convertedArgument(call, arg) {
			return
		}
		said = true
		name := "the function"
		if fn := call.Call.StaticCallee(); fn.Parent() == nil {
			_, name = nameOf(fn)
		}
		f := c.report(call.Pos(), "the compiler may put %s right here, and fuse the product that it is given with a sum in it: one rounding on some machines, two on others", name)
		editor{c}.roundArgument(f, p.Of, call, arg)
	})
}

// convertedArgument reports whether an argument of a call is a conversion in the source.
func (c *Context) convertedArgument(call *ssa.Call, arg int) bool {
	e := c.argument(call, arg)
	return e != nil && c.conversion(ast.Unparen(e))
}

// argument returns an argument of a call in the source, except for a receiver.
func (c *Context) argument(call *ssa.Call, arg int) ast.Expr {
	e := c.source().call(call)
	if e == nil {
		return nil
	}
	arg -= len(call.Call.Args) - len(e.Args) // the receiver
	if arg < 0 || arg >= len(e.Args) {
		return nil
	}
	return e.Args[arg]
}

// converted reports whether the source converts a product to a float type immediately, which rounds it.
func (c *Context) converted(b *ssa.BinOp) bool {
	e := c.source().binary(b)
	return e != nil && c.conversion(c.source().parent(e))
}

// conversion reports whether a node is a conversion to a float type.
func (c *Context) conversion(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || c.Info == nil {
		return false
	}
	tv, ok := c.Info.Types[call.Fun]
	return ok && tv.IsType() && (isFloat(tv.Type) || isParam(tv.Type))
}

func isParam(t types.Type) bool { _, ok := types.Unalias(t).(*types.TypeParam); return ok }

// rounded reports whether an operand of a sum is a conversion in the source.
func (c *Context) rounded(b *ssa.BinOp, operand int) bool {
	x := ast.Unparen(c.term(b, operand))
	if x == nil {
		return false
	}
	if u, ok := x.(*ast.UnaryExpr); ok {
		x = ast.Unparen(u.X)
	}
	return c.conversion(x)
}

// term returns an operand of a sum in the source: in s += x, only x.
func (c *Context) term(b *ssa.BinOp, operand int) ast.Expr {
	if e := c.source().binary(b); e != nil && operand == 0 {
		return e.X
	} else if e != nil {
		return e.Y
	}
	if a := c.source().assignment(b); a != nil && operand == 1 {
		return a.Rhs[0]
	}
	return nil
}

// examineAnyFloat finds every operation on floats and every conversion to one.
func examineAnyFloat(c *Context) {
	if !c.Options.NoFloats || marked(c.Fn, drawingMark) {
		return
	}
	line := 0
	c.instructions(func(in ssa.Instruction) {
		v, ok := in.(ssa.Value)
		if !ok || !isFloat(v.Type()) {
			return
		}
		switch in.(type) {
		case *ssa.BinOp, *ssa.Convert, *ssa.Call, *ssa.UnOp, *ssa.MultiConvert, *ssa.Extract:
		default:
			return
		}
		if p := c.Fset.Position(c.pos(in)); p.Line != line {
			line = p.Line
			c.report(c.pos(in), "there is a %s in the step", short(v.Type()))
		}
	})
}

// examineNaNKey finds writes to maps whose keys contain floats.
func examineNaNKey(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		u, ok := in.(*ssa.MapUpdate)
		if !ok {
			return
		}
		key := u.Key
		if m, ok := key.(*ssa.MakeInterface); ok {
			key = m.X
		}
		if isConst(key) || !floatKey(key.Type()) || notNaN(key) {
			return
		}
		c.report(c.pos(in), "a key of type %s may be NaN, which equals nothing: each is an entry that no lookup finds", short(key.Type()))
	})
}

// floatKey reports whether values of a type may differ from themselves.
func floatKey(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return isFloat(u)
	case *types.Array:
		return floatKey(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if floatKey(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

// notNaN reports whether a float comes from an integer, or from the key of another entry.
func notNaN(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp: // a struct that was just made from numbers
		cell, ok := v.X.(*ssa.Alloc)
		return ok && v.Op == token.MUL && numbersOnly(cell)
	case *ssa.Convert:
		return isInteger(v.X.Type()) || notNaN(v.X)
	case *ssa.ChangeType:
		return notNaN(v.X)
	case *ssa.Call:
		pkg, name := called(&v.Call)
		return pkg == "math" && (name == "Floor" || name == "Round" || name == "Trunc" || name == "Ceil") && notNaN(v.Call.Args[0])
	}
	return false
}

// numbersOnly reports whether the floats of a struct variable are only set through its fields, to values that are not
// NaN.
func numbersOnly(cell *ssa.Alloc) bool {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.FieldAddr:
			for _, u := range *r.Referrers() {
				s, ok := u.(*ssa.Store)
				if !ok || s.Addr != ssa.Value(r) || floatKey(s.Val.Type()) && !isConst(s.Val) && !notNaN(s.Val) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
