package portable

import "math"

// This file has the functions of package math that are exact, and therefore the same everywhere, and those that show the
// sign or the bits of a NaN. Processors choose these differently; here all NaNs are the same.

// nanBits are the bits of the only NaN: quiet and positive.
const nanBits = 0x7FF8000000000001

// Abs returns the absolute value of x.
func Abs(x float64) float64 { return math.Abs(x) }

// Ceil returns the smallest integer that is not less than x.
func Ceil(x float64) float64 { return math.Ceil(x) }

// Copysign returns x with the sign of another number. A NaN as sign counts as positive, and a NaN as x stays a NaN.
func Copysign(x, sign float64) float64 {
	switch {
	case x != x:
		return math.NaN()
	case sign != sign:
		return math.Abs(x)
	}
	return math.Copysign(x, sign)
}

// Dim returns x - y, or 0 if that is less. (The conversions round arguments that are products, since the compiler may inline Dim.)
func Dim(x, y float64) float64 { return math.Dim(float64(x), float64(y)) }

// FMA returns x*y + z, rounded once.
func FMA(x, y, z float64) float64 { return math.FMA(x, y, z) }

// Float64bits returns the bits of x, and those of NaN() for every NaN.
func Float64bits(x float64) uint64 {
	if x != x {
		return nanBits
	}
	return math.Float64bits(x)
}

// Float64frombits returns the float that has these bits.
func Float64frombits(b uint64) float64 { return math.Float64frombits(b) }

// Floor returns the largest integer that is not more than x.
func Floor(x float64) float64 { return math.Floor(x) }

// Frexp returns a fraction, from 1/2 to 1, and a power of two, whose product is x.
func Frexp(x float64) (fraction float64, exponent int) { return math.Frexp(x) }

// Ilogb returns the binary exponent of x.
func Ilogb(x float64) int { return math.Ilogb(x) }

// Inf returns positive infinity if sign is not negative, otherwise negative infinity.
func Inf(sign int) float64 { return math.Inf(sign) }

// IsInf reports whether x is an infinity with the given sign, or any infinity if sign is 0.
func IsInf(x float64, sign int) bool { return math.IsInf(x, sign) }

// IsNaN reports whether x is not a number.
func IsNaN(x float64) bool { return x != x }

// Ldexp returns a fraction times a power of two.
func Ldexp(fraction float64, exponent int) float64 { return math.Ldexp(fraction, exponent) }

// Logb returns the binary exponent of x.
func Logb(x float64) float64 { return math.Logb(x) }

// Max returns the larger of x and y: +Inf if one of them is +Inf, otherwise NaN if one is NaN.
func Max(x, y float64) float64 {
	switch {
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x != x || y != y: // on riscv64, package math does not recognize a signaling NaN
		return math.NaN()
	}
	return math.Max(x, y)
}

// Min returns the smaller of x and y: -Inf if one of them is -Inf, otherwise NaN if one is NaN.
func Min(x, y float64) float64 {
	switch {
	case x < -math.MaxFloat64 || y < -math.MaxFloat64:
		return math.Inf(-1)
	case x != x || y != y:
		return math.NaN()
	}
	return math.Min(x, y)
}

// Mod returns the remainder of x/y, with the sign of x.
func Mod(x, y float64) float64 { return math.Mod(x, y) }

// Modf returns the integer part and the fraction of x, both with the sign of x.
func Modf(x float64) (integer, fraction float64) { return math.Modf(float64(x)) }

// NaN returns a NaN.
func NaN() float64 { return math.NaN() }

// Nextafter returns the next float after x, towards y.
func Nextafter(x, y float64) float64 { return math.Nextafter(x, y) }

// Pow10 returns 10^n, rounded correctly, which math.Pow10 is not for all n.
func Pow10(n int) float64 { return Pow(10, float64(n)) }

// Remainder returns the difference between x and the nearest multiple of y.
func Remainder(x, y float64) float64 { return math.Remainder(x, y) }

// Round returns the nearest integer; of two equally near ones, the one further from 0.
func Round(x float64) float64 { return math.Round(x) }

// RoundToEven returns the nearest integer; of two equally near ones, the even one.
func RoundToEven(x float64) float64 { return math.RoundToEven(x) }

// Signbit reports whether x is negative or -0; for a NaN it returns false.
func Signbit(x float64) bool { return x == x && math.Signbit(x) }

// Sqrt returns the square root of x, rounded correctly.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Trunc returns x without its fraction.
func Trunc(x float64) float64 { return math.Trunc(x) }
