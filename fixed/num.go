package fixed

import "math"

// Num is a number with 48 integer bits and 16 fraction bits (Q48.16): its value
// is int64(n) / 65536. It reaches from about -140 trillion to 140 trillion in
// steps of 1/65536, which is one ulp.
//
// The kind is int64 on purpose: constants, comparison, switch, map keys and the
// built-in min and max all work, and two equal values have equal bits.
//
//	const gravity = -fixed.One / 25 // a constant, computed by the compiler
//
// The price is that the native operators compile as well. Native + and -
// wrap around at the ends instead of saturating, and native * and / between two
// Nums are wrong by a factor of 65536. Use the methods. In a constant expression
// a Num may be multiplied or divided by a plain integer, as above; the compiler
// reports an overflow, and the quotient is truncated.
//
// The conversions fixed.Num(raw) and int64(n) are the raw view: they reinterpret
// the count of 1/65536 steps and convert nothing. Use [FromInt] and [Num.Int]
// for values.
type Num int64

// FracBits is the number of fraction bits of a [Num].
const FracBits = 16

// The landmarks of the scale.
const (
	// One is the number 1, and the factor between a value and its raw view.
	One Num = 1 << FracBits
	// Half is the number 1/2.
	Half Num = One / 2
	// Epsilon is the smallest positive Num, 1/65536: one ulp.
	Epsilon Num = 1
	// Max is the largest Num, 140737488355327.9999847412109375.
	Max Num = math.MaxInt64
	// Min is the smallest Num, -140737488355328. Its magnitude is one ulp more
	// than that of Max, so Min.Neg() and Min.Abs() saturate to Max.
	Min Num = math.MinInt64
)

// The circle constants, each rounded to nearest from its own exact value, so
// that TwoPi is not the sum of two Pi: the true ratio of their raw views lies
// between.
const (
	// Pi is half a turn, 3.1415863037109375 (raw 205887, true 205887.416).
	Pi Num = (pi128 + 1<<(piBits-FracBits-1)) >> (piBits - FracBits)
	// HalfPi is a quarter turn, 1.57080078125 (raw 102944, true 102943.708).
	HalfPi Num = (pi128 + 1<<(piBits-FracBits)) >> (piBits - FracBits + 1)
	// TwoPi is a whole turn, 6.2831878662109375 (raw 411775, true 411774.833).
	TwoPi Num = (pi128 + 1<<(piBits-FracBits-2)) >> (piBits - FracBits - 1)
)

// pi128 is floor(pi * 2^piBits). Every constant that depends on pi is derived
// from it by the compiler, in exact integer arithmetic.
const (
	piBits = 128
	pi128  = 0x3_243F6A88_85A308D3_13198A2E_03707344
)

// FromInt returns i, saturated to [Min] or [Max] when it does not fit, which is
// when i lies outside -2^47 to 2^47-1.
func FromInt(i int64) Num {
	n := Num(i << FracBits)
	if int64(n>>FracBits) != i {
		return Max ^ Num(i>>63)
	}
	return n
}

// FromRatio returns p/q rounded to nearest, ties away from zero, and saturated.
// A q of zero gives what [Num.Div] gives: Max, Min or 0 by the sign of p.
func FromRatio(p, q int64) Num {
	// The raw view of p/q is p * 2^16 / q, and that is also what Div computes
	// from the raw views p and q.
	return Num(p).Div(Num(q))
}

// Int returns the largest integer that is at most n: it rounds down, so that
// -0.5 gives -1.
func (n Num) Int() int64 {
	return int64(n >> FracBits)
}

// magnitude returns the absolute raw view, which for Min does not fit in a Num.
func (n Num) magnitude() uint64 {
	s := n >> 63
	return uint64((n ^ s) - s)
}

// signBits returns all ones for a negative n and zero otherwise. XOR with it and
// then subtracting it negates without a branch: sign bits of game values are
// too irregular for branch prediction.
func (n Num) signBits() uint64 {
	return uint64(n >> 63)
}

// saturated returns Max, or Min when sign is all ones.
func saturated(sign uint64) Num {
	return Max ^ Num(sign)
}

// absDiff returns the exact magnitude of the raw difference of a and b, which
// needs all 64 bits.
func absDiff(a, b Num) uint64 {
	if a < b {
		a, b = b, a
	}
	return uint64(a) - uint64(b)
}
