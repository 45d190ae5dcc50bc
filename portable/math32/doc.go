// Package math32 is package portable for float32: the same results on every machine, in every build, and rounded correctly where
// functions say so. Special cases are those of package math.
//
// A result is that of package portable, which is the float64 nearest to the true value. Rounding it again to float32 can only go
// wrong if it is exactly in the middle between two float32 numbers. In that case the true value is computed in integers of 256
// bits.
package math32
