package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

const (
	// shifter, added to a float below 2^51, rounds it to an integer, which is in the last bits of the sum.
	shifter = 0x1.8p52
	// ln 2 over the number of powers, in two floats. The first one has 33 bits, so that its product with an integer
	// below 2^20 is exact. The sum is off by less than 2^-94.
	stepHigh, stepLow = 0x1.62e42fefp-8, 0x1.473de6af278edp-41
	steps             = 0x1.71547652b82fep+7 // 1 over their sum
	// expSure is the maximum error of the results of expPair.
	expSure = 0x1.7p-67
)

// Exp returns e^x, rounded correctly. As in package math, Exp(+Inf) is +Inf, Exp(-Inf) is 0 and Exp(NaN) is NaN;
// what is too large is +Inf, and what is too small 0.
//
// It is a table of 2^(i/128) (P. T. P. Tang, 1989) and a polynomial, added up in two floats, off by less than 2^-66.4; where the
// result is too close to the middle between two floats, numbers of 256 bits decide.
func Exp(x float64) float64 {
	switch {
	case !(-708 < x && x < 709):
		return expEdge(x)
	case math.Abs(x) < 0x1p-54:
		return 1 + x
	}
	k, r, rest := expPart(x)
	hi, lo := expPair(&powers[k&127], r, expSeries(r, rest))
	if s, ok := settled(hi, lo, expSure); ok {
		return math.Float64frombits(math.Float64bits(s) + uint64(k>>7)<<52)
	}
	return expSlow(x)
}

// expEdge returns Exp where it is too large or too small for the quick phase, or special.
func expEdge(x float64) float64 {
	switch {
	case x != x || x > 710:
		return x * math.Inf(1)
	case x < -746:
		return 0
	}
	return expSlow(x)
}

func expSlow(x float64) float64 { return rounded(wide.Of(x).Exp()) }

// rounded rounds a number that is known to be neither a float nor the middle between two floats.
func rounded(n wide.Num) float64 {
	x, _ := wide.Round(n, wide.Float64, wide.Sure)
	return x
}

// expPart returns the multiple of ln 2/128 that is nearest to x, which is below 2^20 of them, and the rest of x, in two
// floats.
func expPart(x float64) (k int64, r, rest float64) {
	shifted := float64(x*steps) + shifter
	k = int64(math.Float64bits(shifted)<<13) >> 13
	n := shifted - shifter
	a := x - float64(n*stepHigh) // exact
	b := float64(n * stepLow)
	r = a - b
	return k, r, (a - r) - b
}

// expPair returns p times e^(r+rest), where p is one of powers: hi is 1 to 2, and lo is small. r is less than 2^-8, and
// rest is less than 2^-52 of it, or than 2^-60; t is their expSeries, or the sum of their evenOdd.
//
// expPair and expSeries are separate functions so that the compiler inlines both.
func expPair(p *[2]float64, r, t float64) (hi, lo float64) {
	upper := upperHalf(r)
	first := float64(p[0] * upper) // exact
	hi = p[0] + first
	return hi, (first - (hi - p[0])) + (p[1] + (float64(p[0]*((r-upper)+t)) + float64(p[1]*(r+t))))
}

// expSeries returns e^(r+rest) - 1 - r.
func expSeries(r, rest float64) float64 {
	return rest + float64(float64(r*r)*(0.5+float64(r*(1./6+float64(r*(1./24+float64(r*(1./120+float64(r*(1./720))))))))))
}

// evenOdd returns cosh(r+rest) - 1 and sinh(r+rest) - r, by their series, so that e^r and e^-r need only one computation.
func evenOdd(r, rest float64) (even, odd float64) {
	square := float64(r * r)
	even = float64(square * (0.5 + float64(square*(1./24+float64(square*(1./720))))))
	return even, rest + float64(float64(r*square)*(1./6+float64(square*(1./120))))
}

const (
	// ln 2 in two floats. The first one has 26 bits.
	ln2Upper, ln2Lower = 0x1.62e42f8p-1, 0x1.be8e7bcd5e4f2p-27
	// shifter128, added to a float below 2^44, rounds it to a multiple of 1/128.
	shifter128 = shifter / 128
)

// Exp2 returns 2^x, rounded correctly. Its special cases and its quick phase are those of Exp.
func Exp2(x float64) float64 {
	switch {
	case !(-1022 < x && x < 1023):
		return exp2Edge(x)
	case math.Abs(x) < 0x1p-54:
		return 1 + x
	}
	shifted := x + shifter128
	k := int64(math.Float64bits(shifted)<<13) >> 13
	left := x - (shifted - shifter128) // exact
	upper := upperHalf(left)
	r, rest := fastSum(float64(upper*ln2Upper), float64((left-upper)*math.Ln2)+float64(upper*ln2Lower))
	hi, lo := expPair(&powers[k&127], r, expSeries(r, rest))
	if s, ok := settled(hi, lo, expSure); ok {
		return math.Float64frombits(math.Float64bits(s) + uint64(k>>7)<<52)
	}
	return rounded(wide.Of(x).Exp2())
}

func exp2Edge(x float64) float64 {
	switch {
	case x != x || x >= 1024:
		return x * math.Inf(1)
	case x < -1076:
		return 0
	case x == math.Floor(x):
		return math.Ldexp(1, int(x))
	}
	return rounded(wide.Of(x).Exp2())
}

const (
	// small is the bound below which polynomials of x alone are used.
	small = 0x1p-5
	// tailSure is the maximum relative error of a polynomial's tail, which is added to its first term.
	tailSure = 0x1p-49
)

// Expm1 returns e^x - 1, rounded correctly, also where x is near 0. As in package math, Expm1(+Inf) is +Inf, Expm1(-Inf)
// is -1, and Expm1(NaN) is NaN; what is too large is +Inf.
//
// Its quick phase is that of Exp, off by less than 2^-66 of e^x; or Taylor's series, below 1/32, off by less than 2^-49 of what follows
// x + x^2/2.
func Expm1(x float64) float64 {
	var hi, lo, bound float64
	switch {
	case !(-40 < x && x < 709):
		return expm1Edge(x)
	case math.Abs(x) < small:
		if x == 0 {
			return x
		}
		upper := upperHalf(x)
		half := float64(0.5 * float64(upper*upper)) // exact
		tail := float64(float64(x*float64(x*x)) * (1./6 + float64(x*(1./24+float64(x*(1./120+float64(x*(1./720+float64(x*(1./5040+float64(x*(1./40320+float64(x*(1./362880))))))))))))))
		hi, lo = fastSum(x, half)
		lo += tail + float64(0.5*float64((x-upper)*(x+upper)))
		bound = float64(tailSure*math.Abs(tail)) + float64(0x1p-75*math.Abs(x))
	default:
		k, r, rest := expPart(x)
		e, more := expPair(&powers[k&127], r, expSeries(r, rest))
		scale := powerOf2(k >> 7)
		hi, lo = fullSum(float64(e*scale), -1)
		lo += float64(more * scale)
		bound = 1.25 * expSure * scale
	}
	if s, ok := settled(hi, lo, bound); ok {
		return s
	}
	return rounded(wide.Of(x).Expm1())
}

func expm1Edge(x float64) float64 {
	switch {
	case x != x || x > 710:
		return x * math.Inf(1)
	case x < 0: // and e^x is less than a quarter of the last bit
		return -1
	}
	return rounded(wide.Of(x).Expm1())
}
