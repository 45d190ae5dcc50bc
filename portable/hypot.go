package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// hypotSure is the share of the result by which the quick phase of Hypot is off at most.
const hypotSure = 0x1p-72

// Hypot returns the square root of p^2 + q^2, rounded correctly, without overflow on the way. As in package math,
// an infinity gives +Inf, whatever the other is; else NaN gives NaN.
//
// Its quick phase is the sum of the squares in two floats, and one step of Newton's iteration for its root: off by less than
// 2^-72 of the result.
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	if p < q {
		p, q = q, p
	}
	if !(p < 0x1p400 && q > 0x1p-400) {
		return hypotSlow(p, q)
	}
	pu, qu := upperHalf(p), upperHalf(q)
	pl, ql := p-pu, q-qu
	sum, rest := fastSum(float64(pu*pu), float64(qu*qu))
	rest += float64(pl*(p+pu)) + float64(ql*(q+qu))
	sum, rest = fastSum(sum, rest)
	root, rest := rootPair(sum, rest)
	if s, ok := settled(root, rest, hypotSure*root); ok {
		return s
	}
	return hypotSlow(p, q)
}

// hypotSlow is Hypot of numbers that are not negative.
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

// nudged rounds a number that is the middle between two floats, or little more or less.
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
