package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// cbrtSure is the maximum relative error of the quick phase of Cbrt.
const cbrtSure = 0x1.2p-67

// thirds are the powers of two that remain when an exponent is divided by three, and their cube roots.
var thirds = [4][2]float64{{1, 1}, {2, 0x1.428a2f98d728bp+0}, {4, 0x1.965fea53d6e3dp+0}}

// Cbrt returns the cube root of x, rounded correctly. Cbrt(±0) is ±0, Cbrt(±Inf) is ±Inf, and Cbrt(NaN) is NaN.
//
// Its quick phase takes a root of 17 bits, from a table and a polynomial, whose cube is exact, and then the binomial
// series for the rest of x: off by less than 2^-66.8 of the result.
func Cbrt(x float64) float64 {
	a := math.Abs(x)
	b, more, ok := normalBits(a)
	if !ok {
		return x
	}
	e := uint64(int64(b>>52) + more + 1026) // 3*1023 more than it would be: 1023 is 3*341
	third := e / 3
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	i := b >> 44 & 255
	z := float64(m*logs[i][0]) - 1
	y := roots[i] * (1 + float64(z*(1./3-float64(z*(1./9)))))
	left := &thirds[(e-3*third)&3] // a table, since no processor could predict a branch here
	m, y = float64(m*left[0]), float64(y*left[1])
	y = math.Float64frombits((math.Float64bits(y) + 1<<35) &^ (1<<36 - 1))
	cube := float64(float64(y*y) * y)     // exact
	d := float64((m - cube) * (1 / cube)) // less than 2^-15
	lo := y * float64(d*(1./3-float64(d*(1./9-float64(d*(5./81-float64(d*(10./243))))))))
	s, ok := settled(y, lo, cbrtSure*y)
	if !ok {
		return rounded(wide.Of(x).Cbrt())
	}
	s = math.Float64frombits(math.Float64bits(s) + (third-683)<<52)
	return math.Copysign(s, x)
}
