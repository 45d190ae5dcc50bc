package netem

import "math/bits"

// maxFlips is the maximum number of bits that [FlipBits] flips. One flipped bit reveals a missing check, and several
// bits a weak one.
const maxFlips = 4

// FlipBits corrupts a datagram in place: it flips one to four bits, chosen by the damage of a [Fate]. A datagram that
// is not empty is always changed.
func FlipBits(datagram []byte, damage uint64) {
	n := uint64(len(datagram)) * 8
	if n == 0 {
		return
	}
	first := below(n, mix(damage))
	flip(datagram, first)
	for i := range damage >> 1 % maxFlips {
		// Choose any bit except the first one, so that the first stays flipped.
		flip(datagram, (first+1+below(n-1, mix(damage+(i+1)*golden)))%n)
	}
}

func flip(b []byte, bit uint64) { b[bit/8] ^= 1 << (bit % 8) }

// below returns a number less than n, derived from a random word.
func below(n, word uint64) uint64 {
	hi, _ := bits.Mul64(word, n)
	return hi
}
