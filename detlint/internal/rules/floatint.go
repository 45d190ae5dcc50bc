package rules

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

var floatint = &Rule{
	Name: "floatint", Short: "floats that are converted to integers and may not fit", Duty: "Conversions that do not fit",
	Fix: "compare with both limits first: if x >= lo && x <= hi { n = int32(x) }", examine: examineFloatInt,
}

// examineFloatInt finds conversions of floats to integers that nothing bounds. What does not fit,
// NaN included, comes out differently on each architecture.
func examineFloatInt(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		conv, ok := in.(*ssa.Convert)
		if !ok || !isFloat(conv.X.Type()) || !isInteger(conv.Type()) {
			return
		}
		if fits(conv.X) || guarded(conv.X, conv.Block()) {
			return
		}
		c.report(c.pos(in), "a %s that does not fit in %s becomes another number on each architecture", short(conv.X.Type()), short(conv.Type()))
	})
}

// fits reports whether a float is a constant, or was an integer.
func fits(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Convert:
		return isInteger(v.X.Type()) || isFloat(v.X.Type()) && fits(v.X)
	case *ssa.Call:
		if x := rounding(v); x != nil {
			return fits(x)
		}
	}
	return false
}

// rounding returns the argument of a function that rounds to a whole number.
func rounding(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	switch pkg, name := called(&call.Call); pkg + "." + name {
	case "math.Floor", "math.Ceil", "math.Trunc", "math.Round", "math.RoundToEven":
		return call.Call.Args[0]
	}
	return nil
}

// guarded reports whether a block is reached only if a float was compared with a lower and an
// upper limit, so that it is not NaN either.
func guarded(v ssa.Value, b *ssa.BasicBlock) bool {
	if x := rounding(v); x != nil && guarded(x, b) {
		return true
	}
	low, high := false, false
	for child, d := b, b.Idom(); d != nil; child, d = d, d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		then := d.Succs[0].Dominates(child) && len(d.Succs[0].Preds) == 1
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && then {
			l, h := limits(cmp, v)
			low, high = low || l, high || h
		}
	}
	return low && high
}

// limits says whether a comparison that is true bounds v from below or above.
func limits(cmp *ssa.BinOp, v ssa.Value) (low, high bool) {
	is := func(x ssa.Value) bool { return x == v || sameValue(x, v) }
	switch {
	case is(cmp.X) && isConst(cmp.Y):
		return cmp.Op == token.GTR || cmp.Op == token.GEQ, cmp.Op == token.LSS || cmp.Op == token.LEQ
	case is(cmp.Y) && isConst(cmp.X):
		return cmp.Op == token.LSS || cmp.Op == token.LEQ, cmp.Op == token.GTR || cmp.Op == token.GEQ
	}
	return false, false
}
