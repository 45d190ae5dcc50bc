package netem

import (
	"fmt"
	"math/bits"
	"time"
)

// Distribution is the shape of the jitter: the time that a datagram takes in addition to Link.Delay. Except for None,
// all have Link.Jitter as their mean, so that a datagram takes Delay + Jitter on average.
type Distribution uint8

const (
	// None means that there is no jitter: every datagram takes exactly Link.Delay.
	None Distribution = iota
	// Uniform jitter is between 0 and twice the mean, with equal probability. A delay of "100 ms ± 10 ms" is a Delay of 90
	// ms and a Jitter of 10 ms.
	Uniform
	// Normal jitter has a bell curve from 0 to twice the mean: the sum of four uniform numbers (the Irwin-Hall
	// distribution), which is close to a normal distribution that ends at 3.46 standard deviations. Its standard deviation
	// is Jitter / √12, which is 0.29 of the mean.
	Normal
	// Exponential jitter is mostly small and sometimes large, like a wait in a queue with other traffic. Its standard
	// deviation is the mean. Values above 8 times the mean (one in 3000) are cut to that, which makes the mean 0.03%
	// smaller.
	Exponential

	distributions = iota
)

var distributionNames = [distributions]string{"none", "uniform", "normal", "exponential"}

// String returns the name in lower case.
func (d Distribution) String() string {
	if d >= distributions {
		return fmt.Sprintf("Distribution(%d)", uint8(d))
	}
	return distributionNames[d]
}

// maxExponential is the maximum of [Exponential], as a multiple of the mean.
const maxExponential = 8

// draw turns a random word into a jitter with that mean, which is at most
// [MaxDelay].
func (d Distribution) draw(mean time.Duration, word uint64) time.Duration {
	switch d {
	case Uniform:
		hi, _ := bits.Mul64(word, 2*uint64(mean)+1)
		return time.Duration(hi)
	case Normal:
		return normal(mean, word)
	case Exponential:
		return exponential(mean, word)
	default:
		return 0
	}
}

// normal adds the four 16-bit quarters of the word. With a mean of at most 2^42 ns, the product is below 2^61.
func normal(mean time.Duration, word uint64) time.Duration {
	const most = 4 * 0xFFFF
	sum := word&0xFFFF + word>>16&0xFFFF + word>>32&0xFFFF + word>>48
	return time.Duration((2*uint64(mean)*sum + most/2) / most)
}

// logBits is the number of bits of the fraction that select an entry of logTable.
const logBits = 6

// exponential inverts the distribution function: -mean × ln(u), with u = word / 2^64. It writes u as (1+f) / 2^(z+1),
// and looks up ln(1+f) in a table, with linear interpolation; the error is less than 0.00004.
func exponential(mean time.Duration, word uint64) time.Duration {
	word |= 1 // 0 has no logarithm
	z := bits.LeadingZeros64(word)
	f := word << (z & 63) << 1 // f is in units of 2^-64
	i := f >> (64 - logBits)
	between, _ := bits.Mul64(f<<logBits, logTable[i+1]-logTable[i])
	x := min(uint64(z+1)*ln2-logTable[i]-between, maxExponential<<logPoint)
	hi, lo := bits.Mul64(uint64(mean), x)
	return time.Duration(hi<<(64-logPoint) | lo>>logPoint)
}
