package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// width returns the number of bits of an integer type; for int it returns 64.
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

// examineIntWidth finds ints whose width has an effect.
func examineIntWidth(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		overflows(c, in)
		grows(c, in)
		narrowed(c, in)
		signed(c, in)
		wrappedBelow(c, in)
		largest(c, in)
		wideBits(c, in)
	})
}

// narrowed reports a 64-bit number that is converted to an int, and then compared or divided: some machines only use
// its lower half. As an index it is unchanged, or out of range.
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

// kept64 reports whether a number comes unchanged from memory or from the caller, so that it may need all of its
// bits.
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

// fullBits reports whether a 64-bit number is a product or is shifted left, so that it may need more than 32 bits.
func fullBits(v ssa.Value) bool {
	b, ok := v.(*ssa.BinOp)
	return ok && kept64(b)
}

// wideBits reports functions of math/bits whose results depend on the width of a uint.
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

// signed reports a uint32 that uses all of its bits, such as a hash, and is converted to an int and then divided: it
// is negative where int has 32 bits.
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

// wrappedBelow reports a difference of uints that is shifted right, divided or compared with a large number: if it
// wraps below zero, its value depends on the width of a uint.
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

// notBelow reports whether a difference is only computed after a comparison of its operands.
func notBelow(sub *ssa.BinOp) bool {
	for cond := range guards(sub.Block()) {
		if cmp, ok := cond.Cond.(*ssa.BinOp); ok && (cmp.X == sub.X || cmp.Y == sub.X) {
			return true
		}
	}
	return false
}

// largest reports an int that is converted to another type while it may still have the largest value, as at the
// beginning of a search: how large that is depends on the machine.
func largest(c *Context, in ssa.Instruction) {
	conv, ok := in.(*ssa.Convert)
	if !ok || !isPlatformInt(conv.X.Type()) || isPlatformInt(conv.Type()) {
		return
	}
	if mayBeLargest(conv.X, conv.Block(), 5) {
		c.report(c.pos(conv), "it may still be the largest %s, which differs between machines", short(conv.X.Type()))
	}
}

// mayBeLargest reports whether a value may be the largest or smallest one of its type in a block.
func mayBeLargest(v ssa.Value, at *ssa.BasicBlock, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const:
		n, ok := constInt(v)
		return ok && isPlatformInt(v.Type()) && (n == 1<<63-1 || n == -1<<63)
	case *ssa.Phi:
		return !decidedBetween(v.Block(), at) && slices.ContainsFunc(v.Edges, func(e ssa.Value) bool {
			return mayBeLargest(e, v.Block(), depth-1)
		})
	case *ssa.Call:
		name := builtin(&v.Call) // in a loop; a constant limits the other argument
		return (name == "min" || name == "max") && slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool {
			_, phi := a.(*ssa.Phi)
			return phi && mayBeLargest(a, at, depth-1)
		})
	}
	return false
}

// decidedBetween reports whether there is a branch between the block that computes a value and one that uses it,
// which may check whether anything was found.
func decidedBetween(made, used *ssa.BasicBlock) bool {
	for cond := range guards(used) {
		if d := cond.Block(); d != made && made.Dominates(d) {
			return true
		}
	}
	return false
}
