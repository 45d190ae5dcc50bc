package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// Asinh returns the inverse hyperbolic sine of x, rounded correctly. Asinh(±0) is ±0, Asinh(±Inf) is ±Inf, and Asinh(NaN)
// is NaN.
//
// Its quick phase is the logarithm of x + sqrt(x^2+1), off by less than 2^-66 of the result; or Taylor's series, below 1/32.
func Asinh(x float64) float64 {
	var hi, lo, bound float64
	a := math.Abs(x)
	switch {
	case !(a <= math.MaxFloat64) || a < 0x1p-27:
		return x // x - x^3/6 also rounds to x
	case a < small:
		square := float64(a * a)
		hi = a
		lo = float64(float64(a*square) * (-1./6 + float64(square*(3./40+float64(square*(-15./336+float64(square*(105./3456+float64(square*(-945./42240+float64(square*(10395./599040))))))))))))
		bound = -tailSure * lo
	case a < 0x1p400:
		about := float64(a*a) + 1
		root, inverse := math.Sqrt(about), 0.5/about
		aa, al := squarePair(a)
		square, rest := fullSum(aa, 1)
		rest = float64(rootLeft(root, square, rest, al) * float64(root*inverse))
		sum, more := fastSum(root, a)
		b, more := mantissa(sum, more+rest)
		hi, lo = logPair(b, 0, more)
		bound = 2 * logSure * hi
	}
	s, ok := settled(hi, lo, bound)
	if !ok || a >= 0x1p400 {
		s = rounded(wide.Of(a).Asinh())
	}
	return math.Copysign(s, x)
}

// Acosh returns the inverse hyperbolic cosine of x, rounded correctly. Acosh(+Inf) is +Inf, Acosh(1) is 0, and Acosh(x) is NaN if x is
// less than 1 or NaN.
//
// Its quick phase is the logarithm of x + sqrt(x^2-1), off by less than 2^-66 of the result; or, below 5/4, that of
// 1 + w + sqrt(2w+w^2), where w is x-1.
func Acosh(x float64) float64 {
	if !(x >= 1.25 && x < 0x1p400) {
		return acoshEdge(x)
	}
	about := float64(x*x) - 1
	root, inverse := math.Sqrt(about), 0.5/about
	xx, xl := squarePair(x)
	square, rest := fastSum(xx, -1)
	rest = float64(rootLeft(root, square, rest, xl) * float64(root*inverse))
	sum, more := fastSum(x, root)
	b, more := mantissa(sum, more+rest)
	hi, lo := logPair(b, 0, more)
	if s, ok := settled(hi, lo, 2*logSure*hi); ok {
		return s
	}
	return rounded(wide.Of(x).Acosh())
}

// acoshEdge returns Acosh for x near 1, for large x, and for special cases.
func acoshEdge(x float64) float64 {
	switch {
	case !(x > 1):
		if x == 1 {
			return 0
		}
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	case x >= 0x1p400:
		return rounded(wide.Of(x).Acosh())
	}
	w, less := fastSum(x, -1)
	upper := upperHalf(w)
	square, rest := fullSum(float64(upper*upper), 2*w)
	root, rest := rootPair(fastSum(square, rest+(float64((w-upper)*(w+upper))+float64(float64(2*less)*(w+1)))))
	sum, more := fullSum(root, w)
	hi, lo := log1pPair(fastSum(sum, more+(rest+less)))
	if s, ok := settled(hi, lo, 2*logSure*hi); ok {
		return s
	}
	return rounded(wide.Of(x).Acosh())
}

// Atanh returns the inverse hyperbolic tangent of x, rounded correctly. Atanh(±0) is ±0, Atanh(±1) is ±Inf, and Atanh(x) is
// NaN if x is more than 1, less than -1 or NaN.
//
// Its quick phase is half the logarithm of (1+x)/(1-x), off by less than 2^-66 of the result; or Taylor's series, below 1/32.
func Atanh(x float64) float64 {
	var hi, lo, bound float64
	a := math.Abs(x)
	switch {
	case !(a < 1):
		if a == 1 {
			return math.Copysign(math.Inf(1), x)
		}
		return math.NaN()
	case a < 0x1p-27:
		return x // x + x^3/3 also rounds to x
	case a < small:
		square := float64(a * a)
		hi = a
		lo = float64(float64(a*square) * (1./3 + float64(square*(1./5+float64(square*(1./7+float64(square*(1./9+float64(square*(1./11+float64(square*(1./13))))))))))))
		bound = tailSure * lo
	default:
		n, nrest := fastSum(1, a)
		d, drest := fastSum(1, -a)
		b, more := mantissa(fastSum(quotient(n, nrest, d, drest, 1/d)))
		hi, lo = logPair(b, 0, more)
		hi, lo = 0.5*hi, 0.5*lo
		bound = 2 * logSure * hi
	}
	s, ok := settled(hi, lo, bound)
	if !ok {
		s = rounded(wide.Of(a).Atanh())
	}
	return math.Copysign(s, x)
}

// rootPair returns the square root of a pair, off by less than 2^-97 of it. It divides while the processor takes the root.
func rootPair(square, more float64) (root, rest float64) {
	root = math.Sqrt(square)
	inverse := 0.5 / square
	upper := upperHalf(root)
	lower := root - upper
	left := ((square - float64(upper*upper)) - float64(2*float64(upper*lower))) + (more - float64(lower*lower))
	return root, float64(left * float64(root*inverse))
}

// mantissa returns a pair, which must be at least 2^-1022, as the arguments of logPair: its bits, and the amount to add
// to its mantissa.
func mantissa(x, more float64) (b uint64, add float64) {
	b = math.Float64bits(x)
	return b, float64(more * math.Float64frombits((2046-b>>52)<<52)) // by 0 for the largest ones
}
