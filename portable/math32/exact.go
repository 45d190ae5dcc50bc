package math32

import (
	"math"

	"github.com/tickback/tickback/portable"
)

// Abs returns the absolute value of x.
func Abs(x float32) float32 { return float32(math.Abs(float64(x))) }

// Ceil returns the smallest integer that is not less than x.
func Ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// Copysign returns x with the sign of another number. A NaN as sign counts as positive, and a NaN as x stays a NaN.
func Copysign(x, sign float32) float32 {
	return float32(portable.Copysign(float64(x), float64(sign)))
}

// Dim returns x - y, or 0 if that is less.
func Dim(x, y float32) float32 {
	if d := x - y; !(d <= 0) {
		return d
	}
	return 0
}

// FMA returns x*y + z, rounded once.
func FMA(x, y, z float32) float32 {
	p, a := float64(x)*float64(y), float64(z) // exact: 48 bits
	sum := p + a
	c := sum - p
	rest := (p - (sum - c)) + (a - c) // the error of the sum
	if b := math.Float64bits(sum); rest < 0 || rest > 0 {
		// The last bit is made odd: then rounding twice gives the same result as rounding once.
		if b&1 == 0 {
			if (rest > 0) == (sum > 0) {
				b++
			} else {
				b--
			}
		}
		sum = math.Float64frombits(b)
	}
	return float32(sum)
}

// Float32bits returns the bits of x, and those of NaN() for every NaN.
func Float32bits(x float32) uint32 {
	if x != x {
		return nanBits
	}
	return math.Float32bits(x)
}

// nanBits are the bits of the only NaN: quiet and positive.
const nanBits = 0x7FC00000

// Float32frombits returns the float that has these bits.
func Float32frombits(b uint32) float32 { return math.Float32frombits(b) }

// Floor returns the largest integer that is not more than x.
func Floor(x float32) float32 { return float32(math.Floor(float64(x))) }

// Frexp returns a fraction, from 1/2 to 1, and a power of two, whose product is x.
func Frexp(x float32) (fraction float32, exponent int) {
	f, e := math.Frexp(float64(x))
	return float32(f), e
}

// FromInt64 returns i, rounded once. A conversion on 32-bit machines does not always do so.
func FromInt64(i int64) float32 {
	if i < 0 {
		return -FromUint64(-uint64(i))
	}
	return FromUint64(uint64(i))
}

// FromUint64 returns u, rounded once. A conversion on 32-bit machines does not always do so.
func FromUint64(u uint64) float32 {
	if u < 1<<53 {
		return float32(float64(u))
	}
	kept := u >> 11
	if u&(1<<11-1) != 0 {
		kept |= 1 // odd: then rounding it gives the same result as rounding all bits
	}
	return float32(float64(float64(kept) * (1 << 11)))
}

// Inf returns positive infinity if sign is not negative, otherwise negative infinity.
func Inf(sign int) float32 { return float32(math.Inf(sign)) }

// IsInf reports whether x is an infinity with the given sign, or any infinity if sign is 0.
func IsInf(x float32, sign int) bool { return math.IsInf(float64(x), sign) }

// IsNaN reports whether x is not a number.
func IsNaN(x float32) bool { return x != x }

// Ldexp returns a fraction times a power of two, rounded once.
func Ldexp(fraction float32, exponent int) float32 {
	return float32(math.Ldexp(float64(fraction), exponent))
}

// Max returns the larger of x and y: +Inf if one of them is +Inf, otherwise NaN if one is NaN.
func Max(x, y float32) float32 { return float32(math.Max(float64(x), float64(y))) }

// Min returns the smaller of x and y: -Inf if one of them is -Inf, otherwise NaN if one is NaN.
func Min(x, y float32) float32 { return float32(math.Min(float64(x), float64(y))) }

// Mod returns the remainder of x/y, with the sign of x.
func Mod(x, y float32) float32 { return float32(math.Mod(float64(x), float64(y))) }

// Modf returns the integer part and the fraction of x, both with the sign of x.
func Modf(x float32) (integer, fraction float32) {
	i, f := math.Modf(float64(x))
	return float32(i), float32(f)
}

// NaN returns a NaN.
func NaN() float32 { return math.Float32frombits(nanBits) }

// Nextafter returns the next float after x, towards y.
func Nextafter(x, y float32) float32 { return math.Nextafter32(x, y) }

// Remainder returns the difference between x and the nearest multiple of y.
func Remainder(x, y float32) float32 { return float32(math.Remainder(float64(x), float64(y))) }

// Round returns the nearest integer; of two equally near ones, the one further from 0.
func Round(x float32) float32 { return float32(math.Round(float64(x))) }

// RoundToEven returns the nearest integer; of two equally near ones, the even one.
func RoundToEven(x float32) float32 { return float32(math.RoundToEven(float64(x))) }

// Signbit reports whether x is negative or -0; for a NaN it returns false.
func Signbit(x float32) bool { return x == x && math.Signbit(float64(x)) }

// Sqrt returns the square root of x, rounded correctly: the float64 root is never exactly in the middle between two
// float32 numbers.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// Trunc returns x without its fraction.
func Trunc(x float32) float32 { return float32(math.Trunc(float64(x))) }
