package rules

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var saturate = &Rule{
	Name: "saturate", Short: "arithmetic that wraps in a function marked //tickback:saturating",
	Fix: "check for overflow first, or use package fixed", examine: examineSaturate,
}

// saturatingMark is the comment that marks a function whose arithmetic must not wrap.
const saturatingMark = "//tickback:saturating"

// examineSaturate finds sums, differences, products and shifts of integers that may wrap.
func examineSaturate(c *Context) {
	if !marked(c.Fn, saturatingMark) {
		return
	}
	c.instructions(func(in ssa.Instruction) {
		unsaturated(c, in)
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
		if x && y || checked(b) || counter(b) || wider(b) || tested(b) || indexes(b, nil) {
			return
		}
		c.report(b.Pos(), "%s wraps around in a function that is marked as saturating", b.Op)
	})
}

// unsaturated reports negations and conversions to narrower types.
func unsaturated(c *Context, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.SUB && isInteger(in.Type()) {
			c.report(in.Pos(), "- of the smallest number wraps around in a function that is marked as saturating")
		}
	case *ssa.Convert:
		if !isInteger(in.X.Type()) || !isInteger(in.Type()) || width(in.Type()) >= width(in.X.Type()) || isConst(in.X) || limited(in.X) {
			return
		}
		c.report(c.pos(in), "a conversion to %s wraps around in a function that is marked as saturating", short(in.Type()))
	}
}

// limited reports whether a number is bounded by min, max or a remainder.
func limited(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		name := builtin(&v.Call)
		return name == "min" || name == "max"
	case *ssa.BinOp:
		return (v.Op == token.REM || v.Op == token.AND || v.Op == token.SHR) && isConst(v.Y)
	case *ssa.Convert:
		return isInteger(v.X.Type()) && limited(v.X)
	}
	return false
}

// tested reports whether an operation only runs if one of its operands was compared before.
func tested(b *ssa.BinOp) bool {
	for cond := range guards(b.Block()) {
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && ordered(cmp.Op) {
			for _, x := range []ssa.Value{b.X, b.Y} {
				if !isConst(x) && (sameOrLoaded(cmp.X, x) || sameOrLoaded(cmp.Y, x)) {
					return true
				}
			}
		}
	}
	return false
}

// indexes reports whether a number is only an index or a length, which is bounded by a slice.
func indexes(v ssa.Value, seen []ssa.Value) bool {
	if slices.Contains(seen, v) {
		return true
	}
	used := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.IndexAddr:
			used = used || r.Index == v
		case *ssa.Index:
			used = used || r.Index == v
		case *ssa.Slice, *ssa.MakeSlice:
			used = true
		case *ssa.BinOp:
			if !indexes(r, append(seen, v)) {
				return false
			}
			used = true
		default:
			return false
		}
	}
	return used
}

// checked reports whether the result is compared before it is used.
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

// counter reports whether an operation increments an index.
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
