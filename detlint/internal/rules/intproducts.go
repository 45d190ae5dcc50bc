package rules

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file examines products, shifts and sums of ints that need more than 32 bits, where that has an effect: a value
// that is cut to 32 bits is the same everywhere.

// manyBits is larger than any number with which a product that is always small is compared.
const manyBits = 1 << 24

// fixedPoint is the minimum number of bits that a divisor or a shift removes from a number with a fractional part.
const fixedPoint = 12

// overflows reports a product or a shift of ints that some machines have truncated before it is divided, shifted
// right, compared, stored, printed or converted to a wider type.
func overflows(c *Context, in ssa.Instruction) {
	report := func(op *ssa.BinOp, before string) {
		if op != nil {
			c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it %s", op.Op, short(op.Type()), before)
		}
	}
	wide := func(b *ssa.BinOp) bool {
		return b.Op == token.MUL && (needs32(c, b.X, 4) && needs32(c, b.Y, 4) || given(c, b.X)*given(c, b.Y) >= 1<<31)
	}
	switch in := in.(type) {
	case *ssa.Convert:
		if isPlatformInt(in.X.Type()) && isInteger(in.Type()) && !isPlatformInt(in.Type()) && width(in.Type()) >= 64 {
			report(product(in.X, 4, overflowing), "becomes "+short(in.Type()))
		}
	case *ssa.BinOp:
		if !isPlatformInt(in.X.Type()) {
			return
		}
		switch in.Op {
		case token.QUO, token.REM, token.SHR:
			op := product(in.X, 4, func(b *ssa.BinOp) bool {
				return growing(b) || surely(b) || wide(b) || scaledBy(in) && ofTwo(b)
			})
			if op != nil && !(op.Op == token.SHL && in.Op == token.SHR) { // packed bits that are extracted
				report(op, "comes to "+in.Op.String())
			}
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			report(compared(in.X, in.Y, in.Op, wide), "is compared")
			report(compared(in.Y, in.X, in.Op, wide), "is compared")
		}
	case *ssa.Store:
		if isPlatformInt(in.Val.Type()) && c.Flow.Of(in.Addr).Outer() {
			report(product(in.Val, 4, wide), "is kept")
		}
	case *ssa.Call:
		if pkg, name := called(&in.Call); pkg == "strconv" && name == "Itoa" {
			report(product(in.Call.Args[0], 4, ofTwo), "is printed")
		}
	}
}

// compared returns a product or a shift in a value that is too large for 32 bits where the value is compared with
// another one.
func compared(v, with ssa.Value, op token.Token, wide func(b *ssa.BinOp) bool) *ssa.BinOp {
	n, constant := constInt(with)
	if !ordered(op) { // such as a test for a bit
		shift, ok := v.(*ssa.BinOp)
		if ok && constant && n == 0 && shift.Op == token.SHL && !fewBits(shift.Y) {
			return shift
		}
		return nil
	}
	return product(v, 4, func(b *ssa.BinOp) bool {
		return wide(b) || constant && overflowing(b) && (n >= manyBits || n <= -manyBits || surely(b))
	})
}

// ofTwo reports whether both factors of a product are not constants, and it may need more than 32 bits.
func ofTwo(b *ssa.BinOp) bool {
	return b.Op == token.MUL && !isConst(b.X) && !isConst(b.Y) && overflowing(b)
}

// scaledBy reports whether a division or a shift removes a fractional part, as in fixed-point arithmetic.
func scaledBy(b *ssa.BinOp) bool {
	n, ok := constInt(b.Y)
	return ok && (b.Op == token.SHR && n >= fixedPoint || b.Op == token.QUO && n >= 1<<fixedPoint && n&(n-1) == 0)
}

// much is the smallest constant that is too large to be added in each step: with smaller ones, a sum does not exceed
// 32 bits for hours.
const much = 1 << 12

// grows reports an int in memory that is repeatedly multiplied, or to which much is repeatedly added.
func grows(c *Context, in ssa.Instruction) {
	s, ok := in.(*ssa.Store)
	if !ok || !isPlatformInt(s.Val.Type()) || !c.Flow.Of(s.Addr).Outer() {
		return
	}
	op := doubled(s)
	if op == nil {
		op = product(s.Val, 4, growingAt(s.Addr))
	}
	switch {
	case held(s), listed(s):
	case op != nil:
		c.report(op.Pos(), "%s of %s has 32 bits on some machines, and what is kept there grows with each step", op.Op, short(op.Type()))
	case addsMuch(s) > 0:
		c.report(s.Val.Pos(), "%s has 32 bits on some machines, and what is kept there leaves them after %d steps", short(s.Val.Type()), 1<<31/addsMuch(s))
	}
}

// addsMuch returns how much a write adds to a value in memory, or subtracts from it, if that is a large constant;
// otherwise 0.
func addsMuch(s *ssa.Store) int64 {
	sum, ok := s.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return 0
	}
	load, ok := sum.X.(*ssa.UnOp)
	if n, constant := constInt(sum.Y); ok && constant && max(n, -n) >= much && load.Op == token.MUL && sameAddr(load.X, s.Addr) {
		return max(n, -n)
	}
	return 0
}

