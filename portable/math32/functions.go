package math32

import (
	"math"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/internal/wide"
)

// narrowed rounds the float64 that is nearest to the true value. It returns false if that is in the middle between two float32
// numbers: then the true value may be more or less.
func narrowed(y float64) (float32, bool) {
	r := float32(y)
	b := math.Float64bits(y)
	if math.Abs(y) >= 0x1p-126 {
		return r, b&(1<<29-1) != 1<<28
	}
	// For smaller numbers, fewer bits are kept.
	return r, y == 0 || y != y || r == float32(math.Float64frombits(b+1)) && r == float32(math.Float64frombits(b-1))
}

// decided rounds n, the true value if y is in the middle between two float32 numbers. If n does not decide, y is the
// true value.
func decided(y float64, n wide.Num) float32 {
	if x, ok := wide.Round(n, wide.Float32, wide.Sure); ok {
		return float32(x)
	}
	return float32(y)
}

// Exp returns e^x, rounded correctly.
func Exp(x float32) float32 {
	y := portable.Exp(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Exp())
}

// Exp2 returns 2^x, rounded correctly.
func Exp2(x float32) float32 {
	y := portable.Exp2(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Exp2())
}

// Expm1 returns e^x - 1, also where x is near 0, rounded correctly.
func Expm1(x float32) float32 {
	y := portable.Expm1(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Expm1())
}

// Log returns the natural logarithm of x, rounded correctly.
func Log(x float32) float32 {
	y := portable.Log(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Log())
}

// Log2 returns the binary logarithm of x, rounded correctly.
func Log2(x float32) float32 {
	y := portable.Log2(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Log2())
}

// Log10 returns the decimal logarithm of x, rounded correctly.
func Log10(x float32) float32 {
	y := portable.Log10(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Log10())
}

// Log1p returns the natural logarithm of 1 + x, also where x is near 0, rounded correctly.
func Log1p(x float32) float32 {
	y := portable.Log1p(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Log1p())
}

// Sin returns the sine of x, in radians, rounded correctly.
func Sin(x float32) float32 {
	y := portable.Sin(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Sine(float64(x), 0))
}

// Cos returns the cosine of x, in radians, rounded correctly.
func Cos(x float32) float32 {
	y := portable.Cos(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Sine(float64(x), 1))
}

// Tan returns the tangent of x, in radians, rounded correctly.
func Tan(x float32) float32 {
	y := portable.Tan(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Tangent(float64(x)))
}

// Asin returns the arc sine of x, in radians, rounded correctly.
func Asin(x float32) float32 {
	y := portable.Asin(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Asin())
}

// Acos returns the arc cosine of x, in radians, rounded correctly.
func Acos(x float32) float32 {
	y := portable.Acos(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Acos())
}

// Atan returns the arc tangent of x, in radians, rounded correctly.
func Atan(x float32) float32 {
	y := portable.Atan(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Atan())
}

// Sinh returns the hyperbolic sine of x, rounded correctly.
func Sinh(x float32) float32 {
	y := portable.Sinh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Sinh())
}

// Cosh returns the hyperbolic cosine of x, rounded correctly.
func Cosh(x float32) float32 {
	y := portable.Cosh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Cosh())
}

// Tanh returns the hyperbolic tangent of x, rounded correctly.
func Tanh(x float32) float32 {
	y := portable.Tanh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Tanh())
}

// Asinh returns the inverse hyperbolic sine of x, rounded correctly.
func Asinh(x float32) float32 {
	y := portable.Asinh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Asinh())
}

// Acosh returns the inverse hyperbolic cosine of x, rounded correctly.
func Acosh(x float32) float32 {
	y := portable.Acosh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Acosh())
}

// Atanh returns the inverse hyperbolic tangent of x, rounded correctly.
func Atanh(x float32) float32 {
	y := portable.Atanh(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Atanh())
}

// Cbrt returns the cube root of x, rounded correctly.
func Cbrt(x float32) float32 {
	y := portable.Cbrt(float64(x))
	if r, ok := narrowed(y); ok {
		return r
	}
	return decided(y, wide.Of(float64(x)).Cbrt())
}

// Sincos returns Sin(x), Cos(x).
func Sincos(x float32) (sin, cos float32) { return Sin(x), Cos(x) }

// Atan2 returns the angle of the point x, y, between -Pi and Pi, rounded correctly.
func Atan2(y, x float32) float32 {
	r, ok := narrowed(portable.Atan2(float64(y), float64(x)))
	if !ok {
		a := portable.Atan2(math.Abs(float64(y)), float64(x))
		r = Copysign(decided(a, wide.Angle(float64(y), float64(x))), y)
	}
	return r
}

// Hypot returns the square root of p^2 + q^2, rounded correctly, without overflow on the way.
func Hypot(p, q float32) float32 {
	y := portable.Hypot(float64(p), float64(q))
	if r, ok := narrowed(y); ok {
		return r
	}
	a, b := wide.Of(float64(p)), wide.Of(float64(q))
	return decided(y, a.Mul(a).Add(b.Mul(b)).Sqrt())
}

// Pow returns x^y, rounded correctly.
func Pow(x, y float32) float32 {
	p := portable.Pow(float64(x), float64(y))
	if r, ok := narrowed(p); ok {
		return r
	}
	n := wide.Of(float64(y)).Mul(wide.Of(float64(x)).Abs().Log()).Exp()
	if p < 0 {
		n = n.Neg()
	}
	return decided(p, n)
}
