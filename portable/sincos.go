package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

const (
	// 2pi/512 in three floats. The first two have 33 bits, so that their products with an integer up to 2^20 are exact.
	partHigh, partMiddle, partLow = 0x1.921fb544p-7, 0x1.0b4611a6p-41, 0x1.3198a2e037073p-76
	partsIn                       = 0x1.45f306dc9c883p+6 // 1 over their sum
	// nearest is the bound below which x is less than 2^20 parts.
	nearest = 12000
	// sineSure is the maximum error of the quick phases of Sin and Cos, relative to the sine in the table, or to a result near 0.
	sineSure = 0x1.52p-66
)

// Sin returns the sine of x, in radians, rounded correctly, however large x is. As in package math, Sin(±0) is ±0,
// and Sin of an infinity or of NaN is NaN.
//
// It is a table of 512 sines (S. Gal, 1986) and polynomials, added up in two floats, off by less than 2^-64 of the result; where
// the result is too close to the middle between two floats, numbers of 256 bits decide.
func Sin(x float64) float64 {
	if math.Abs(x) < 0x1p-26 { // x - x^3/6 is more than half of a last bit away from the floats next to x
		return x
	}
	k, r, rest := part(x)
	if !(math.Abs(x) < nearest) {
		if x-x != 0 {
			return x - x
		}
		k, r, rest = partFar(x)
	}
	if s, ok := settled(sinePair(k, r, rest)); ok {
		return s
	}
	return rounded(wide.Sine(x, 0))
}

// Cos returns the cosine of x, in radians, rounded correctly, however large x is. As in package math, Cos of an infinity or of
// NaN is NaN. It is computed like Sin.
func Cos(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return 1
	}
	k, r, rest := part(x)
	if !(math.Abs(x) < nearest) {
		if x-x != 0 {
			return x - x
		}
		k, r, rest = partFar(x)
	}
	if s, ok := settled(sinePair(k+128, r, rest)); ok {
		return s
	}
	return rounded(wide.Sine(x, 1))
}

// Sincos returns Sin(x), Cos(x).
func Sincos(x float64) (sin, cos float64) {
	if math.Abs(x) < 0x1p-26 {
		return x, Cos(x)
	}
	k, r, rest := part(x)
	if !(math.Abs(x) < nearest) {
		if x-x != 0 {
			return x - x, x - x
		}
		k, r, rest = partFar(x)
	}
	shi, slo, sbound, chi, clo, cbound := circlePair(k, r, rest)
	sin, sure := settled(shi, slo, sbound)
	if !sure {
		sin = rounded(wide.Sine(x, 0))
	}
	cos, sure = settled(chi, clo, cbound)
	if !sure {
		cos = rounded(wide.Sine(x, 1))
	}
	return sin, cos
}

// tanSure is the maximum relative error of the quick phase of Tan, in addition to the errors of its sine and cosine.
const tanSure = 0x1.4p-73

// Tan returns the tangent of x, in radians, rounded correctly, however large x is. Tan(±0) is ±0, and Tan of an infinity or
// of NaN is NaN.
//
// Its quick phase is the quotient of those of Sin and Cos. Its relative error is the sum of theirs, plus 2^-72.
func Tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	k, r, rest := part(x)
	if !(math.Abs(x) < nearest) {
		if x-x != 0 {
			return x - x
		}
		k, r, rest = partFar(x)
	}
	n, nrest, nbound, d, drest, dbound := circlePair(k, r, rest)
	n, nrest = fastSum(n, nrest)
	d, drest = fastSum(d, drest)
	inverse := 1 / d
	hi, lo := quotient(n, nrest, d, drest, inverse)
	a := math.Abs(hi)
	if s, ok := settled(hi, lo, float64((nbound+float64(a*dbound))*math.Abs(inverse))+float64(tanSure*a)); ok {
		return s
	}
	return rounded(wide.Tangent(x))
}

// part returns the multiple of 2pi/512 that is nearest to x, which is below 2^20 of them, and the rest, in two floats.
func part(x float64) (k int64, r, rest float64) {
	shifted := float64(x*partsIn) + shifter
	n := shifted - shifter
	a := x - float64(n*partHigh) // exact
	b := float64(n * partMiddle) // exact
	r = a - b
	return int64(math.Float64bits(shifted)<<13) >> 13, r, (a - r) - b - float64(n*partLow)
}

// partFar does what part does, for any finite float, modulo a circle.
func partFar(x float64) (k int64, r, rest float64) {
	n, quarters := wide.Trig(x)
	x = rounded(n)
	k, r, rest = part(x)
	return k + int64(quarters)*128, r, rest + rounded(n.Sub(wide.Of(x)))
}

// sinePair returns the sine of k parts of a circle plus a rest, and its maximum error, which is infinite if the rest has too few
// bits.
func sinePair(k int64, r, rest float64) (hi, lo, bound float64) {
	s, c := &sines[k&511], &sines[(k+128)&511]
	r, rest = fastSum(r, rest)
	upper := upperHalf(r)
	square := float64(r * r)
	cubic := float64(float64(r*square) * (-1./6 + float64(square*(1./120-float64(square*(1./5040))))))
	versed := float64(0.5 * square) // 1 minus the cosine, to the first term
	more := float64(float64(square*square)*(1./24-float64(square*(1./720)))) - float64(r*rest)

	first := float64(c[0] * upper) // exact
	hi, lo = fastSum(s[0], first)
	inside := float64(c[0]*((r-upper)+(rest+cubic))) + float64(c[1]*(r+cubic)) + (float64(s[0]*more) + float64(s[1]*(more-versed)))
	lo = (lo + s[1] + inside) - float64(s[0]*versed)
	bound = sineSure * math.Abs(s[0])
	if s[0] == 0 {
		bound = nearZero(hi, r)
	}
	return hi, lo, bound
}

// circlePair returns the results of sinePair, and the same for the cosine.
func circlePair(k int64, r, rest float64) (shi, slo, sbound, chi, clo, cbound float64) {
	s, c := &sines[k&511], &sines[(k+128)&511]
	r, rest = fastSum(r, rest)
	upper := upperHalf(r)
	square := float64(r * r)
	cubic := float64(float64(r*square) * (-1./6 + float64(square*(1./120-float64(square*(1./5040))))))
	versed := float64(0.5 * square)
	more := float64(float64(square*square)*(1./24-float64(square*(1./720)))) - float64(r*rest)
	low, all, less := (r-upper)+(rest+cubic), r+cubic, more-versed

	shi, slo = fastSum(s[0], float64(c[0]*upper))
	inside := float64(c[0]*low) + float64(c[1]*all) + (float64(s[0]*more) + float64(s[1]*less))
	slo = (slo + s[1] + inside) - float64(s[0]*versed)
	chi, clo = fastSum(c[0], -float64(s[0]*upper))
	inside = (float64(c[0]*more) + float64(c[1]*less)) - (float64(s[0]*low) + float64(s[1]*all))
	clo = (clo + c[1] + inside) - float64(c[0]*versed)
	sbound, cbound = sineSure*math.Abs(s[0]), sineSure*math.Abs(c[0])
	switch {
	case s[0] == 0:
		sbound = nearZero(shi, r)
	case c[0] == 0:
		cbound = nearZero(chi, r)
	}
	return shi, slo, sbound, chi, clo, cbound
}

// nearZero returns the maximum error of a sine or cosine next to a 0 of the table, where r is the rest of the angle.
//
//go:noinline
func nearZero(hi, r float64) float64 {
	if math.Abs(r) < 0x1p-27 {
		return math.Inf(1)
	}
	return sineSure * math.Abs(hi)
}
