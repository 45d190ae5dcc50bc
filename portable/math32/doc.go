// Package math32 is package portable for float32: the same results on every machine, in every build, and rounded correctly where
// functions say so. Special cases are those of package math.
//
// A result is that of package portable, which is the float64 nearest to the true value. Rounding it once more goes
// wrong only where it is the middle between two of float32, to the bit: there the true value is computed in integers
// of 256 bits.
package math32
