package fixed

import "math/bits"

// Length returns the length of v rounded down: the floor, in ulps, of the root
// of the exact X*X + Y*Y, saturated.
func (v Vec2) Length() Num {
	return length(v.X.magnitude(), v.Y.magnitude())
}

// LengthSquared returns v.Dot(v). It saturates from a length of about 2^23.5
// (11.8 million); to compare long distances use [Vec2.Length].
func (v Vec2) LengthSquared() Num {
	return lengthSquared(v.X.magnitude(), v.Y.magnitude())
}

// Distance returns the length of w - v rounded down and saturated. Unlike
// w.Sub(v).Length() it does not saturate before the root: the differences are
// exact.
func (v Vec2) Distance(w Vec2) Num {
	return length(absDiff(v.X, w.X), absDiff(v.Y, w.Y))
}

// DistanceSquared returns the square of the exact distance between v and w,
// rounded to nearest, ties up, and saturated.
func (v Vec2) DistanceSquared(w Vec2) Num {
	return lengthSquared(absDiff(v.X, w.X), absDiff(v.Y, w.Y))
}

// Normalise returns the vector of length 1 in the direction of v, each component
// within 0.5003 ulp of the truth, however short or long v is. The zero vector
// stays zero. Rounding is symmetric in sign.
func (v Vec2) Normalise() Vec2 {
	ax, ay := v.X.magnitude(), v.Y.magnitude()
	if ax|ay == 0 {
		return Vec2{}
	}
	// The longer component moves to between 2^30 and 2^31. That makes a short
	// vector precise, and in a long one drops bits worth 2^-30 of it at most,
	// 2^-14 ulp of the result; then all the rest fits 64 bits.
	if shift := bits.LeadingZeros64(ax|ay) - 33; shift >= 0 {
		ax, ay = ax<<(shift&63), ay<<(shift&63)
	} else {
		ax, ay = ax>>(-shift&63), ay>>(-shift&63)
	}
	norm := isqrt64(ax*ax + ay*ay)
	x := (ax<<FracBits + norm/2) / norm
	y := (ay<<FracBits + norm/2) / norm
	sx, sy := v.X.signBits(), v.Y.signBits()
	return Vec2{Num((x ^ sx) - sx), Num((y ^ sy) - sy)}
}

// sumOfSquares returns x*x + y*y in 128 bits. It needs x and y below 2^63.
func sumOfSquares(x, y uint64) (hi, lo uint64) {
	xHi, xLo := bits.Mul64(x, x)
	yHi, yLo := bits.Mul64(y, y)
	lo, carry := bits.Add64(xLo, yLo, 0)
	return xHi + yHi + carry, lo
}

// length returns the root of the sum of the squares of two raw magnitudes.
func length(x, y uint64) Num {
	if (x|y)>>63 != 0 {
		return Max // one side alone is out of range
	}
	root := isqrt128(sumOfSquares(x, y))
	return Num(min(root, uint64(Max)))
}

// lengthSquared returns the sum of the squares of two raw magnitudes.
func lengthSquared(x, y uint64) Num {
	if (x|y)>>63 != 0 {
		return Max
	}
	hi, lo := sumOfSquares(x, y)
	return wide{hi, lo}.narrow(FracBits)
}
