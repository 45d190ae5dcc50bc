package portable

import (
	"math"
	"math/bits"

	"github.com/tickback/tickback/portable/internal/wide"
)

// Pow returns x^y, rounded correctly. Its special cases are those of package math.
//
// Its quick phase is e^(y ln x), by those of Log and Exp: off by less than 2^-65.9 of the result, plus the error of the logarithm
// times y.
func Pow(x, y float64) float64 {
	if b := math.Float64bits(x); b-1<<52 < (0x7FF-1)<<52 && -0x1p80 < y && y < 0x1p80 {
		if s, ok := powQuick(b, y); ok {
			return s
		}
	}
	return powSlow(x, y)
}

const (
	// powSure is the maximum relative error of the quick phase of Pow, not counting y times the error of the logarithm.
	powSure = 0x1.1p-66
	// logSureFar is the maximum error of a logarithm, and logSureNear its maximum relative error if it is near 0.
	logSureFar, logSureNear = 0x1.3p-75, 0x1p-67
)

// powQuick returns a positive normal number, given by its bits, to the power of y; false if that is not precise enough.
func powQuick(b uint64, y float64) (float64, bool) {
	l, more := logPair(b, 0, 0)
	l, more = fastSum(l, more)
	upper, yUpper := upperHalf(l), upperHalf(y)
	lower, yLower := l-upper, y-yUpper
	p := float64(y * l)
	if !(-700 < p && p < 700) {
		return 0, false
	}
	rest := (float64(yUpper*upper) - p) + float64(yUpper*lower) + float64(yLower*upper) + (float64(yLower*lower) + float64(y*more))
	k, r, more := expPart(p)
	r, rest = fastSum(r, more+rest)
	hi, lo := expPair(&powers[k&127], r, expSeries(r, rest))
	bound := powSure + float64(math.Abs(y)*min(logSureFar, logSureNear*math.Abs(l)))
	s, ok := settled(hi, lo, bound)
	return math.Float64frombits(math.Float64bits(s) + uint64(k>>7)<<52), ok
}

func powSlow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	whole := math.Floor(y) == y // also true for infinities
	odd := whole && math.Abs(y) < 1<<53 && int64(y)&1 != 0
	switch {
	case math.Abs(y) > math.MaxFloat64:
		switch a := math.Abs(x); {
		case a == 1:
			return 1
		case (a < 1) == (y > 0):
			return 0
		}
		return math.Inf(1)
	case x == 0 || math.Abs(x) > math.MaxFloat64:
		r := 0.0
		if (x == 0) == (y < 0) {
			r = math.Inf(1)
		}
		if odd {
			return math.Copysign(r, x)
		}
		return r
	case x < 0 && !whole:
		return math.NaN()
	}
	r, ok := powExact(math.Abs(x), y)
	if !ok {
		r = power(math.Abs(x), y)
	}
	if x < 0 && odd {
		return -r
	}
	return r
}

// power returns x^y, which must be neither a float nor the middle between two floats.
func power(x, y float64) float64 {
	n := wide.Of(y).Mul(wide.Of(x).Log())
	switch {
	case n.Exponent() > 11 && n.Negative():
		return 0
	case n.Exponent() > 11:
		return math.Inf(1)
	}
	return rounded(n.Exp())
}

// powExact returns x^y if it has so few bits that it could be a float, or the middle between two. x is an odd number times a
// power of two, and y is an odd number over 2^k: then taking the square root of x k times must be exact, and the odd number to
// the power of y must have at most 54 bits.
func powExact(x, y float64) (float64, bool) {
	m, e := oddPart(x)
	n, f := oddPart(math.Abs(y))
	for ; f < 0; f++ {
		root, ok := squareRoot(m)
		if !ok || e&1 != 0 {
			return 0, false
		}
		m, e = root, e/2
	}
	if m == 1 {
		exponent := float64(e) * math.Ldexp(float64(n), f)
		if y < 0 {
			exponent = -exponent
		}
		return math.Ldexp(1, int(max(min(exponent, 2000), -2000))), true
	}
	if y < 0 || f > 5 || n<<f > 34 {
		return 0, false
	}
	p := uint64(1)
	for range n << f {
		hi, lo := bits.Mul64(p, m)
		if hi != 0 {
			return 0, false
		}
		p = lo
	}
	hi, lo := p>>32, p&(1<<32-1)
	return wide.RoundExact(wide.Int(int64(hi)).Shift(32).Add(wide.Int(int64(lo))).Shift(e*int(n<<f)), wide.Float64), true
}

// oddPart returns m and e such that a positive finite x is m times 2^e, and m is odd.
func oddPart(x float64) (m uint64, e int) {
	f, e := math.Frexp(x)
	m = uint64(f * (1 << 53))
	z := bits.TrailingZeros64(m)
	return m >> z, e - 53 + z
}

func squareRoot(m uint64) (root uint64, ok bool) {
	root = uint64(math.Sqrt(float64(m)))
	return root, root*root == m
}
