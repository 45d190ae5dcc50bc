package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

// asinFar is the maximum error of the quick phases of Asin and Acos, and asinNear the maximum relative error of a result
// that is nearest to the 0 of the table.
const asinFar, asinNear = 0x1.6p-71, 0x1.2p-66

// Asin returns the arc sine of x, in radians, rounded correctly. Asin(±0) is ±0, and Asin(x) is NaN if x is more than 1, less
// than -1 or NaN.
//
// Its quick phase finds the nearest of the angles in the table of sines, and then Taylor's series of the arc sine of the sine of
// the rest, which is x cos(a) - sqrt(1-x^2) sin(a), in two floats: off by less than 2^-70.5, or 2^-65.8 of the result near 0.
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 1):
		if a == 1 {
			return math.Copysign(math.Pi/2, x)
		}
		return math.NaN()
	case a < 0x1p-27:
		return x // x + x^3/6 also rounds to x
	}
	i, hi, lo := angle(a)
	hi, rest := fastSum(float64(i*partHigh), hi)
	bound := asinFar
	if i == 0 {
		bound = asinNear * hi
	}
	s, ok := settled(hi, rest+(float64(i*partMiddle)+(lo+float64(i*partLow))), bound)
	if !ok {
		s = rounded(wide.Of(a).Asin())
	}
	return math.Copysign(s, x)
}

// Acos returns the arc cosine of x, in radians, rounded correctly. Acos(1) is 0, and Acos(x) is NaN if x is more than
// 1, less than -1 or NaN.
//
// Its quick phase is that of Asin: off by less than 2^-70.5, or 2^-65.8 of the result near 0.
func Acos(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 1):
		if x == 1 {
			return 0
		} else if x == -1 {
			return math.Pi
		}
		return math.NaN()
	}
	i, hi, lo := angle(a)
	i = 128 - i
	if x < 0 {
		i = 256 - i
	} else {
		hi, lo = -hi, -lo
	}
	hi, rest := fastSum(float64(i*partHigh), hi)
	bound := asinFar
	if i == 0 {
		bound = asinNear * hi
	}
	if s, ok := settled(hi, rest+(float64(i*partMiddle)+(lo+float64(i*partLow))), bound); ok {
		return s
	}
	return rounded(wide.Of(x).Acos())
}

// diagonal is near the sine of a quarter of pi; above it, the cosine is looked up.
const diagonal = 0x1.6ap-1

// angle returns the arc sine of x, from 0 to 1, as a number of parts of a circle and what is left, in two floats.
func angle(x float64) (parts, hi, lo float64) {
	upper := upperHalf(x)
	var square, more float64 // 1-x^2
	if x < diagonal {
		square, more = fastSum(1, -float64(upper*upper))
		square, more = fastSum(square, more-float64((x-upper)*(x+upper)))
	} else {
		w := 1 - x // exact
		u := upperHalf(w)
		square, more = fastSum(2*w, -float64(u*u))
		square, more = fastSum(square, more-float64((w-u)*(w+u)))
	}
	root, rootRest := rootPair(square, more)
	ru := upperHalf(root)
	rl := root - ru
	i := 0
	if x < diagonal { // the same condition as before, so that processors can predict it
		i = int(nearAngle[int(x*256)&255])
	} else {
		i = 128 - int(nearAngle[int(root*256)&255])
	}

	s, c := &sines[i&511], &sines[(i+128)&511]
	t := float64(upper*c[0]) - float64(ru*s[0]) // exact
	rest := (float64((x-upper)*c[0]) - float64((rl+rootRest)*s[0])) + (float64(x*c[1]) - float64(root*s[1]))
	t, rest = fastSum(t, rest)
	square = float64(t * t)
	tail := float64(float64(t*square) * (1./6 + float64(square*(3./40+float64(square*(15./336+float64(square*(105./3456+float64(square*(945./42240))))))))))
	return float64(i), t, rest + (tail + float64(0.5*float64(square*rest)))
}
