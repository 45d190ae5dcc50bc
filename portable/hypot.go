package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// hypotSure is the maximum relative error of the quick phase of Hypot.
const hypotSure = 0x1p-74

// Hypot returns the square root of p^2 + q^2, rounded correctly, without overflow on the way. As in package math, an infinity
// gives +Inf, whatever the other number is; otherwise NaN gives NaN.
//
// Its quick phase is the root of the rounded sum of the squares, and one step of Newton's iteration from there: off by less than
// 2^-74 of the result. The work to get that sum in two floats, and the division of the step, is done while the processor takes
// the root; and nothing depends on which of the two numbers is larger.
func Hypot(p, q float64) float64 {
	about := float64(p*p) + float64(q*q)
	if !(about > 0x1p-800 && about < 0x1p800) {
		return hypotEdge(p, q)
	}
	root, inverse := math.Sqrt(about), 0.5/about
	pp, pl := squarePair(p)
	qq, ql := squarePair(q)
	square, rest := fullSum(pp, qq)
	lo := float64(rootLeft(root, square, rest, pl+ql) * float64(root*inverse))
	if s, ok := settled(root, lo, hypotSure*root); ok {
		return s
	}
	return hypotSlow(math.Abs(p), math.Abs(q))
}

// squarePair returns x^2 in two floats: the first is exact and the second is rounded.
func squarePair(x float64) (hi, lo float64) {
	upper := upperHalf(x)
	return float64(upper * upper), float64((x - upper) * (x + upper))
}

// rootLeft returns the difference between a sum of squares, a float and two rests, and the square of a number near its
// root.
func rootLeft(root, square, rest, more float64) float64 {
	hi, lo := squarePair(root)
	return (square - hi) + ((rest + more) - lo) // the first difference is exact
}

// hypotEdge returns Hypot where a square may be too large or too small for the quick phase, or special.
func hypotEdge(p, q float64) float64 { return hypotSlow(math.Abs(p), math.Abs(q)) }

// hypotSlow returns Hypot for numbers that are not negative.
func hypotSlow(p, q float64) float64 {
	switch {
	case p > math.MaxFloat64 || q > math.MaxFloat64:
		return math.Inf(1)
	case p != p || q != q:
		return math.NaN()
	}
	if p < q {
		p, q = q, p
	}
	if q == 0 {
		return p
	}
	a, b := wide.Of(p), wide.Of(q)
	if a.Exponent()-b.Exponent() > 60 {
		return p
	}
	square := a.Mul(a).Add(b.Mul(b)) // exact
	root := square.Sqrt()
	x, ok := wide.Round(root, wide.Float64, wide.Sure)
	if ok {
		return x
	}
	// The root may be the middle between two floats.
	middle := wide.Middle(root, wide.Float64)
	d := square.Sub(middle.Mul(middle)) // exact
	return nudged(middle, d.Zero(), d.Negative())
}

// nudged rounds a number that is the middle between two floats, or slightly more or less.
func nudged(middle wide.Num, exact, less bool) float64 {
	by := middle.Shift(-128)
	switch {
	case exact:
		return wide.RoundExact(middle, wide.Float64)
	case less:
		return wide.RoundExact(middle.Sub(by), wide.Float64)
	}
	return wide.RoundExact(middle.Add(by), wide.Float64)
}
