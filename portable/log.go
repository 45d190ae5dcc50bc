package portable

import (
	"math"

	"github.com/tickback/tickback/portable/internal/wide"
)

const (
	// ln 2 in two floats. The first one is a multiple of 2^-42, so that its product with an exponent is exact.
	ln2High, ln2Low = 0x1.62e42fefa38p-01, 0x1.ef35793c7673p-45
	// logSure is the maximum relative error of the quick phase of Log.
	logSure = 0x1.8p-68
)

// Log returns the natural logarithm of x, rounded correctly. As in package math, Log(+Inf) is +Inf, Log(0) is -Inf, and
// Log of a negative number or of NaN is NaN.
//
// It is a table of factors that bring the mantissa near 1 (P. T. P. Tang, 1990) and a polynomial, added up in two
// floats, off by less than 2^-67 of the result; where the result is too close to the middle between two floats, numbers
// of 256 bits decide.
func Log(x float64) float64 {
	bits, more, ok := normalBits(x)
	if !ok {
		return logEdge(x)
	}
	hi, lo := logPair(bits, more, 0)
	if s, ok := settled(hi, lo, logSure*math.Abs(hi)); ok {
		return s
	}
	return rounded(wide.Of(x).Log())
}

// normalBits returns the bits of a positive finite number and the amount to add to its exponent, which is not 0 if the
// number is denormal; false if x is not such a number.
func normalBits(x float64) (b uint64, exponent int64, ok bool) {
	b = math.Float64bits(x)
	if b-1<<52 < (0x7FF-1)<<52 {
		return b, 0, true
	}
	return math.Float64bits(x * 0x1p54), -54, 0 < x && x <= math.MaxFloat64
}

// logEdge returns the logarithm of an x that is not a positive finite number.
func logEdge(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	}
	return x
}

// logPair returns the logarithm of a number given by its bits and the amounts to add to its exponent and to its mantissa,
// which is between 1 and 2.
func logPair(b uint64, exponent int64, more float64) (hi, lo float64) {
	i := b >> 44 & 255
	k := int64(b>>52) - 1023 + exponent + int64((i+256-107)>>8) // plus one from the 107th interval on
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	l := &logs[i]
	upper := upperHalf(m)
	// Each of these products is exact, and so is the sum of z and its rest.
	z1, z2 := float64(upper*l[0])-1, float64((m-upper)*l[0])
	z := z1 + z2
	zrest := (z1 - z) + z2 + float64(more*l[0])
	first := float64(float64(k)*ln2High) + l[1] // exact
	half, rest := logHalf(z, zrest)
	return logSum(first, z, half, float64(float64(k)*ln2Low)+l[2]+zrest-rest+logTail(z))
}

// logSum returns first + z - half + low, adding first and z without loss; first is zero, or larger than z.
//
// logHalf, logTail and logSum are separate functions so that the compiler inlines them.
func logSum(first, z, half, low float64) (sum, lo float64) {
	hi, lo := fastSum(first, z)
	sum = hi - half
	lo += (hi - sum) - half
	return sum, lo + low
}

// logHalf returns (z+zrest)^2/2, minus what zrest adds to the cubic term, as the sum of two floats, the first one exact.
func logHalf(z, zrest float64) (half, rest float64) {
	upper := upperHalf(z)
	half = float64(0.5 * float64(upper*upper))
	return half, float64(zrest*(z-float64(z*z))) + float64(0.5*float64((z-upper)*(z+upper)))
}

// logTail returns ln(1+z) without the first two terms of its series, for z less than 2^-7.
func logTail(z float64) float64 {
	return float64(float64(z*float64(z*z)) * (1./3 + float64(z*(-1./4+float64(z*(1./5+float64(z*(-1./6+float64(z*(1./7+float64(z*(-1./8+float64(z*(1./9))))))))))))))
}

const (
	// log2(e) and log10(e), each in two floats. The first float has 26 bits.
	log2eUpper, log2eLower   = 0x1.715476p+0, 0x1.4ae0bf85ddf44p-26
	log10eUpper, log10eLower = 0x1.bcb7b1p-2, 0x1.49b9438ca9aaep-28
)

// Log2 returns the binary logarithm of x, rounded correctly; its special cases are those of Log.
//
// Its quick phase is that of Log, and a product: off by less than 2^-66 of the result.
func Log2(x float64) float64 {
	b, more, ok := normalBits(x)
	if !ok {
		return logEdge(x)
	}
	if b<<12 == 0 { // a power of two
		return float64(int64(b>>52) - 1023 + more)
	}
	l, rest := logPair(b, more, 0)
	hi, lo := pairTimes(l, rest, log2eUpper, log2eLower)
	if s, ok := settled(hi, lo, 2*logSure*math.Abs(hi)); ok {
		return s
	}
	return rounded(wide.Of(x).Log2())
}

// Log10 returns the decimal logarithm of x, rounded correctly; its special cases are those of Log.
//
// Its quick phase is that of Log, and a product: off by less than 2^-66 of the result.
func Log10(x float64) float64 {
	b, more, ok := normalBits(x)
	if !ok {
		return logEdge(x)
	}
	l, rest := logPair(b, more, 0)
	hi, lo := pairTimes(l, rest, log10eUpper, log10eLower)
	if s, ok := settled(hi, lo, 2*logSure*math.Abs(hi)); ok {
		return s
	}
	return rounded(wide.Of(x).Log10())
}

// pairTimes multiplies a pair by a number given in two floats, the first of which has 26 bits.
func pairTimes(l, rest, by, byRest float64) (hi, lo float64) {
	upper := upperHalf(l)
	lower := (l - upper) + rest
	return float64(upper * by), float64(lower*by) + float64((upper+lower)*byRest)
}

// Log1p returns the natural logarithm of 1 + x, rounded correctly, also where x is near 0. As in package math, Log1p(+Inf)
// is +Inf, Log1p(±0) is ±0, Log1p(-1) is -Inf, and Log1p(x) is NaN if x is less than -1 or NaN.
//
// Its quick phase is that of Log: off by less than 2^-67 of the result.
func Log1p(x float64) float64 {
	if !(-1 < x && x <= math.MaxFloat64) || x == 0 {
		return log1pEdge(x)
	}
	hi, lo := log1pPair(x, 0)
	if s, ok := settled(hi, lo, logSure*math.Abs(hi)); ok {
		return s
	}
	return rounded(wide.Of(x).Log1p())
}

// log1pPair returns ln(1 + x + more).
func log1pPair(x, more float64) (hi, lo float64) {
	if math.Abs(x) < 0x1p-8 {
		half, rest := logHalf(x, more)
		return logSum(0, x, half, more-rest+logTail(x))
	}
	sum, rest := fullSum(1, x)
	b, add := mantissa(sum, rest+more)
	return logPair(b, 0, add)
}

func log1pEdge(x float64) float64 {
	switch {
	case x == -1:
		return math.Inf(-1)
	case !(x > -1):
		return math.NaN()
	}
	return x
}
