package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// exact reports whether a product only changes the exponent: by a power of two from 1/1024 to 1024, as in 2*x. Such a
// product is not rounded, so it does not matter whether it is fused. (This is not true of extremely small numbers,
// which games do not have.)
func exact(b *ssa.BinOp) bool {
	for _, x := range []ssa.Value{b.X, b.Y} {
		k, ok := x.(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() == constant.Complex {
			continue
		}
		f, _ := constant.Float64Val(k.Value)
		if fraction, exponent := math.Frexp(math.Abs(f)); fraction == 0.5 && -10 < exponent && exponent < 12 {
			return true
		}
	}
	return false
}

// isProduct reports whether the compiler generates a product for an operation: for *, and for a quotient by a power
// of two, where it multiplies by the inverse.
func isProduct(b *ssa.BinOp) bool {
	if b.Op == token.MUL {
		return true
	}
	k, ok := b.Y.(*ssa.Const)
	if b.Op != token.QUO || !ok || k.Value == nil || k.Value.Kind() == constant.Complex {
		return false
	}
	f, _ := constant.Float64Val(k.Value)
	fraction, _ := math.Frexp(math.Abs(f))
	return fraction == 0.5
}

// rounded reports whether the source converts a product immediately, as in float64(x*y).
func (a *Analysis) rounded(b *ssa.BinOp) bool {
	f := a.function(b.Parent())
	if f.converted == nil {
		f.converted = converted(b.Parent())
	}
	return f.converted[b.Pos()]
}

// converted returns the positions of operators whose results are converted. A call of a function with one argument
// looks alike, but is a separate instruction.
func converted(fn *ssa.Function) map[token.Pos]bool {
	found := map[token.Pos]bool{}
	if fn.Syntax() == nil {
		return found
	}
	calls := map[token.Pos]bool{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				calls[c.Pos()] = true
			}
		}
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || calls[c.Lparen] {
			return true
		}
		if x, ok := ast.Unparen(c.Args[0]).(*ast.BinaryExpr); ok && !builtinName(c.Fun) {
			found[x.OpPos] = true
		}
		return true
	})
	return found
}

// builtinName reports whether an expression is the name of a built-in function that returns its argument.
func builtinName(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && slices.Contains([]string{"min", "max", "real", "imag", "append", "panic", "print", "println"}, id.Name)
}
