package rules

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// anything is the bound of an int of which nothing is known.
const anything = 1 << 31

// atMost returns what the absolute value of an int is at most, as the function shows, or more than 31 bits.
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

// limit reports whether an int may be the largest or the smallest one.
func limit(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil || v.Value.Kind() != constant.Int {
			return false
		}
		n, exact := constant.Int64Val(v.Value)
		return exact && (n == 1<<63-1 || n == -1<<63)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth > 0 && limit(e, depth-1) {
				return true
			}
		}
	}
	return false
}

// doubled returns a sum of what is at an address with itself, which is stored there again, or nil.
func doubled(s *ssa.Store) *ssa.BinOp {
	b, ok := s.Val.(*ssa.BinOp)
	if !ok || b.Op != token.ADD {
		return nil
	}
	loads := 0
	var count func(v ssa.Value, depth int)
	count = func(v ssa.Value, depth int) {
		switch v := v.(type) {
		case *ssa.UnOp:
			if v.Op == token.MUL && sameAddr(v.X, s.Addr) {
				loads++
			}
		case *ssa.BinOp:
			if v.Op == token.ADD && depth > 0 {
				count(v.X, depth-1)
				count(v.Y, depth-1)
			}
		}
	}
	if count(b, 4); loads < 2 {
		return nil
	}
	return b
}

// signed reports an uint32 of which all bits count, such as a hash, that becomes an int and is divided then: it is negative where int
// has 32 bits.
func signed(c *Context, in ssa.Instruction) {
	conv, ok := in.(*ssa.Convert)
	if !ok || !isSigned(conv.Type()) || !isPlatformInt(conv.Type()) || !isUint32(conv.X.Type()) || atMost(conv.X, 6) < anything {
		return
	}
	for _, r := range *conv.Referrers() {
		if b, ok := r.(*ssa.BinOp); ok && b.X == ssa.Value(conv) && (b.Op == token.REM || b.Op == token.QUO) {
			c.report(c.pos(conv), "a large uint32 is a negative int on machines where that has 32 bits, before %s", b.Op)
			return
		}
	}
}

func isUint32(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint32
}

func isSigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUnsigned == 0
}

// asText reports a product of two ints that are no constants and becomes a text.
func asText(c *Context, in ssa.Instruction) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return
	}
	if pkg, name := called(&call.Call); pkg != "strconv" || name != "Itoa" {
		return
	}
	op := product(call.Call.Args[0], 4, func(b *ssa.BinOp) bool {
		return b.Op == token.MUL && !isConst(b.X) && !isConst(b.Y) && overflowing(b)
	})
	if op != nil {
		c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it is printed", op.Op, short(op.Type()))
	}
}
