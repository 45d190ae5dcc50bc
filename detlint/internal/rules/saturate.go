package rules

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var saturate = &Rule{
	Name: "saturate", Short: "arithmetic that wraps in a function marked //tickback:saturating",
	Fix: "check for overflow first, or use package fixed", examine: examineSaturate,
}

// saturatingMark is the comment that marks a function whose arithmetic must not wrap.
const saturatingMark = "//tickback:saturating"

// examineSaturate finds sums, differences, products and shifts of integers that nothing keeps
// from wrapping.
func examineSaturate(c *Context) {
	if !marked(c.Fn, saturatingMark) {
		return
	}
	c.instructions(func(in ssa.Instruction) {
		b, ok := in.(*ssa.BinOp)
		if !ok || !isInteger(b.Type()) {
			return
		}
		switch b.Op {
		case token.ADD, token.SUB, token.MUL, token.SHL:
		default:
			return
		}
		_, x := b.X.(*ssa.Const)
		_, y := b.Y.(*ssa.Const)
		if x && y || checked(b) || counter(b) || wider(b) {
			return
		}
		c.report(b.Pos(), "%s wraps around in a function that is marked as saturating", b.Op)
	})
}

// checked reports whether the result is compared before it counts.
func checked(b *ssa.BinOp) bool {
	for _, r := range *b.Referrers() {
		if o, ok := r.(*ssa.BinOp); ok && ordered(o.Op) {
			return true
		}
		if o, ok := r.(*ssa.BinOp); ok && o.Op == token.XOR { // the usual test of signs
			return true
		}
	}
	return false
}

// counter reports whether it counts through an index.
func counter(b *ssa.BinOp) bool {
	k, ok := b.Y.(*ssa.Const)
	_, phi := b.X.(*ssa.Phi)
	return ok && phi && isPlatformInt(b.Type()) && k.Value != nil
}

// wider reports whether both operands come from narrower types, whose sum cannot overflow.
func wider(b *ssa.BinOp) bool {
	narrow := func(v ssa.Value) bool {
		if _, ok := v.(*ssa.Const); ok {
			return true
		}
		x, ok := v.(*ssa.Convert)
		return ok && isInteger(x.X.Type()) && 2*width(x.X.Type()) <= width(b.Type())
	}
	return b.Op != token.SHL && narrow(b.X) && narrow(b.Y)
}

func ordered(op token.Token) bool {
	return op == token.LSS || op == token.GTR || op == token.LEQ || op == token.GEQ
}

// marked reports whether the function, or the one that it is a literal of, has a comment.
func marked(fn *ssa.Function, mark string) bool {
	for ; fn != nil; fn = fn.Parent() {
		d, ok := fn.Syntax().(*ast.FuncDecl)
		if !ok || d.Doc == nil {
			continue
		}
		for _, line := range d.Doc.List {
			if line.Text == mark || strings.HasPrefix(line.Text, mark+" ") {
				return true
			}
		}
	}
	return false
}
