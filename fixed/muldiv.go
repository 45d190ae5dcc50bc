package fixed

import "math/bits"

// Mul returns n * m rounded to nearest, ties away from zero, and saturated.
// Rounding depends on the magnitude alone, so (-n)*m == -(n*m) wherever both
// sides are in range: players in mirrored positions behave alike.
func (n Num) Mul(m Num) Num {
	hi, lo := bits.Mul64(uint64(n), uint64(m))
	// Read as unsigned, a negative factor is too large by 2^64.
	top := Num(hi) - n>>63&m - m>>63&n
	// One step less than a half makes ties of negative products move down too.
	lo, carry := bits.Add64(lo, uint64(Half+top>>63), 0)
	top += Num(carry)
	raw := top<<(64-FracBits) | Num(lo>>FracBits)
	if raw>>63 != top>>(FracBits-1) {
		return Max ^ top>>63
	}
	return raw
}

// Div returns n / m rounded to nearest, ties away from zero, and saturated.
// Division by zero saturates by the sign of n: Max for a positive n, Min for a
// negative one, and 0/0 is 0.
func (n Num) Div(m Num) Num {
	sign := (n ^ m).signBits()
	num, den := n.magnitude(), m.magnitude()
	hi, lo := num>>(64-FracBits), num<<FracBits
	var q, r uint64
	switch {
	case hi == 0 && den != 0:
		// The usual case, |n| < 2^32, for which the 64-bit divide is much the
		// faster one on many machines.
		q = lo / den
		r = lo - q*den
	case hi < den:
		q, r = bits.Div64(hi, lo, den)
	case num == 0:
		return 0
	default:
		// The quotient needs more than 64 bits, or den is zero: then m has no
		// sign of its own, and the sign is that of n.
		return saturated(sign)
	}
	var up uint64
	if r >= den-r { // 2r >= den, written so that it cannot wrap
		up = 1
	}
	if q >= 1<<63-up {
		return saturated(sign)
	}
	return Num(((q + up) ^ sign) - sign)
}
