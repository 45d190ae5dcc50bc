package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// fixedPoint is the least divisor, or power of two of a shift, by which people divide numbers with a fractional part.
const fixedPoint = 12

// wideUses reports a product of ints that need 32 bits each, before it is divided, shifted down, compared or kept: the upper half
// is lost on some machines.
func wideUses(c *Context, in ssa.Instruction) {
	report := func(op *ssa.BinOp, before string) {
		if op != nil {
			c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it %s", op.Op, short(op.Type()), before)
		}
	}
	wide := func(b *ssa.BinOp) bool {
		return b.Op == token.MUL && (needs32(c, b.X, 4) && needs32(c, b.Y, 4) || given(c, b.X)*given(c, b.Y) >= 1<<31)
	}
	switch in := in.(type) {
	case *ssa.BinOp:
		switch {
		case !isPlatformInt(in.X.Type()):
		case in.Op == token.QUO || in.Op == token.SHR:
			op := product(in.X, 4, wide)
			if op == nil && scaledBy(in) {
				op = product(in.X, 4, func(b *ssa.BinOp) bool { return b.Op == token.MUL && overflowing(b) && !isConst(b.X) && !isConst(b.Y) })
			}
			report(op, "comes to "+in.Op.String())
		case in.Op == token.REM:
			report(product(in.X, 4, wide), "comes to %")
		case ordered(in.Op):
			for _, x := range []ssa.Value{in.X, in.Y} {
				report(product(x, 4, wide), "is compared")
			}
		case in.Op == token.EQL || in.Op == token.NEQ:
			for i, x := range []ssa.Value{in.X, in.Y} {
				shift, ok := x.(*ssa.BinOp)
				if n, constant := constInt([]ssa.Value{in.Y, in.X}[i]); ok && constant && n == 0 && shift.Op == token.SHL && !fewBits(shift.Y) {
					report(shift, "is compared")
				}
			}
		}
	case *ssa.Store:
		if isPlatformInt(in.Val.Type()) && c.Flow.Of(in.Addr).Outer() {
			report(product(in.Val, 4, wide), "is kept")
		}
	}
}

// needs32 reports whether an int is made, by sums, of a number that has 32 bits or more and was not bounded; of a parameter, whether
// a caller gives such a one.
func needs32(c *Context, v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return isInteger(v.X.Type()) && !isPlatformInt(v.X.Type()) && width(v.X.Type()) >= 32 && kept64(v.X)
	case *ssa.BinOp:
		return (v.Op == token.ADD || v.Op == token.SUB) && (needs32(c, v.X, depth-1) || needs32(c, v.Y, depth-1))
	case *ssa.Parameter:
		fn := v.Parent()
		i := slices.Index(fn.Params, v)
		return slices.ContainsFunc(c.Flow.Callers(fn), func(call *ssa.CallCommon) bool {
			return i < len(call.Args) && needs32(c, call.Args[i], depth-1)
		})
	}
	return false
}

// given is how large the absolute value of a parameter becomes at least that callers give, as far as each of them shows how large
// that may be, or 0.
func given(c *Context, v ssa.Value) int64 {
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return 0
	}
	i, most := slices.Index(p.Parent().Params, p), int64(0)
	for _, call := range c.Flow.Callers(p.Parent()) {
		if i < len(call.Args) {
			if n := atMost(call.Args[i], 6); n < anything {
				most = max(most, n)
			}
		}
	}
	return most
}

// scaledBy reports whether a division or a shift takes out a fractional part, as fixed point does.
func scaledBy(b *ssa.BinOp) bool {
	n, ok := constInt(b.Y)
	return ok && (b.Op == token.SHR && n >= fixedPoint || b.Op == token.QUO && n >= 1<<fixedPoint && n&(n-1) == 0)
}

