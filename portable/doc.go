// Package portable has the functions of package math with the same results on every machine, in every build. The results of the
// standard library depend on the processor, because some functions are written in assembly, and because products may be fused
// with sums.
//
//   - Functions that say so are rounded correctly: the result is the float that is nearest to the true value. So any other library
//     that rounds correctly, in any language, has the same results.
//   - The functions of package math that are exact are here, too, so that a program needs only this package: [Floor], [Sqrt], [Mod]
//     and the like.
//   - Processors choose the sign and the bits of a NaN differently. [Signbit], [Copysign] and [Float64bits] treat all NaNs as the
//     same one: positive, with the bits of [NaN]. Other functions may return any NaN.
//   - The result of converting a float that an integer cannot hold depends on the processor, too: [Int64], [Uint32] and the like
//     return the nearest integer, and 0 for NaN.
//   - Products and quotients of complex numbers are sums of products, which processors may fuse: [MulComplex] and [QuoComplex]
//     round each product.
//
// No function allocates. Package math32 has the same for float32.
//
// # What is left out
//
// Gamma, Lgamma, Erf, Erfc and their inverses, and the Bessel functions J0 to Yn: games do not need them in a step, and rounding
// them correctly would require series of a hundred terms and more in wide numbers.
//
// # How it is done
//
// A quick phase computes a result in two floats, with an error bound: tables, short polynomials, and products without fused
// multiply-add. If all numbers within the bound round to the same float, that is the result. About one point in some thousands is
// an exception: there a slow phase computes in integers of 256 bits, at least 208 of which are right. The hardest cases of
// functions of one number require about 120 of them. If a result may itself be the middle between two floats, that is detected
// separately (Pow, Hypot and Atan2).
package portable

//go:generate go run ./internal/maketables
