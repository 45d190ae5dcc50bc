package fixed

import "math/bits"

// Lerp returns a + (b-a)*t: exactly a at t = 0 and exactly b at t = [One]. The
// sum is computed without loss, then rounded once, to nearest with ties away
// from zero, and saturated once. t is not clamped: outside 0 to One it
// extrapolates.
func Lerp(a, b, t Num) Num {
	sign := t.signBits()
	if b < a {
		sign = ^sign
	}
	// b-a may need 65 bits as a signed number, hence magnitudes.
	hi, lo := bits.Mul64(absDiff(a, b), t.magnitude())
	if hi>>62 != 0 {
		// At 2^126 and above, adding a (at most 2^79 here) cannot bring the
		// result back into range, but it could overflow 128 bits.
		return saturated(sign)
	}
	step := wide{hi, lo}.negIf(sign)
	from := wide{uint64(a >> (64 - FracBits)), uint64(a) << FracBits}
	return from.add(step).narrow(FracBits)
}
