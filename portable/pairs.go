package portable

import "math"

// The quick phases add up a result in two floats, a pair: the first near the result, and the second what is missing.
//
// Every product that is added to something stands in a conversion to float64: the language then rounds it, and no
// compiler fuses the two. Products that must be exact have factors of 26 and 27 bits (G. W. Veltkamp and T. J. Dekker,
// 1971), which are cut off by masks.

// upperHalf returns the first 26 bits of x; x less them has 27.
func upperHalf(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
}

// fastSum returns the sum of a and b, rounded, and what it is off by; a must be zero or have no smaller exponent than b.
func fastSum(a, b float64) (sum, rest float64) {
	sum = a + b
	return sum, b - (sum - a)
}

// fullSum returns the sum of a and b, rounded, and what it is off by (D. E. Knuth).
func fullSum(a, b float64) (sum, rest float64) {
	sum = a + b
	c := sum - a
	return sum, (a - (sum - c)) + (b - c)
}

// settled rounds a pair that is off by less than a bound; false if that could be one of two floats. Callers may give it products,
// hence the conversions.
func settled(hi, lo, bound float64) (float64, bool) {
	s := hi + (float64(lo) - float64(bound))
	return s, s == hi+(float64(lo)+float64(bound))
}

// powerOf2 returns 2^k, for a normal number.
func powerOf2(k int64) float64 { return math.Float64frombits(uint64(k+1023) << 52) }
