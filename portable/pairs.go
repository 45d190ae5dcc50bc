package portable

import (
	"math"
	"runtime"
)

// The quick phases add up a result in two floats, a pair: the first near the result, and the second what is missing.
//
// Every product that is added to something is wrapped in a conversion to float64: the language then rounds it, and no
// compiler fuses the two. Products that must be exact have factors of 26 and 27 bits (G. W. Veltkamp and T. J. Dekker,
// 1971).

// upperHalf returns a number of 26 bits that is near x, for x up to 2^990. The difference from x has 27 bits at most, and is
// less than 2^-25 of x.
func upperHalf(x float64) float64 {
	if bitsInMemory {
		return splitHalf(x)
	}
	return maskedHalf(x)
}

// bitsInMemory says whether compiled code gets a float's bits only through memory, as in WebAssembly: there three operations
// are faster, and elsewhere a mask is.
const bitsInMemory = runtime.GOARCH == "wasm"

// maskedHalf does what upperHalf does, by cutting off everything after the first 26 bits.
func maskedHalf(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
}

// splitHalf does what upperHalf does, by rounding to 26 bits (G. W. Veltkamp). x may be a product in the caller, which the
// conversion rounds.
func splitHalf(x float64) float64 {
	x = float64(x)
	c := float64(x * (1<<27 + 1))
	return c - (c - x)
}

// fastSum returns the sum of a and b, rounded, and its rounding error; a must be zero or have no smaller exponent than
// b.
func fastSum(a, b float64) (sum, rest float64) {
	sum = a + b
	return sum, b - (sum - a)
}

// fullSum returns the sum of a and b, rounded, and its rounding error (D. E. Knuth).
func fullSum(a, b float64) (sum, rest float64) {
	sum = a + b
	c := sum - a
	return sum, (a - (sum - c)) + (b - c)
}

// settled rounds a pair that is off by less than a bound. It returns false if the result could be either of two floats. Callers
// may give it products, hence the conversions.
func settled(hi, lo, bound float64) (float64, bool) {
	s := hi + (float64(lo) - float64(bound))
	return s, s == hi+(float64(lo)+float64(bound))
}

// powerOf2 returns 2^k, for a normal number.
func powerOf2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }
