package fixed

import "math/bits"

// Sin returns the sine of x radians. It takes any x, and Sin(-x) == -Sin(x)
// holds exactly.
//
// Over a full turn the result is the correctly rounded one, to nearest, for
// every raw x; the largest measured error is 0.4999965 ulp. For any x at all the
// error is below 0.5001 ulp.
func Sin(x Num) Num {
	a := reduce(x.magnitude())
	return roundQ62(a.poly(a.swap), a.sinNeg^x.signBits())
}

// Cos returns the cosine of x radians, with the accuracy of [Sin]: the largest
// measured error over a full turn is 0.4999994 ulp. Cos(-x) == Cos(x) holds exactly.
func Cos(x Num) Num {
	a := reduce(x.magnitude())
	return roundQ62(a.poly(1-a.swap), a.cosNeg)
}

// SinCos returns [Sin] and [Cos] of x for less than the price of both.
func SinCos(x Num) (sin, cos Num) {
	a := reduce(x.magnitude())
	sin = roundQ62(a.poly(a.swap), a.sinNeg^x.signBits())
	cos = roundQ62(a.poly(1-a.swap), a.cosNeg)
	return sin, cos
}

// Tan returns the tangent of x radians. It is the quotient of sine and cosine
// with 62 fraction bits each, rounded once, and saturates where it is out of
// range. Tan(-x) == -Tan(x) holds exactly, except that Min is not -Max.
//
// Over a full turn the largest measured error is 0.4999986 ulp. Near a pole the
// quotient magnifies the error of the angle, 2^-60 at most, by the square of the
// result: it is within 0.51 ulp up to 2^18 and within 0.57 ulp up to 2^20. A
// larger result, which takes an x within a sixteenth of an ulp of a pole, is off
// by its square times 2^-60 and half an ulp at most.
func Tan(x Num) Num {
	sin, cos := sinCosQ62(x)
	// A ratio of raw views is the same at any scale.
	return Num(sin).Div(Num(cos))
}

// sinCosQ62 returns sine and cosine with 62 fraction bits, within 2^-58.
func sinCosQ62(x Num) (sin, cos int64) {
	a := reduce(x.magnitude())
	sn := a.sinNeg ^ x.signBits()
	sin = int64((a.poly(a.swap) ^ sn) - sn)
	cos = int64((a.poly(1-a.swap) ^ a.cosNeg) - a.cosNeg)
	return sin, cos
}

// roundQ62 rounds v, in Q62, to the nearest Num and negates it if sign is all
// ones.
func roundQ62(v, sign uint64) Num {
	raw := (v + 1<<(62-FracBits-1)) >> (62 - FracBits)
	return Num((raw ^ sign) - sign)
}

// series holds the magnitudes of nine Taylor coefficients in Q62, of x^0 to x^16
// for the cosine and of x^1 to x^17 for the sine. On 0 to pi/4 the first omitted
// terms are below 2^-58 and 2^-63. The signs alternate.
type series [9]uint64

// unit is 1 in Q62.
const unit = 1 << 62

// polys holds the series of the sine, then that of the cosine. Each coefficient
// is 2^62 divided by a factorial, rounded to nearest.
var polys = [2]series{
	{
		unit,
		(unit + 3) / 6,
		(unit + 60) / 120,
		(unit + 2520) / 5040,
		(unit + 181440) / 362880,
		(unit + 19958400) / 39916800,
		(unit + 3113510400) / 6227020800,
		(unit + 653837184000) / 1307674368000,
		(unit + 177843714048000) / 355687428096000,
	},
	{
		unit,
		(unit + 1) / 2,
		(unit + 12) / 24,
		(unit + 360) / 720,
		(unit + 20160) / 40320,
		(unit + 1814400) / 3628800,
		(unit + 239500800) / 479001600,
		(unit + 43589145600) / 87178291200,
		(unit + 10461394944000) / 20922789888000,
	},
}

// poly returns the sine of a.x, or the cosine if cosine is 1, in Q62.
//
// The angle is as likely to need one as the other, so the choice is a table
// index rather than a branch. The alternating series is split into its terms of
// even and of odd index, two sums of positive terms that the processor works out
// side by side.
func (a octant) poly(cosine uint64) uint64 {
	c := &polys[cosine&1]
	x := a.x << 2    // Q64, at most 0.79
	z := mulHi(x, x) // x^2 in Q64
	w := mulHi(z, z) // x^4 in Q64

	plus := c[6] + mulHi(w, c[8])
	minus := c[5] + mulHi(w, c[7])
	plus = c[4] + mulHi(w, plus)
	minus = c[3] + mulHi(w, minus)
	plus = c[2] + mulHi(w, plus)
	minus = c[1] + mulHi(w, minus)
	plus = c[0] + mulHi(w, plus)
	sum := plus - mulHi(z, minus)

	// The sine series has a factor x left over, the cosine's is 1. In Q63.
	factor := x >> 1
	factor ^= (factor ^ 1<<63) & -cosine
	return mulHi(sum<<1, factor)
}

// mulHi returns a * b / 2^64 rounded down.
func mulHi(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}
