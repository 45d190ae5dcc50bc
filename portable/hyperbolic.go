package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// far is the bound above which e^-x is less than 2^-72 of e^x.
const far = 25

// Sinh returns the hyperbolic sine of x, rounded correctly. Sinh(±0) is ±0, Sinh(±Inf) is ±Inf, and Sinh(NaN) is NaN.
//
// Its quick phase is that of Exp, of x and -x, off by less than 2^-65.3 of e^|x|; or Taylor's series, below 1/32.
func Sinh(x float64) float64 {
	var hi, lo, bound float64
	a := math.Abs(x)
	switch {
	case !(a < 709):
		return sinhEdge(x)
	case a < small:
		square := float64(a * a)
		hi = a
		lo = float64(float64(a*square) * (1./6 + float64(square*(1./120+float64(square*(1./5040+float64(square*(1./362880))))))))
		bound = tailSure * lo
	default:
		k, r, rest := expPart(a)
		scale := powerOf2(k>>7 - 1)
		even, odd := evenOdd(r, rest)
		hi, lo = expPair(&powers[k&127], r, even+odd)
		hi, lo = float64(hi*scale), float64(lo*scale)
		bound = 2.25 * expSure * scale
		if a < far {
			e, more := expPair(&powers[-k&127], -r, even-odd)
			scale = powerOf2(-k>>7 - 1)
			sum, left := fastSum(hi, -float64(e*scale))
			hi, lo = sum, left+(lo-float64(more*scale))
		}
	}
	s, ok := settled(hi, lo, bound)
	if !ok {
		s = rounded(wide.Of(a).Sinh())
	}
	return math.Copysign(s, x)
}

func sinhEdge(x float64) float64 {
	if x != x || x > 711 || x < -711 {
		return x * math.Inf(1)
	}
	return rounded(wide.Of(x).Sinh())
}

// Cosh returns the hyperbolic cosine of x, rounded correctly. Cosh(±0) is 1, Cosh(±Inf) is +Inf, and Cosh(NaN) is NaN.
//
// Its quick phase is that of Exp, of x and -x, off by less than 2^-65.3 of e^|x|.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 709) {
		return coshEdge(x)
	}
	k, r, rest := expPart(a)
	scale := powerOf2(k>>7 - 1)
	even, odd := evenOdd(r, rest)
	hi, lo := expPair(&powers[k&127], r, even+odd)
	hi, lo = float64(hi*scale), float64(lo*scale)
	bound := 2.25 * expSure * scale
	if a < far {
		e, more := expPair(&powers[-k&127], -r, even-odd)
		scale = powerOf2(-k>>7 - 1)
		sum, left := fastSum(hi, float64(e*scale))
		hi, lo = sum, left+(lo+float64(more*scale))
	}
	if s, ok := settled(hi, lo, bound); ok {
		return s
	}
	return rounded(wide.Of(x).Cosh())
}

func coshEdge(x float64) float64 {
	if !(-711 < x && x < 711) {
		return x * x * math.Inf(1)
	}
	return rounded(wide.Of(x).Cosh())
}

// Tanh returns the hyperbolic tangent of x, rounded correctly. Tanh(±0) is ±0, Tanh(±Inf) is ±1, and Tanh(NaN) is NaN.
//
// Its quick phase is (e^2x - 1)/(e^2x + 1), with the quick phase of Exp, off by less than 2^-67; or Taylor's series,
// below 1/32.
func Tanh(x float64) float64 {
	var hi, lo, bound float64
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a > 20: // 1, to within a quarter of the last bit
		return math.Copysign(1, x)
	case a < small:
		square := float64(a * a)
		hi = a
		lo = float64(float64(a*square) * (-1./3 + float64(square*(2./15+float64(square*(-17./315+float64(square*(62./2835+float64(square*(-1382./155925))))))))))
		bound = -tailSure * lo
	default:
		k, r, rest := expPart(2 * a)
		scale := powerOf2(k >> 7)
		e, more := expPair(&powers[k&127], r, expSeries(r, rest))
		e, more = float64(e*scale), float64(more*scale)
		n, nrest := fastSum(e, -1)
		n, nrest = fastSum(n, nrest+more)
		d, drest := fastSum(e, 1)
		d, drest = fastSum(d, drest+more)
		hi, lo = quotient(n, nrest, d, drest, 1/d)
		bound = 0.65*expSure + float64(0x1p-72*hi)
	}
	s, ok := settled(hi, lo, bound)
	if !ok {
		s = rounded(wide.Of(a).Tanh())
	}
	return math.Copysign(s, x)
}

// quotient returns (n+nrest)/(d+drest), with a relative error of less than 2^-72.8, if the rests are less than 2^-52
// of the numbers that they are added to, and inverse is 1/d. The first float has 26 bits.
func quotient(n, nrest, d, drest, inverse float64) (hi, lo float64) {
	upper := upperHalf(d)
	hi = upperHalf(n * inverse)
	left := ((n - float64(hi*upper)) - float64(hi*(d-upper))) + (nrest - float64(hi*drest))
	return hi, float64(left * inverse)
}
