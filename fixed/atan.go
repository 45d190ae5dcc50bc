package fixed

import "math/bits"

// Atan2 returns the angle of the point (x, y) in radians, from -Pi to Pi
// inclusive, measured counter-clockwise from the positive x axis. As in package
// math, y comes first. It takes any x and y, including Min.
//
// The result is rounded to nearest; the largest measured error is 0.4999947 ulp.
// Atan2(-y, x) == -Atan2(y, x) for any y but 0: on the negative x axis, where
// there is no signed zero to tell the sides apart, the result is Pi. Atan2(0, 0)
// is 0.
func Atan2(y, x Num) Num {
	ax, ay := x.magnitude(), y.magnitude()
	lo, hi := min(ax, ay), max(ax, ay)
	if hi == 0 {
		return 0
	}
	angle := atanRatio(lo, hi)
	if ay > ax {
		angle = quarterTurnQ61 - angle
	}
	if x < 0 {
		angle = 2*quarterTurnQ61 - angle
	}
	raw := (angle + 1<<(61-FracBits-1)) >> (61 - FracBits)
	sign := y.signBits()
	return Num((raw ^ sign) - sign)
}

// quarterTurnQ61 is pi/2 in Q61, rounded to nearest.
const quarterTurnQ61 = (pi128 + 1<<(piBits-61)) >> (piBits - 61 + 1)

// atanRatio returns the arctangent of lo/hi in Q61, within 2^-54. It needs
// lo <= hi and hi > 0.
//
// With k the nearest integer to 16*lo/hi, the identity
//
//	atan(lo/hi) = atan(k/16) + atan(w),  w = (16*lo - k*hi) / (16*hi + k*lo)
//
// leaves a w of at most 1/31, for which the series is short.
func atanRatio(lo, hi uint64) uint64 {
	// hi moves to between 2^58 and 2^59, so that 16*hi + k*lo stays below 2^64.
	// Moving right drops bits worth 2^-58 of the ratio at most.
	if shift := bits.LeadingZeros64(hi) - 5; shift >= 0 {
		lo, hi = lo<<(shift&63), hi<<(shift&63)
	} else {
		lo, hi = lo>>(-shift&63), hi>>(-shift&63)
	}
	// An inexact k costs only length of the series, so 16 bits of hi will do, and
	// a 32-bit divide is the fastest. hi>>43 is at least 2^15.
	top := uint32(hi >> 43)
	k := uint64((uint32(lo>>43)*16 + top/2) / top)

	num := 16*lo - k*hi // as a signed number, of either sign
	sign := uint64(int64(num) >> 63)
	num = (num ^ sign) - sign
	w, _ := bits.Div64(num>>2, num<<62, 16*hi+k*lo) // Q62
	return atanTable[k&31] + (atanSeries(w) ^ sign) - sign
}

// atanSeries returns the arctangent of w in Q61, for a w in Q62 of at most 1/31.
// It is the Taylor series w - w^3/3 + w^5/5 - w^7/7 + w^9/9, whose first omitted
// term is below 2^-57.
func atanSeries(w uint64) uint64 {
	x := w << 2      // Q64
	z := mulHi(x, x) // w^2 in Q64
	sum := unit/7 - mulHi(z, unit/9)
	sum = unit/5 - mulHi(z, sum)
	sum = unit/3 - mulHi(z, sum)
	sum = unit - mulHi(z, sum)
	return mulHi(sum<<1, x) >> 2 // Q63 and Q64 make Q63
}

// atanTable holds atan(k/16) in Q61, rounded to nearest, for k from 0 to 16. Its
// length is a power of two so that masking the index removes the bounds check.
var atanTable = [32]uint64{
	0x0000000000000000, 0x01ff55bb72cfde9c, 0x03fab7535585edb9, 0x05ee5ed2f396c08a,
	0x07d6dd7e4b203759, 0x09b13b9b83f5e5e7, 0x0b7b0ca0f26f7847, 0x0d327761e611fe5b,
	0x0ed63382b0dda7b4, 0x10657e94db30cfc5, 0x11e00babdefeb3f3, 0x1345f01cce37bb44,
	0x14978fa3269ee125, 0x15d58987169b1810, 0x1700a7c5784633ce, 0x1819d0b7158a4cc8,
	0x1921fb54442d1847,
}