// wrappedBelow reports a difference of uints that is shifted down, divided or compared with a large number: what
// wraps below zero is as large as an uint.
func wrappedBelow(c *Context, in ssa.Instruction) {
	var of ssa.Value
	var before string
	b, ok := in.(*ssa.BinOp)
	switch {
	case !ok:
		return
	case b.Op == token.SHR || b.Op == token.QUO || b.Op == token.REM:
		of, before = b.X, "comes to "+b.Op.String()
	case ordered(b.Op):
		of, before = b.X, "is compared with a number that is as large"
		other := b.Y
		if isConst(b.X) {
			of, other = b.Y, b.X
		}
		if n, ok := constInt(other); !ok || n < 1<<31-1 {
			return
		}
	}
	sub, ok := of.(*ssa.BinOp)
	if !ok || sub.Op != token.SUB || !types.Identical(sub.Type().Underlying(), types.Typ[types.Uint]) || isConst(sub.X) || notBelow(sub) {
		return
	}
	c.report(sub.Pos(), "- of %s that comes below zero is as large as the machine has bits, before it %s", short(sub.Type()), before)
}

// notBelow reports whether a comparison of the two sides comes before a difference.
func notBelow(sub *ssa.BinOp) bool {
	for child, d := sub.Block(), sub.Block().Idom(); d != nil; child, d = d, d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || !d.Succs[0].Dominates(child) && !d.Succs[1].Dominates(child) {
			continue
		}
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && (cmp.X == sub.X || cmp.Y == sub.X) {
			return true
		}
	}
	return false
}

// much is by how much a number may grow in each step without leaving 32 bits in hours.
const much = 1 << 12

// addsUp reports an int in memory to which each step adds a large constant.
func addsUp(c *Context, in ssa.Instruction) {
	s, ok := in.(*ssa.Store)
	if !ok || !isPlatformInt(s.Val.Type()) || !c.Flow.Of(s.Addr).Outer() {
		return
	}
	sum, ok := s.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return
	}
	load, ok := sum.X.(*ssa.UnOp)
	n, constant := constInt(sum.Y)
	if ok && constant && (n >= much || n <= -much) && load.Op == token.MUL && sameAddr(load.X, s.Addr) && !held(s) {
		c.report(sum.Pos(), "%s has 32 bits on some machines, and what is kept there leaves them after %d steps", short(sum.Type()), 1<<31/max(n, -n))
	}
}

// largest reports an int that may still be the largest there is, as a search begins with, where it becomes another type: how large
// that is depends on the machine.
func largest(c *Context, in ssa.Instruction) {
	conv, ok := in.(*ssa.Convert)
	if !ok || !isPlatformInt(conv.X.Type()) || isPlatformInt(conv.Type()) {
		return
	}
	if at := mayBeLargest(conv.X, conv.Block(), 5); at != nil {
		c.report(c.pos(conv), "it may still be the largest %s, which differs between machines", short(conv.X.Type()))
	}
}

// mayBeLargest returns the constant that a value may be in a block, if it is the largest or least one of its type.
func mayBeLargest(v ssa.Value, at *ssa.BasicBlock, depth int) *ssa.Const {
	if depth == 0 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Const:
		if n, ok := constInt(v); ok && isPlatformInt(v.Type()) && (n == 1<<63-1 || n == -1<<63) {
			return v
		}
	case *ssa.Phi:
		if decidedBetween(v.Block(), at) {
			return nil
		}
		for _, e := range v.Edges {
			if k := mayBeLargest(e, v.Block(), depth-1); k != nil {
				return k
			}
		}
	case *ssa.Call:
		if name := builtin(&v.Call); name == "min" || name == "max" {
			for _, a := range v.Call.Args {
				if _, phi := a.(*ssa.Phi); phi || isConst(a) && len(v.Call.Args) == 1 {
					if k := mayBeLargest(a, at, depth-1); k != nil {
						return k
					}
				}
			}
		}
	}
	return nil
}

// decidedBetween reports whether a branch lies between the block that makes a value and one that uses it, which may be there to
// ask whether anything was found.
func decidedBetween(made, used *ssa.BasicBlock) bool {
	for child, d := used, used.Idom(); d != nil && made.Dominates(d); child, d = d, d.Idom() {
		if _, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && d != made && (d.Succs[0].Dominates(child) || d.Succs[1].Dominates(child)) {
			return true
		}
	}
	return false
}
