package wide

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact returns the number without loss.
func (n Num) exact() *big.Float {
	m := new(big.Int)
	for i := limbs - 1; i >= 0; i-- {
		m.Or(m.Lsh(m, 64), new(big.Int).SetUint64(n.m[i]))
	}
	f := new(big.Float).SetPrec(2000).SetInt(m)
	f.SetMantExp(f, n.exp-Bits)
	if n.neg {
		f.Neg(f)
	}
	return f
}

// off returns the error of got in units of its last bit, which is huge if got is zero and want is not.
func off(got Num, want *big.Float) float64 {
	d := new(big.Float).SetPrec(2000).Sub(got.exact(), want)
	if d.Sign() == 0 {
		return 0
	}
	f, _ := d.SetMantExp(d, Bits-got.exp).Abs(d).Float64()
	return f
}

// drawn returns a number, often with long runs of equal bits.
func drawn(r *rand.Rand) (n Num) {
	for i := range n.m {
		switch n.m[i] = r.Uint64(); r.IntN(4) {
		case 0:
			n.m[i] = 0
		case 1:
			n.m[i] = ^uint64(0)
		}
	}
	n.m[limbs-1] |= 1 << 63
	n.neg, n.exp = r.IntN(2) == 0, r.IntN(9)-4
	if r.IntN(3) == 0 {
		n.exp = r.IntN(1000) - 500
	}
	return n
}

func valid(t *testing.T, n Num) {
	t.Helper()
	if n.m[limbs-1]>>63 == 0 && n != (Num{}) {
		t.Fatalf("%+v is no number", n)
	}
}

// Rule: the error of each operation is less than documented, even with cancellation.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide := func() *big.Float { return new(big.Float).SetPrec(2000) }
	for range 20000 {
		a, b := drawn(r), drawn(r)
		if r.IntN(3) == 0 {
			b = a.Neg()
			b.m[r.IntN(limbs)] ^= 1 << r.IntN(63)
			b.exp += r.IntN(3) - 1
		}
		x, y := a.exact(), b.exact()
		for what, c := range map[string]struct {
			got  Num
			want *big.Float
			most float64
		}{
			"a + b": {a.Add(b), wide().Add(x, y), 1},
			"a - b": {a.Sub(b), wide().Sub(x, y), 1},
			"a * b": {a.Mul(b), wide().Mul(x, y), 2},
			"1 / b": {b.Inverse(), wide().Quo(big.NewFloat(1), y), 256},
			"a / b": {a.Quo(b), wide().Quo(x, y), 512},
			"a / 7": {a.Over(7), wide().Quo(x, big.NewFloat(7)), 2},
		} {
			valid(t, c.got)
			if d := off(c.got, c.want); d > c.most { // it is rounded
				t.Fatalf("%s is off by %g units: %v and %v", what, d, x, y)
			}
		}
		if a.Less(b) != (x.Cmp(y) < 0) {
			t.Fatalf("%v < %v", x, y)
		}
	}
}

// Rule: integers are exact.
func TestIntegers(t *testing.T) {
	for _, i := range []int64{0, 1, -1, 2, 3, -7, 1 << 40, -1 << 63, 1<<63 - 1} {
		n := Int(i)
		valid(t, n)
		if n.exact().Cmp(new(big.Float).SetInt64(i)) != 0 {
			t.Errorf("%d is %v", i, n.exact())
		}
	}
}
