package rules

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// width is the number of bits of an integer type; that of int is 64 here.
func width(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 64
	}
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

var intwidth = &Rule{
	Name: "intwidth", Short: "products and shifts of int that leave it, whose width depends on the machine", Duty: "The width of int",
	Fix: "convert to int64 or int32 before the arithmetic", examine: examineIntWidth,
}

// examineIntWidth finds conversions of a product or a shift of int to a wider type, or to what
// decides: with 32 bits it has wrapped before.
func examineIntWidth(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		wideCompare(c, in)
		growsInPlace(c, in)
		narrowed(c, in)
		cutGrowth(c, in)
		wideBits(c, in)
		signed(c, in)
		asText(c, in)
		wideUses(c, in)
		wrappedBelow(c, in)
		addsUp(c, in)
		largest(c, in)
		conv, ok := in.(*ssa.Convert)
		if !ok || !isPlatformInt(conv.X.Type()) || !isInteger(conv.Type()) || isPlatformInt(conv.Type()) || width(conv.Type()) < 64 {
			return
		}
		if op := product(conv.X, 4, overflowing); op != nil {
			c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it becomes %s", op.Op, short(op.Type()), short(conv.Type()))
		} else if limit(conv.X, 3) {
			c.report(c.pos(conv), "the largest int differs between machines: use that of a type with a width")
		}
	})
}

// cutGrowth reports an int that has lost its upper bits on some machines before it is divided or shifted down: one that a loop multiplies again and again, as a hash does, or that is multiplied by a large number, as
// by a generator. What is cut to 32 bits is the same everywhere.
func cutGrowth(c *Context, in ssa.Instruction) {
	b, ok := in.(*ssa.BinOp)
	if !ok || !isPlatformInt(b.X.Type()) || b.Op != token.QUO && b.Op != token.REM && b.Op != token.SHR {
		return
	}
	if op := product(b.X, 4, func(b *ssa.BinOp) bool { return growing(b) || surely(b) }); op != nil && !(op.Op == token.SHL && b.Op == token.SHR) { // bits that wait to be taken out
		c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it comes to %s", op.Op, short(op.Type()), b.Op)
	}
}

// growsInPlace reports an int in memory that is multiplied again and again.
func growsInPlace(c *Context, in ssa.Instruction) {
	s, ok := in.(*ssa.Store)
	if !ok || !isPlatformInt(s.Val.Type()) || !c.Flow.Of(s.Addr).Outer() {
		return
	}
	if op := doubled(s); op != nil && !held(s) {
		c.report(op.Pos(), "+ of %s has 32 bits on some machines, and what is kept there grows with each step", short(op.Type()))
	} else if op := product(s.Val, 4, growingAt(s.Addr)); op != nil && !held(s) {
		c.report(op.Pos(), "%s of %s has 32 bits on some machines, and what is kept there grows with each step", op.Op, short(op.Type()))
	}
}

// held reports whether what is stored is bounded: by a comparison before, or by another store behind.
func held(s *ssa.Store) bool {
	loads := func(v ssa.Value) bool {
		u, ok := v.(*ssa.UnOp)
		return ok && u.Op == token.MUL && sameAddr(u.X, s.Addr)
	}
	for child, d := s.Block(), s.Block().Idom(); d != nil; child, d = d, d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || !d.Succs[0].Dominates(child) && !d.Succs[1].Dominates(child) {
			continue
		}
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

// narrowed reports a number of 64 bits that becomes an int, and is compared or divided then: some machines see its lower
// half. As an index it is what it was, or out of range.
func narrowed(c *Context, in ssa.Instruction) {
	conv, ok := in.(*ssa.Convert)
	if !ok || !isPlatformInt(conv.Type()) || !isInteger(conv.X.Type()) || isPlatformInt(conv.X.Type()) || width(conv.X.Type()) < 64 ||
		!kept64(conv.X) || isNamed(conv.X.Type(), engine, "Frame") || isNum(conv.X.Type()) {
		return
	}
	for _, r := range *conv.Referrers() {
		b, ok := r.(*ssa.BinOp)
		if !ok {
			continue
		}
		switch {
		case b.Op == token.REM || b.Op == token.QUO || b.Op == token.SHR:
			if b.X == ssa.Value(conv) {
				c.report(c.pos(conv), "int has 32 bits on some machines, and loses the upper half of %s there before %s", short(conv.X.Type()), b.Op)
				return
			}
		case ordered(b.Op):
			other := b.X
			if b.X == ssa.Value(conv) {
				other = b.Y
			}
			if call, ok := other.(*ssa.Call); ok && builtin(&call.Call) == "len" {
				continue
			}
			c.report(c.pos(conv), "int has 32 bits on some machines, and loses the upper half of %s there before it is compared", short(conv.X.Type()))
			return
		}
	}
}

// kept64 reports whether a number comes from memory or from the caller as it is, so that it may need all of its bits.
func kept64(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL
	case *ssa.Parameter:
		return true
	case *ssa.BinOp:
		switch v.Op {
		case token.MUL:
			return atMost(v, 6) > 1<<31
		case token.SHL:
			return atMost(v, 6) > 1<<31
		case token.ADD, token.SUB, token.OR:
			return fullBits(v.X) || fullBits(v.Y)
		}
	}
	return false
}

