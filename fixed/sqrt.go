package fixed

import "math/bits"

// Sqrt returns the square root of n rounded down: the largest Num whose exact
// square is at most n. The root of a negative n is 0.
func Sqrt(n Num) Num {
	if n <= 0 {
		return 0
	}
	// sqrt(raw / 2^16) * 2^16 = sqrt(raw * 2^16)
	return Num(isqrt128(uint64(n)>>(64-FracBits), uint64(n)<<FracBits))
}

// isqrt128 returns the floor of the square root of hi * 2^64 + lo.
//
// It takes the root of the upper half and extends it by one step of
// Zimmermann, "Karatsuba Square Root" (INRIA research report 3805, 1999): with
// b = 2^32 and n = upper*b^2 + a1*b + a0, where upper has root s and remainder
// r, divide r*b + a1 by 2s into q and u. Then s*b + q is the root of n, or one
// too many, which the sign of u*b + a0 - q^2 tells.
func isqrt128(hi, lo uint64) uint64 {
	if hi == 0 {
		return isqrt64(lo)
	}
	// An even shift halves exactly in the root. The bits that it moves into the
	// root's tail are cut off at the end, which keeps the floor.
	shift := uint(bits.LeadingZeros64(hi)) &^ 1
	hi = hi<<shift | lo>>1>>(63-shift)
	lo <<= shift

	s := isqrtTop(hi)
	r := hi - s*s // at most 2s, so less than 2^33
	a1, a0 := lo>>32, lo&(1<<32-1)
	half := r<<31 | a1>>1 // (r*b + a1) / 2, since r*b may need 65 bits
	q := half / s         // at most 2^32
	u := (half-q*s)<<1 | a1&1
	root := s<<32 + q
	// u*b + a0 and q*q both may need 65 bits.
	qHi, qLo := bits.Mul64(q, q)
	_, borrow := bits.Sub64(u<<32|a0, qLo, 0)
	_, borrow = bits.Sub64(u>>32, qHi, borrow)
	return (root - borrow) >> (shift / 2)
}

// isqrt64 returns the floor of the square root of n.
func isqrt64(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	shift := uint(bits.LeadingZeros64(n)) &^ 1
	return isqrtTop(n<<shift) >> (shift / 2)
}

// isqrtTop returns the floor of the square root of a, which must be at least
// 2^62. It divides nothing: a table gives 1/sqrt to 2^-7, one step of Halley's
// iteration brings it to 2^-19, one step of Newton's makes a root from it that
// is less than one off, and comparing its square with a settles the rest.
//
// In comments m is a / 2^64, so 1/4 <= m < 1, and x is 1/sqrt(m).
func isqrtTop(a uint64) uint64 {
	m := int64(a >> 32)                         // Q32
	x0 := int64(invSqrtTable[(a>>57-32)&127])   // Q15, within 2^-7 of x
	h := (1<<62 - m*(x0*x0)) >> 30              // Q32, 1 - m*x0^2, below 2^-5.9
	x1 := x0<<16 + (x0*(h>>1+(3*h*h)>>35))>>16  // Q31, x0 * (1 + h/2 + 3h^2/8)
	s := int64(uint64(m*x1) >> 31)              // Q32, m*x: the root, within 2^13
	d := int64(a - uint64(s*s))                 // exact modulo 2^64, below 2^47
	s += ((d >> 16) * x1) >> (31 + 32 + 1 - 16) // d / (2*sqrt(a))
	d = int64(a - uint64(s*s))                  // exact again
	// One too many if d < 0, one too few if d > 2s; without branches, since
	// neither can be predicted.
	return uint64(s + d>>63 + int64(uint64(2*s-d)>>63))
}

// invSqrtTable holds, for i from 32 to 127 at index i-32, the value
// 1/sqrt((i + 1/2) / 128) in Q15, rounded to nearest: the inverse root in the
// middle of the numbers whose top seven bits are i. The interval is at most 1/32
// of its lower end, so the middle is within 1/64 of m and its inverse root within
// 2^-7 of x. It has 128 entries, the last 32 unused, so that masking the index
// removes the bounds check.
var invSqrtTable = [128]uint16{
	0xfe06, 0xfa34, 0xf68d, 0xf30e, 0xefb3, 0xec7c, 0xe964, 0xe66b,
	0xe38e, 0xe0cc, 0xde23, 0xdb92, 0xd916, 0xd6b0, 0xd45e, 0xd21f,
	0xcff1, 0xcdd5, 0xcbc9, 0xc9cc, 0xc7dd, 0xc5fd, 0xc42a, 0xc263,
	0xc0a9, 0xbefa, 0xbd56, 0xbbbd, 0xba2f, 0xb8a9, 0xb72e, 0xb5bb,
	0xb451, 0xb2ef, 0xb196, 0xb044, 0xaef9, 0xadb6, 0xac79, 0xab43,
	0xaa14, 0xa8eb, 0xa7c7, 0xa6aa, 0xa592, 0xa480, 0xa373, 0xa26b,
	0xa168, 0xa069, 0x9f70, 0x9e7b, 0x9d8a, 0x9c9d, 0x9bb5, 0x9ad0,
	0x99f0, 0x9913, 0x983a, 0x9764, 0x9692, 0x95c4, 0x94f8, 0x9430,
	0x936b, 0x92a9, 0x91ea, 0x912e, 0x9074, 0x8fbe, 0x8f0a, 0x8e59,
	0x8daa, 0x8cfd, 0x8c54, 0x8bac, 0x8b07, 0x8a64, 0x89c3, 0x8925,
	0x8889, 0x87ee, 0x8756, 0x86c0, 0x862b, 0x8599, 0x8508, 0x8479,
	0x83ec, 0x8361, 0x82d8, 0x8250, 0x81c9, 0x8145, 0x80c2, 0x8040,
}
