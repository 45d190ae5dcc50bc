package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func bigWide(w wide) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(int64(w.hi)), 64)
	return v.Add(v, new(big.Int).SetUint64(w.lo))
}

func anyWide() *rapid.Generator[wide] {
	return rapid.Custom(func(t *rapid.T) wide {
		return wide{uint64(anyNum().Draw(t, "hi")), uint64(anyNum().Draw(t, "lo"))}
	})
}

// Rule: narrow rounds to nearest, ties away from zero, at every shift, and
// saturates.
func TestNarrowRoundsAtEveryShift(t *testing.T) {
	check(t, func(t *rapid.T) {
		w := anyWide().Draw(t, "w")
		shift := uint(rapid.IntRange(1, 63).Draw(t, "shift"))
		same(t, w.narrow(shift), nearest(bigWide(w), new(big.Int).Lsh(big.NewInt(1), shift)))
	})
}

// Rule: products are exact, sums saturate at the ends of 128 bits.
func TestWideSumSaturates(t *testing.T) {
	top := new(big.Int).Lsh(big.NewInt(1), 127)
	check(t, func(t *rapid.T) {
		n, m := anyNum().Draw(t, "n"), anyNum().Draw(t, "m")
		if got := bigWide(mulWide(int64(n), int64(m))); got.Cmp(mul(bigInt(n), bigInt(m))) != 0 {
			t.Fatalf("product = %v", got)
		}
		w, v := anyWide().Draw(t, "w"), anyWide().Draw(t, "v")
		want := add(bigWide(w), bigWide(v))
		if want.Cmp(top) >= 0 {
			want = sub(top, big.NewInt(1))
		} else if low := new(big.Int).Neg(top); want.Cmp(low) < 0 {
			want = low
		}
		if got := bigWide(w.add(v)); got.Cmp(want) != 0 {
			t.Fatalf("sum = %v, want %v", got, want)
		}
	})
}