// fullBits reports whether a number of 64 bits is a product or is shifted up, so that it may need more than 32.
func fullBits(v ssa.Value) bool {
	b, ok := v.(*ssa.BinOp)
	return ok && kept64(b)
}

// fewBits reports whether a number of bits by which is shifted is small: a constant, the index of a loop, or what was
// bounded.
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

// product returns a product or a shift of which an int is made by sums, as a rule wants it, if there is one.
func product(v ssa.Value, depth int, wanted func(b *ssa.BinOp) bool) *ssa.BinOp {
	if depth == 0 || !isPlatformInt(v.Type()) {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Phi: // what a loop or a branch makes
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
	case *ssa.Call: // what a function of the package returns
		fn := v.Call.StaticCallee()
		if fn == nil || fn.Package() == nil || fn.Package() != v.Parent().Package() || fn == v.Parent() {
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

// surely reports whether a product is of numbers that are known to become large.
func surely(b *ssa.BinOp) bool {
	x, y := atMost(b.X, 6), atMost(b.Y, 6)
	return b.Op == token.MUL && x < anything && y < anything && x*y >= 1<<31
}

// growing reports whether a product or a shift grows beyond 32 bits: a loop goes on with its result, or it is by a large
// number.
func growing(b *ssa.BinOp) bool {
	if b.Op == token.SHL {
		return madeOf(b.X, b, 6)
	}
	return factors(b, func(x, by ssa.Value) bool {
		n, constant := constInt(by)
		return constant && (n >= 1<<16 || n <= -1<<16) && !tiny(x) || (!constant || n > 1 || n < -1) && madeOf(x, b, 6)
	})
}

// growingAt reports whether a product or a shift is of what is at an address.
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

// factors reports whether one of the two factors of a product is as it is wanted, with the other one.
func factors(b *ssa.BinOp, wanted func(x, by ssa.Value) bool) bool {
	return wanted(b.X, b.Y) || wanted(b.Y, b.X)
}

// tiny reports whether an int fits in 8 bits, so that a constant that is larger than 16 bits hardly makes it overflow.
func tiny(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true // the compiler refuses what does not fit
	case *ssa.Convert:
		b, ok := v.X.Type().Underlying().(*types.Basic)
		return ok && (b.Info()&types.IsBoolean != 0 || isInteger(v.X.Type()) && width(v.X.Type()) <= 8)
	case *ssa.Phi:
		return counts(v)
	}
	return false
}

// madeOf reports whether a value is made of another one by arithmetic, by way of a loop.
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
	case *ssa.Call: // a function that goes on with its own result
		return v.Call.StaticCallee() == v.Parent()
	}
	return false
}

// manyBits is a number that nobody compares a product with which is always small.
const manyBits = 1 << 24

// wideCompare reports a product or a shift of int that is compared with a large number.
func wideCompare(c *Context, in ssa.Instruction) {
	b, ok := in.(*ssa.BinOp)
	if !ok || !ordered(b.Op) || !isPlatformInt(b.X.Type()) {
		return
	}
	for i, x := range []ssa.Value{b.X, b.Y} {
		n, constant := constInt([]ssa.Value{b.Y, b.X}[i])
		op := product(x, 2, overflowing)
		if op != nil && constant && (n >= manyBits || n <= -manyBits || surely(op)) {
			c.report(op.Pos(), "%s of %s has 32 bits on some machines, and overflows there before it is compared with %d", op.Op, short(op.Type()), n)
		}
	}
}

// wideBits reports functions of math/bits that see how wide an uint is.
func wideBits(c *Context, in ssa.Instruction) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return
	}
	switch pkg, name := called(&call.Call); pkg + "." + name {
	case "strconv.ParseInt", "strconv.ParseUint":
		if n, ok := constInt(call.Call.Args[2]); ok && n == 0 {
			c.report(call.Pos(), "strconv.%s with 0 bits takes what fits in an int, which has 32 on some machines", name)
		}
	case "math/bits.LeadingZeros", "math/bits.Reverse", "math/bits.ReverseBytes", "math/bits.RotateLeft",
		"math/bits.Add", "math/bits.Sub", "math/bits.Mul", "math/bits.Div", "math/bits.Rem":
		if !isConst(call.Call.Args[0]) {
			c.report(call.Pos(), "bits.%s works on all bits of an uint, which has 32 on some machines: use bits.%s32 or bits.%s64", name, name, name)
		}
	}
}

// small reports whether an int fits in 15 bits, so that the product of two such fits in 32.
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
