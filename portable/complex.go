package portable

import "math"

// MulComplex returns x*y, as the language defines it without fusing: each of the four products is rounded.
func MulComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// QuoComplex returns x/y, as Go computes it without fusing: with the method of R. L. Smith (1962), and the special cases of C99
// (G.5.1) for infinities, zeros and NaN. Every NaN counts as positive.
func QuoComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	var e, f float64
	if math.Abs(c) >= math.Abs(d) {
		ratio := d / c
		whole := c + float64(ratio*d)
		e, f = (a+float64(b*ratio))/whole, (b-float64(a*ratio))/whole
	} else {
		ratio := c / d
		whole := d + float64(ratio*c)
		e, f = (float64(a*ratio)+b)/whole, (float64(b*ratio)-a)/whole
	}
	if e == e || f == f {
		return complex(e, f)
	}
	switch {
	case y == 0 && (a == a || b == b):
		inf := Copysign(math.Inf(1), c)
		return complex(float64(inf*a), float64(inf*b))
	case (isInf(a) || isInf(b)) && isFinite(c) && isFinite(d):
		a, b = infiniteAsOne(a), infiniteAsOne(b)
		return complex(math.Inf(1)*(float64(a*c)+float64(b*d)), math.Inf(1)*(float64(b*c)-float64(a*d)))
	case (isInf(c) || isInf(d)) && isFinite(a) && isFinite(b):
		c, d = infiniteAsOne(c), infiniteAsOne(d)
		return complex(0*(float64(a*c)+float64(b*d)), 0*(float64(b*c)-float64(a*d)))
	}
	return complex(e, f)
}

func isInf(x float64) bool    { return math.Abs(x) > math.MaxFloat64 }
func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// infiniteAsOne returns 1 for an infinity and otherwise 0, with the sign of x.
func infiniteAsOne(x float64) float64 {
	if isInf(x) {
		return Copysign(1, x)
	}
	return Copysign(0, x)
}
