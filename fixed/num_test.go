package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Rule: the circle constants are the nearest Nums to pi, pi/2 and 2 pi, and the
// literal they all come from is pi.
func TestCircleConstantsAreNearest(t *testing.T) {
	pi := bigPi()
	scaled, _ := new(big.Float).SetMantExp(pi, piBits).Int(nil)
	literal, _ := new(big.Int).SetString("3243F6A8885A308D313198A2E03707344", 16)
	if scaled.Cmp(literal) != 0 {
		t.Fatalf("pi * 2^128 is %x", scaled)
	}
	for name, c := range map[string]struct {
		got Num
		exp int
	}{"Pi": {Pi, 0}, "HalfPi": {HalfPi, -1}, "TwoPi": {TwoPi, 1}} {
		want := nearestInt(new(big.Float).SetMantExp(pi, FracBits+c.exp))
		if int64(c.got) != want {
			t.Errorf("%s = raw %d, want %d", name, int64(c.got), want)
		}
	}
}

// Rule: constants of type Num can be computed by the compiler and compared and
// switched on natively.
func TestConstantsAndSwitchWork(t *testing.T) {
	const gravity = -One / 25
	switch gravity {
	case -2621:
	default:
		t.Fatalf("-One/25 = raw %d", int64(gravity))
	}
	if min(One, Half) != Half || max(One, Half) != One {
		t.Fatal("built-in min and max do not order Nums")
	}
}

// Rule: FromInt saturates, and Int brings back every integer that fits.
func TestFromIntSaturates(t *testing.T) {
	check(t, func(t *rapid.T) {
		i := int64(anyNum().Draw(t, "i"))
		got := FromInt(i)
		same(t, got, shl(big.NewInt(i)))
		if i == i<<FracBits>>FracBits && got.Int() != i {
			t.Fatalf("FromInt(%d).Int() = %d", i, got.Int())
		}
	})
}

// Rule: Int rounds down.
func TestIntRoundsDown(t *testing.T) {
	for n, want := range map[Num]int64{
		-Half: -1, Half: 0, -1: -1, One: 1, One - 1: 0, -One: -1, -One - 1: -2,
		Max: 1<<47 - 1, Min: -1 << 47,
	} {
		if got := n.Int(); got != want {
			t.Errorf("(%v).Int() = %d, want %d", n, got, want)
		}
	}
}

// Rule: FromRatio is the nearest Num to p/q, ties away from zero, and saturates
// by the sign of p if q is zero.
func TestFromRatioIsNearest(t *testing.T) {
	check(t, func(t *rapid.T) {
		p, q := int64(anyNum().Draw(t, "p")), int64(anyNum().Draw(t, "q"))
		same(t, FromRatio(p, q), quotient(big.NewInt(p), big.NewInt(q)))
	})
}
