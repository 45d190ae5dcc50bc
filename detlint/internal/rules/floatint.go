package rules

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

var floatint = &Rule{
	Name: "floatint", Short: "floats that are converted to integers and may not fit", Duty: "Conversions that do not fit",
	Fix: "use portable.Int32(x), which saturates and makes 0 of NaN; or compare with both limits first: if x >= lo && x <= hi { n = int32(x) }", examine: examineFloatInt,
}

// examineFloatInt finds conversions of unbounded floats to integers. A value that does not fit, including NaN, is
// converted differently by each architecture.
func examineFloatInt(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		conv, ok := in.(*ssa.Convert)
		if !ok || !isFloat(conv.X.Type()) || !isInteger(conv.Type()) {
			return
		}
		if fits(conv.X) || guarded(conv, conv.X) {
			return
		}
		width := ""
		if isPlatformInt(conv.Type()) {
			width = "; in strict builds, where that has 32 bits" // the width also differs between machines
		}
		f := c.report(c.pos(in), "a %s that does not fit in %s becomes another number on each architecture%s", short(conv.X.Type()), short(conv.Type()), width)
		f.Build = width == ""
		name, to := saturating(conv.Type())
		f.Fix = "use portable." + name + ", which saturates and makes 0 of NaN; or compare with both limits first: if x >= lo && x <= hi { n = " + short(conv.Type()) + "(x) }"
		f.Caution = editor{c}.convertBy(f, conv, portable, name, "float64", to)
	})
}

// saturating returns the function of package portable that converts a float to an integer of a type, and the type
// that it returns.
func saturating(t types.Type) (name, result string) {
	b, _ := t.Underlying().(*types.Basic)
	unsigned := b.Info()&types.IsUnsigned != 0
	switch {
	case unsigned && width(t) == 64 && !isPlatformInt(t):
		return "Uint64", "uint64"
	case unsigned && width(t) >= 32:
		return "Uint32", "uint32"
	case width(t) == 64 && !isPlatformInt(t):
		return "Int64", "int64"
	}
	return "Int32", "int32" // a narrower type gets its lower bits, as everywhere, and an int may have 32
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

// guarded reports whether a block is only reached if a float was compared with a lower and an upper limit, which also
// excludes NaN.
func guarded(conv *ssa.Convert, v ssa.Value) bool {
	if x := rounding(v); x != nil && guarded(conv, x) {
		return true
	}
	low, high := false, false
	for cond, then := range guards(conv.Block()) {
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && then && !changedSince(v, cmp, conv) {
			l, h := limits(cmp, v, conv.Type())
			low, high = low || l, high || h
		}
	}
	return low && high
}

// changedSince reports whether the variable from which a float is read is written to between a comparison and a
// conversion.
func changedSince(v ssa.Value, cmp *ssa.BinOp, conv *ssa.Convert) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || cmp.X == v || cmp.Y == v {
		return false
	}
	for _, b := range conv.Parent().Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, load.X) && before(cmp, s) && !before(conv, s) {
				return true
			}
		}
	}
	return false
}

// limits reports whether a comparison that is true bounds v from below or above, so that it fits in an integer type.
func limits(cmp *ssa.BinOp, v ssa.Value, t types.Type) (low, high bool) {
	is := func(x ssa.Value) bool { return x == v || sameValue(x, v) }
	switch {
	case is(cmp.X) && isConst(cmp.Y):
		below, above := within(cmp.Y, t)
		return below && (cmp.Op == token.GTR || cmp.Op == token.GEQ), above && (cmp.Op == token.LSS || cmp.Op == token.LEQ)
	case is(cmp.Y) && isConst(cmp.X):
		below, above := within(cmp.X, t)
		return below && (cmp.Op == token.LSS || cmp.Op == token.LEQ), above && (cmp.Op == token.GTR || cmp.Op == token.GEQ)
	}
	return false, false
}

// within reports whether a constant is a lower or an upper limit of what fits in an integer type. (One beyond the end
// is allowed: x < 1<<31, x > -1.)
func within(limit ssa.Value, t types.Type) (below, above bool) {
	k := limit.(*ssa.Const)
	if k.Value == nil {
		return true, true
	}
	f, _ := constant.Float64Val(constant.ToFloat(k.Value))
	bits := width(t)
	if isPlatformInt(t) {
		bits = 32
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return f >= -1, f <= math.Ldexp(1, bits)
	}
	return f >= -math.Ldexp(1, bits-1)-1, f <= math.Ldexp(1, bits-1)
}
