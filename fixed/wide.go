package fixed

import "math/bits"

// wide is a signed 128-bit integer in two's complement. It holds a sum of
// products exactly, so that the sum is rounded once instead of once per product.
type wide struct{ hi, lo uint64 }

// mulWide returns the exact product a * b.
func mulWide(a, b int64) wide {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// Read as unsigned, a negative factor is too large by 2^64.
	hi -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return wide{hi, lo}
}

// add returns w + v, saturated at the ends of 128 bits. Only the dot product of
// two vectors of four Min components gets there: it is 2^127.
func (w wide) add(v wide) wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	hi, _ := bits.Add64(w.hi, v.hi, carry)
	if int64((w.hi^hi)&(v.hi^hi)) < 0 {
		sign := uint64(int64(w.hi) >> 63)
		return wide{1<<63 - 1 ^ sign, ^sign}
	}
	return wide{hi, lo}
}

// negIf returns -w if sign is all ones, and w if it is zero. The most negative
// value stays as it is.
func (w wide) negIf(sign uint64) wide {
	lo, borrow := bits.Sub64(w.lo^sign, sign, 0)
	hi, _ := bits.Sub64(w.hi^sign, sign, borrow)
	return wide{hi, lo}
}

// narrow returns w / 2^shift rounded to nearest, ties away from zero, and
// saturated. The shift must lie between 1 and 63.
func (w wide) narrow(shift uint) Num {
	sign := uint64(int64(w.hi) >> 63)
	mag := w.negIf(sign) // at most 2^127 as unsigned, so the half below fits
	lo, carry := bits.Add64(mag.lo, 1<<((shift-1)&63), 0)
	hi := mag.hi + carry
	if hi>>((shift-1)&63) != 0 {
		return saturated(sign)
	}
	raw := hi<<((64-shift)&63) | lo>>(shift&63)
	return Num((raw ^ sign) - sign)
}
