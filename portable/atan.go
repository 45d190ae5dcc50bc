package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

const (
	// pi in two floats; half of each gives pi/2.
	piHigh, piLow = 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53
	// atanSure is the maximum relative error of the quick phases of Atan and Atan2, and atanNear is the maximum below 2^-7,
	// where only the series is used.
	atanSure, atanNear = 0x1p-71, 0x1p-65
	// The table of arc tangents is for tangents from 2^-7 to 2^7.
	atanLeast, atanOver = 0x1p-7, 0x1p7
)

// Atan returns the arc tangent of x, in radians, rounded correctly. Atan(±0) is ±0, Atan(±Inf) is ±Pi/2, and Atan(NaN) is NaN.
//
// Its quick phase is a table of arc tangents (S. Gal, 1986), and Taylor's series of the arc tangent of (x-a)/(1+xa),
// added up in two floats: off by less than 2^-71 of the result, or 2^-65 below 2^-7.
func Atan(x float64) float64 {
	a := math.Abs(x)
	var hi, lo float64
	sure := atanSure
	switch {
	case !(a <= math.MaxFloat64) || a < 0x1p-27:
		if a > math.MaxFloat64 {
			return math.Copysign(math.Pi/2, x)
		}
		return x // x - x^3/3 also rounds to x
	case a < atanLeast:
		hi, lo = arc(a, 0, 1, 0, &[2]float64{})
		sure = atanNear
	case a < atanOver:
		at, l := atanEntry(a)
		upper := upperHalf(a)
		// The sum is exact: it consists of products of 26 bits and 7 bits, none of them below 2^-45.
		hi, lo = arc(a-at, 0, 1+float64(upper*at), float64((a-upper)*at), l)
	default:
		hi, lo = arc(-1, 0, a, 0, &rightAngle)
	}
	s, ok := settled(hi, lo, sure*hi)
	if !ok {
		s = rounded(wide.Of(a).Atan())
	}
	return math.Copysign(s, x)
}

var rightAngle = [2]float64{piHigh / 2, piLow / 2}

// atanEntry returns a number of 7 bits that is near a, and its arc tangent, in two floats.
func atanEntry(a float64) (near float64, l *[2]float64) {
	b := math.Float64bits(a)
	return math.Float64frombits(b&^(1<<47-1) | 1<<46), &arcs[(b>>47-(1023-7)<<5)%uint64(len(arcs))]
}

// arc returns the sum of an angle and the arc tangent of (n+nrest)/(d+drest). The angle is zero or larger than the arc tangent,
// which is 2^-6 at most. nrest is less than 2^-52 of n, and drest less than 2^-26 of d.
func arc(n, nrest, d, drest float64, angle *[2]float64) (hi, lo float64) {
	inverse := 1 / (d + drest)
	upper := upperHalf(d)
	q := upperHalf(n * inverse)
	left := ((n - float64(q*upper)) - float64(q*((d-upper)+drest))) + nrest
	rest := float64(left * inverse)
	t := q + rest
	square := float64(t * t)
	tail := float64(float64(t*square) * (-1./3 + float64(square*(1./5+float64(square*(-1./7+float64(square*(1./9))))))))
	hi, lo = fastSum(angle[0], q)
	return hi, lo + (angle[1] + (rest + tail))
}

// Atan2 returns the angle of the point x, y, between -Pi and Pi, rounded correctly. Its special cases are those of package math.
//
// Its quick phase is that of Atan, of (y-ax)/(x+ya): off by less than 2^-71 of the result, or 2^-65 below 2^-7.
func Atan2(y, x float64) float64 {
	u, v := math.Abs(x), math.Abs(y)
	if !(0x1p-400 < u && u < 0x1p400 && 0x1p-400 < v && v < 0x1p400) {
		return atan2Edge(y, x)
	}
	var hi, lo float64
	sure := atanSure
	switch w := v / u; {
	case w < atanLeast:
		hi, lo = arc(v, 0, u, 0, &[2]float64{})
		sure = atanNear
	case w < atanOver:
		at, l := atanEntry(w)
		upperX, upperY := upperHalf(u), upperHalf(v)
		n, nrest := fullSum(v-float64(upperX*at), -float64((u-upperX)*at))
		d, drest := fullSum(u, float64(upperY*at))
		hi, lo = arc(n, nrest, d, drest+float64((v-upperY)*at), l)
	default:
		hi, lo = arc(-u, 0, v, 0, &rightAngle)
	}
	if x < 0 {
		sum, rest := fastSum(piHigh, -hi)
		hi, lo = sum, rest+(piLow-lo)
		sure = atanSure
	}
	s, ok := settled(hi, lo, sure*hi)
	if !ok {
		return atan2Slow(y, x)
	}
	return math.Copysign(s, y)
}

func atan2Edge(y, x float64) float64 {
	switch {
	case y != y || x != x:
		return math.NaN()
	case y == 0 || x == 0 || math.Abs(y) > math.MaxFloat64 || math.Abs(x) > math.MaxFloat64:
		return math.Copysign(axis(math.Abs(y), x), y)
	}
	return atan2Slow(y, x)
}

func atan2Slow(y, x float64) float64 {
	a := wide.Angle(y, x)
	r, ok := wide.Round(a, wide.Float64, wide.Sure)
	if !ok { // the result is so small that floats have fewer bits there, and it is less than y/x, which is such a middle
		r = nudged(wide.Middle(a, wide.Float64), false, true)
	}
	return math.Copysign(r, y)
}

// axis returns Atan2 for points on an axis or at infinity.
func axis(y, x float64) float64 {
	wayOut, high := math.Abs(x) > math.MaxFloat64, y > math.MaxFloat64
	switch {
	case wayOut && high && x > 0:
		return math.Pi / 4
	case wayOut && high:
		return 3 * (math.Pi / 4)
	case high || x == 0 && y != 0:
		return math.Pi / 2
	case math.Signbit(x):
		return math.Pi
	}
	return 0
}
