package wide

import "math/bits"

// bitsOf returns 64 bits of 2/pi, beginning at the given bit after the point; bits before the point are
// zero.
func bitsOf(at int) (b uint64) {
	word, rest := at>>6, uint(at&63)
	get := func(i int) uint64 {
		if i < 0 || i >= len(twoOverPi) {
			return 0
		}
		return twoOverPi[i]
	}
	return get(word)<<rest | get(word+1)>>1>>(63-rest)
}

// mulAdd returns x*y + carry.
func mulAdd(x, y, carry uint64) (low, high uint64) {
	high, low = bits.Mul64(x, y)
	low, c := bits.Add64(low, carry, 0)
	return low, high + c
}

// fraction returns 0.w with as many bits as a number has, w with its first word first.
func fraction(w *[10]uint64, neg bool) (n Num) {
	first := 0
	for first < len(w) && w[first] == 0 {
		first++
	}
	if first == len(w) {
		return n
	}
	z := uint(bits.LeadingZeros64(w[first]))
	n.neg, n.exp = neg, -64*first-int(z)
	for i := range limbs {
		var hi, lo uint64
		if j := first + i; j < len(w) {
			hi = w[j]
		}
		if j := first + i + 1; j < len(w) {
			lo = w[j]
		}
		n.m[limbs-1-i] = hi<<z | lo>>1>>(63-z)
	}
	return n
}
