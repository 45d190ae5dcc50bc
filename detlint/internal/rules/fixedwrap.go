package rules

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

var fixedwrap = &Rule{
	Name: "fixedwrap", Short: "Go's + and - on fixed.Num, which wrap where Add and Sub saturate",
	Fix: "use the methods Add and Sub", examine: examineFixedWrap,
}

// examineFixedWrap finds sums of two variables that are stored or returned: those can keep growing. A difference that
// is only compared, or converted, stays within the range of its operands.
func examineFixedWrap(c *Context) {
	if ofFixed(c.Fn) {
		return
	}
	c.instructions(func(in ssa.Instruction) {
		b, ok := in.(*ssa.BinOp)
		if !ok || !isNum(b.Type()) || b.Op != token.ADD && b.Op != token.SUB {
			return
		}
		if _, constant := b.X.(*ssa.Const); constant {
			return
		}
		if _, constant := b.Y.(*ssa.Const); constant || bounded(b.X) && bounded(b.Y) || !kept(c, b, map[ssa.Value]bool{}) {
			return
		}
		name, op := "Add", "+"
		if b.Op == token.SUB {
			name, op = "Sub", "-"
		}
		f := c.report(b.Pos(), "%s of fixed.Num wraps around at the ends of its range, where %s saturates", op, name)
		c.method(f, b, name)
		f.Caution = false // it only differs after an overflow
	})
}

// bounded reports whether a Num comes from a small integer or a remainder, whose sums cannot overflow.
func bounded(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Convert:
		return !isNum(v.X.Type())
	case *ssa.BinOp:
		return v.Op == token.REM
	}
	return false
}

// kept reports whether a value is stored in memory that existed before the call, or is returned.
func kept(c *Context, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == v && c.Flow.Of(r.Addr).Outer() {
				return true
			}
		case *ssa.MapUpdate, *ssa.Return:
			return true
		case *ssa.Phi:
			if kept(c, r, seen) {
				return true
			}
		}
	}
	return false
}
