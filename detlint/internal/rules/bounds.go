package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// anything is the bound of an int about which nothing is known.
const anything = 1 << 31

// atMost returns an upper bound for the absolute value of an int, as far as it can be derived from the function's
// code; otherwise a value of more than 31 bits.
func atMost(v ssa.Value, depth int) int64 {
	if depth == 0 {
		return anything
	}
	switch v := v.(type) {
	case *ssa.Const:
		if n, ok := constInt(v); ok && n > -anything && n < anything {
			return max(n, -n)
		}
	case *ssa.Convert:
		if isInteger(v.X.Type()) {
			byType := int64(anything)
			if w := width(v.X.Type()); w < 32 {
				byType = 1 << w
			}
			return min(byType, atMost(v.X, depth-1))
		}
	case *ssa.ChangeType:
		return atMost(v.X, depth-1)
	case *ssa.BinOp:
		return atMostOf(v, depth)
	case *ssa.Phi:
		if counts(v) {
			return 1 << 15
		}
	case *ssa.Call:
		if builtin(&v.Call) == "min" || builtin(&v.Call) == "len" {
			if smallArgs(&v.Call) {
				return 1 << 15
			}
		}
	}
	return anything
}

func atMostOf(v *ssa.BinOp, depth int) int64 {
	x, y := atMost(v.X, depth-1), atMost(v.Y, depth-1)
	n, constant := constInt(v.Y)
	switch v.Op {
	case token.AND:
		if constant && n >= 0 && n < anything {
			return n
		}
		return min(x, y)
	case token.REM:
		if y < anything {
			return y
		}
		return x
	case token.SHR, token.QUO:
		if constant && v.Op == token.SHR && n >= 0 && n < 32 && x < anything {
			return x >> n
		}
		return x
	case token.ADD, token.SUB:
		return min(x+y, anything)
	case token.MUL:
		if x < anything && y < anything {
			return x * y
		}
		return anything * 2
	case token.SHL:
		if constant && n >= 0 && n < 31 && x < anything {
			return x << n
		}
		return anything * 2
	}
	return anything
}

// given returns the largest bound of the absolute values that callers pass for a parameter, ignoring callers that
// show no bound; 0 if v is not a parameter.
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

// needs32 reports whether an int is a sum, and one of its terms has 32 bits or more and was not bounded; for a
// parameter, whether a caller passes such a number.
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

// small reports whether an int fits in 15 bits, so that the product of two such ints fits in 32.
func small(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		n, exact := constInt(v)
		return exact && -1<<15 <= n && n < 1<<15
	case *ssa.Convert:
		return isInteger(v.X.Type()) && width(v.X.Type()) <= 16
	case *ssa.BinOp:
		if k, ok := v.Y.(*ssa.Const); ok && (v.Op == token.REM || v.Op == token.AND) {
			n, exact := constInt(k)
			return exact && 0 <= n && n < 1<<15
		}
	case *ssa.Phi:
		return counts(v)
	case *ssa.Call:
		return (builtin(&v.Call) == "len" || builtin(&v.Call) == "min") && smallArgs(&v.Call)
	}
	return false
}

func smallArgs(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if t, ok := a.Type().Underlying().(*types.Array); ok && t.Len() < 1<<15 || small(a) {
			return true
		}
	}
	return false
}

// tiny reports whether an int fits in 8 bits, so that a product with a constant of more than 16 bits is unlikely to
// overflow.
func tiny(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true // the compiler rejects constants that do not fit
	case *ssa.Convert:
		b, ok := v.X.Type().Underlying().(*types.Basic)
		return ok && (b.Info()&types.IsBoolean != 0 || isInteger(v.X.Type()) && width(v.X.Type()) <= 8)
	case *ssa.Phi:
		return counts(v)
	}
	return false
}

// fewBits reports whether a shift count is small: a constant, the index of a loop, or a bounded number.
func fewBits(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		n, ok := constInt(v)
		return ok && n < 16
	case *ssa.Convert:
		return fewBits(v.X)
	case *ssa.ChangeType:
		return fewBits(v.X)
	case *ssa.BinOp:
		n, ok := constInt(v.Y)
		return ok && (v.Op == token.REM && n <= 31 || v.Op == token.AND && n < 31)
	case *ssa.Phi:
		return counts(v)
	case *ssa.Call:
		return limited(v)
	}
	return isNamed(v.Type(), engine, "Player")
}

// counts reports whether a variable counts up by one from a small number: an index, which is
// bounded by the length of something.
func counts(v *ssa.Phi) bool {
	steps := 0
	for _, e := range v.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if n, ok := constInt(e); !ok || n < -1 || n >= 1<<15 {
				return false
			}
		case *ssa.BinOp:
			if n, ok := constInt(e.Y); !ok || n != 1 || e.Op != token.ADD || e.X != v {
				return false
			}
			steps++
		default:
			return false
		}
	}
	return steps > 0
}
