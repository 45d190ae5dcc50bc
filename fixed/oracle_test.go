package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// The oracle: math/big versions of every rule, and the inputs to try them on.

// edges are the values at which arithmetic changes its mind.
var edges = []Num{
	0, 1, -1, 2, -2, Half, -Half, Half + 1, Half - 1, One, -One, One + 1, One - 1,
	-One - 1, Pi, -Pi, HalfPi, TwoPi, Max, Max - 1, Max - Half, Max - Half + 1,
	Max - One, Max - One + 1, Min, Min + 1, Min + Half, Min + One, Max / 2, Min / 2,
}

// anyNum draws Nums of all sizes, with the ends and the neighbours of powers of
// two far more often than chance would.
func anyNum() *rapid.Generator[Num] {
	return rapid.OneOf(
		rapid.SampledFrom(edges),
		rapid.Custom(func(t *rapid.T) Num {
			near := Num(rapid.Int64Range(-2, 2).Draw(t, "off"))
			n := Num(1)<<rapid.IntRange(0, 63).Draw(t, "exp") + near
			if rapid.Bool().Draw(t, "neg") {
				n = -n
			}
			return n
		}),
		rapid.Map(rapid.Int64Range(-1000*int64(One), 1000*int64(One)), fromRaw),
		rapid.Map(rapid.Int64(), fromRaw),
		rapid.Custom(func(t *rapid.T) Num {
			return Num(int64(rapid.Uint64().Draw(t, "bits")) >> rapid.IntRange(0, 63).Draw(t, "shift"))
		}),
	)
}

func fromRaw(raw int64) Num { return Num(raw) }

func anyVec() *rapid.Generator[Vec2] {
	return rapid.Custom(func(t *rapid.T) Vec2 {
		return Vec2{anyNum().Draw(t, "x"), anyNum().Draw(t, "y")}
	})
}

// check runs a property, fewer times with -short.
func check(t *testing.T, prop func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, prop)
	if testing.Short() {
		return
	}
	for range 50 {
		rapid.Check(t, prop)
	}
}

// same fails unless got is want, the operation's exact result in raw units,
// saturated.
func same(t *rapid.T, got Num, want *big.Int) {
	t.Helper()
	if w := clampBig(want); got != w {
		t.Fatalf("got %d, want %d (raw)", int64(got), int64(w))
	}
}

// clampBig saturates a raw view.
func clampBig(raw *big.Int) Num {
	switch {
	case raw.IsInt64():
		return Num(raw.Int64())
	case raw.Sign() < 0:
		return Min
	}
	return Max
}

func bigInt(n Num) *big.Int { return big.NewInt(int64(n)) }

func mul(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
func add(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
func sub(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }
func shl(a *big.Int) *big.Int    { return new(big.Int).Lsh(a, FracBits) }

// nearest returns p/q rounded to nearest, ties away from zero, for q != 0.
func nearest(p, q *big.Int) *big.Int {
	sign := p.Sign() * q.Sign()
	p, q = new(big.Int).Abs(p), new(big.Int).Abs(q)
	twice := new(big.Int).Lsh(p, 1)
	quo := new(big.Int).Quo(add(twice, q), new(big.Int).Lsh(q, 1))
	return quo.Mul(quo, big.NewInt(int64(sign)))
}

// unscale divides a product of raw views by 2^16, rounded as Mul.
func unscale(p *big.Int) *big.Int { return nearest(p, bigInt(One)) }

// quotient is the rule of Div, zero divisor included.
func quotient(p, q *big.Int) *big.Int {
	if q.Sign() == 0 {
		return mul(big.NewInt(int64(p.Sign())), new(big.Int).Lsh(big.NewInt(1), 100))
	}
	return nearest(shl(p), q)
}

// splitmix is the generator of Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators" (2014).
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// num returns Nums of all magnitudes alike.
func (s *splitmix) num() Num {
	return Num(int64(s.next()) >> (s.next() & 63))
}
