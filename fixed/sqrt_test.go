package fixed

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// Rule: Sqrt is the integer floor of the true root, and 0 for negatives.
func TestSqrtIsFloorOfTheRoot(t *testing.T) {
	check(t, func(t *rapid.T) {
		n := anyNum().Draw(t, "n")
		want := new(big.Int)
		if n > 0 {
			want.Sqrt(shl(bigInt(n)))
		}
		same(t, Sqrt(n), want)
	})
}

// Rule: isqrt128 is the floor of the root for any 128-bit number.
func TestIsqrtIsFloorOfTheRoot(t *testing.T) {
	check(t, func(t *rapid.T) {
		w := anyWide().Draw(t, "n")
		n := new(big.Int).Lsh(new(big.Int).SetUint64(w.hi), 64)
		n.Add(n, new(big.Int).SetUint64(w.lo))
		if got, want := isqrt128(w.hi, w.lo), new(big.Int).Sqrt(n).Uint64(); got != want {
			t.Fatalf("isqrt128(%#x, %#x) = %d, want %d", w.hi, w.lo, got, want)
		}
	})
}

// Rule: around the square of s the root steps from s-1 to s and not elsewhere.
func TestIsqrtStepsAtSquares(t *testing.T) {
	rng := splitmix(1)
	try := func(s uint64) {
		hi, lo := bits.Mul64(s, s)
		if got := isqrt128(hi, lo); got != s {
			t.Fatalf("root of %d^2 = %d", s, got)
		}
		lo, borrow := bits.Sub64(lo, 1, 0)
		if got := isqrt128(hi-borrow, lo); got != s-1 {
			t.Fatalf("root of %d^2-1 = %d", s, got)
		}
	}
	for shift := range 64 {
		for range 500 {
			try(rng.next()>>shift | 1)
		}
		try(math.MaxUint64 >> shift)
		try(1 << shift)
		try(1<<shift + 1)
	}
}

// Rule: the raw root of isqrtTop is right at both ends of each table interval
// and in the middle, where its seed is worst and best.
func TestIsqrtTopOverTheTable(t *testing.T) {
	for i := uint64(32); i < 128; i++ {
		for _, a := range []uint64{i << 57, i<<57 + 1, i<<57 + 1<<56, (i+1)<<57 - 1} {
			want := new(big.Int).Sqrt(new(big.Int).SetUint64(a)).Uint64()
			if got := isqrtTop(a); got != want {
				t.Errorf("isqrtTop(%#x) = %d, want %d", a, got, want)
			}
		}
	}
}

// Rule: the seed table is what its comment says.
func TestInvSqrtTableIsDerived(t *testing.T) {
	for i := int64(32); i < 128; i++ {
		// floor(sqrt(4 * 2^30 * 256/(2i+1))) is twice the entry, before rounding.
		q := new(big.Int).Quo(big.NewInt(4<<30*256), big.NewInt(2*i+1))
		want := (q.Sqrt(q).Uint64() + 1) / 2
		if got := uint64(invSqrtTable[i-32]); got != want {
			t.Errorf("entry %d = %#x, want %#x", i, got, want)
		}
	}
}