// held reports whether a stored value is bounded: by a comparison before, or by another store afterwards.
func held(s *ssa.Store) bool {
	loads := func(v ssa.Value) bool { return loadsFrom(v, s.Addr) }
	for cond := range guards(s.Block()) {
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && ordered(cmp.Op) && (loads(cmp.X) || loads(cmp.Y)) {
			return true
		}
	}
	for _, b := range s.Parent().Blocks {
		for _, in := range b.Instrs {
			if o, ok := in.(*ssa.Store); ok && o != s && sameAddr(o.Addr, s.Addr) && limited(o.Val) {
				return true
			}
		}
	}
	return false
}

// listed reports whether a doubled value was just passed to make, as the length of a slice of elements with 32 bits
// or more: where int has 32 bits, no memory holds a slice whose doubled length overflows.
func listed(s *ssa.Store) bool {
	b, ok := s.Val.(*ssa.BinOp)
	if !ok || !twice(b) || !loadsFrom(b.X, s.Addr) {
		return false
	}
	length := false
	for _, in := range s.Block().Instrs {
		switch in := in.(type) {
		case *ssa.MakeSlice:
			elem := in.Type().Underlying().(*types.Slice).Elem()
			if loadsFrom(in.Len, s.Addr) && !generic(elem) && types.SizesFor("gc", "386").Sizeof(elem) >= 4 {
				length = true
			}
		case *ssa.Store:
			if in == s {
				return length
			}
			if sameAddr(in.Addr, s.Addr) {
				length = false
			}
		case ssa.CallInstruction:
			if builtin(in.Common()) == "" {
				length = false
			}
		}
	}
	return false
}

// twice reports whether a number is doubled.
func twice(b *ssa.BinOp) bool {
	n, constant := constInt(b.Y)
	return constant && (b.Op == token.MUL && n == 2 || b.Op == token.SHL && n == 1) || b.Op == token.ADD && sameOrLoaded(b.X, b.Y)
}

// loadsFrom reports whether a number is the value at an address.
func loadsFrom(v, addr ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && sameAddr(load.X, addr)
}

// product returns a product or a shift in a sum for which wanted returns true, or nil.
func product(v ssa.Value, depth int, wanted func(b *ssa.BinOp) bool) *ssa.BinOp {
	if depth == 0 || !isPlatformInt(v.Type()) {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Phi: // the result of a loop or a branch
		for _, e := range v.Edges {
			if counts(v) {
				break
			}
			if o := product(e, depth-1, wanted); o != nil {
				return o
			}
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.MUL, token.SHL:
			if wanted(v) {
				return v
			}
		case token.ADD, token.SUB, token.OR, token.XOR:
			if o := product(v.X, depth-1, wanted); o != nil {
				return o
			}
			return product(v.Y, depth-1, wanted)
		}
	case *ssa.Call: // the result of a function in the package
		fn := v.Call.StaticCallee()
		if fn == nil || declared(fn) == nil || declared(fn) != declared(v.Parent()) || fn == v.Parent() {
			return nil
		}
		for _, b := range fn.Blocks {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 {
				if o := product(r.Results[0], depth-1, wanted); o != nil {
					return o
				}
			}
		}
	}
	return nil
}

// overflowing reports whether a product or a shift may need more than 32 bits.
func overflowing(b *ssa.BinOp) bool {
	if b.Op == token.MUL {
		return (!small(b.X) || !small(b.Y)) && atMost(b, 6) >= 1<<31
	}
	return !small(b.X) || !fewBits(b.Y)
}

// surely reports whether both factors of a product are known to become large.
func surely(b *ssa.BinOp) bool {
	x, y := atMost(b.X, 6), atMost(b.Y, 6)
	return b.Op == token.MUL && x < anything && y < anything && x*y >= 1<<31
}

// growing reports whether a product or a shift grows beyond 32 bits: its result is used again in a loop, or a factor
// is large.
func growing(b *ssa.BinOp) bool {
	if b.Op == token.SHL {
		return madeOf(b.X, b, 6)
	}
	return factors(b, func(x, by ssa.Value) bool {
		n, constant := constInt(by)
		return constant && (n >= 1<<16 || n <= -1<<16) && !tiny(x) || (!constant || n > 1 || n < -1) && madeOf(x, b, 6)
	})
}

// growingAt returns a function that reports whether a product or a shift has the value at an address as a factor.
func growingAt(addr ssa.Value) func(b *ssa.BinOp) bool {
	is := func(v ssa.Value) bool {
		u, ok := v.(*ssa.UnOp)
		return ok && u.Op == token.MUL && sameAddr(u.X, addr)
	}
	return func(b *ssa.BinOp) bool {
		if b.Op == token.SHL {
			return is(b.X)
		}
		return factors(b, func(x, by ssa.Value) bool {
			n, constant := constInt(by)
			return is(x) && (!constant || n > 1 || n < -1)
		})
	}
}

// factors reports whether wanted returns true for one of the two factors of a product, given the other one.
func factors(b *ssa.BinOp, wanted func(x, by ssa.Value) bool) bool {
	return wanted(b.X, b.Y) || wanted(b.Y, b.X)
}

// madeOf reports whether a value is computed from another one by arithmetic, possibly in a loop.
func madeOf(v, of ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if e == of || madeOf(e, of, depth-1) {
				return true
			}
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.ADD, token.SUB, token.OR, token.XOR, token.MUL, token.SHL:
			return v == of || madeOf(v.X, of, depth-1) || madeOf(v.Y, of, depth-1)
		}
	case *ssa.Call: // a function that is called with its own result
		return v.Call.StaticCallee() == v.Parent()
	}
	return false
}

// doubled returns a sum of the value at an address with itself, which is stored there again, or nil.
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
