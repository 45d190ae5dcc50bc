// Package portable has the functions of package math with the same results on every machine, in every build: the
// standard library's depend on the processor, by their assembly and by products that are fused with sums.
//
//   - Functions that say so are rounded correctly: the result is the float that is nearest to the true value. So any other
//     library that rounds correctly, in any language, has the same ones.
//   - Those of package math that are exact are here, too, so that a program can do with this package alone: [Floor],
//     [Sqrt], [Mod] and the like.
//   - Processors choose the sign and the bits of a NaN differently. [Signbit], [Copysign] and [Float64bits] take all NaN for
//     one: positive, with the bits of [NaN]. Other functions may return any.
//   - What a float becomes that an integer cannot hold depends on the processor, too: [Int64], [Uint32] and the like
//     give the nearest integer, and 0 for NaN.
//   - Products and quotients of complex numbers are sums of products, which processors may fuse: [MulComplex] and
//     [QuoComplex] round each.
//
// No function allocates. Package math32 has the same for float32.
//
// # What is left out
//
// Gamma, Lgamma, Erf, Erfc and their inverses, and the Bessel functions J0 to Yn: games do not need them in a
// step, and to round them correctly asks for series of a hundred terms and more in wide numbers.
//
// # How it is done
//
// A quick phase computes a result in two floats, with an error bound: tables, short polynomials, and products
// without fused multiply-add. If all numbers within the bound round to the same float, that is it: so it
// is but for one of some thousand points. Else a slow phase computes in integers of 256 bits, of which at least 208 are right. The
// hardest cases of functions of one number ask for about 120 of them. Where a result may be such a middle itself, that is found
// out apart (Pow, Hypot and Atan2).
package portable

//go:generate go run ./internal/maketables
