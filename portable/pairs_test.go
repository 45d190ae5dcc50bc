package portable

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// Rule: both ways to compute upperHalf have the properties that proofs rely on: it has 26 bits, and the rest has at
// most 27 and is less than 2^-25 of the number. So products of halves are exact, and functions have the same results
// with either way.
func TestHalvesAreShort(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 11))
	length := func(x float64) int {
		b := math.Float64bits(x)&(1<<52-1) | 1<<52
		return 53 - bits.TrailingZeros64(b)
	}
	for i := range 100_000 {
		x := math.Ldexp(2*r.Float64()-1, r.IntN(1900)-910)
		switch i % 4 {
		case 1: // all ones and all zeros are next to the places where each of the two ways rounds
			x = math.Float64frombits(math.Float64bits(x) | 1<<28 - 1)
		case 2:
			x = math.Float64frombits(math.Float64bits(x)&^(1<<28-1) | r.Uint64N(3))
		}
		if x == 0 {
			continue
		}
		for way, f := range map[string]func(float64) float64{"masked": maskedHalf, "split": splitHalf} {
			upper := f(x)
			lower := x - upper
			if length(upper) > 26 || lower != 0 && length(lower) > 27 || !(math.Abs(lower) < math.Abs(x)*0x1p-25) || upper+lower != x {
				t.Fatalf("%s: %b is %b (%d bits) and %b (%d bits)", way, x, upper, length(upper), lower, length(lower))
			}
		}
	}
}
