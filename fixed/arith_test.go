package fixed

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Rule: Add, Sub, Neg and Abs are exact, and saturate at the ends.
func TestAddSubNegAbsSaturate(t *testing.T) {
	check(t, func(t *rapid.T) {
		n, m := anyNum().Draw(t, "n"), anyNum().Draw(t, "m")
		same(t, n.Add(m), add(bigInt(n), bigInt(m)))
		same(t, n.Sub(m), sub(bigInt(n), bigInt(m)))
		same(t, n.Neg(), new(big.Int).Neg(bigInt(n)))
		same(t, n.Abs(), new(big.Int).Abs(bigInt(n)))
		if n.Sign() != bigInt(n).Sign() {
			t.Fatalf("Sign = %d", n.Sign())
		}
	})
}

// Rule: Mod has the sign of the dividend and is 0 for a zero divisor.
func TestModTruncates(t *testing.T) {
	check(t, func(t *rapid.T) {
		n, m := anyNum().Draw(t, "n"), anyNum().Draw(t, "m")
		want := new(big.Int)
		if m != 0 {
			want.Rem(bigInt(n), bigInt(m))
		}
		same(t, n.Mod(m), want)
	})
}

// Rule: Clamp lies between the limits, and lo wins if they are out of order.
func TestClampLimits(t *testing.T) {
	for _, c := range []struct{ n, lo, hi, want Num }{
		{5, 0, 10, 5}, {-5, 0, 10, 0}, {15, 0, 10, 10}, {5, 10, 0, 10}, {Min, Min, Max, Min},
	} {
		if got := c.n.Clamp(c.lo, c.hi); got != c.want {
			t.Errorf("Num(%d).Clamp(%d, %d) = %d, want %d", c.n, c.lo, c.hi, got, c.want)
		}
	}
}

// Rule: Mul and Div round to nearest with ties away from zero, once, and
// saturate; division by zero goes by the sign of the dividend.
func TestMulDivAreNearest(t *testing.T) {
	check(t, func(t *rapid.T) {
		n, m := anyNum().Draw(t, "n"), anyNum().Draw(t, "m")
		same(t, n.Mul(m), unscale(mul(bigInt(n), bigInt(m))))
		same(t, n.Div(m), quotient(bigInt(n), bigInt(m)))
	})
}

// Rule: as TestMulDivAreNearest, for every pair of edge values.
func TestMulDivAtEveryEdge(t *testing.T) {
	for _, n := range edges {
		for _, m := range edges {
			if got, want := n.Mul(m), clampBig(unscale(mul(bigInt(n), bigInt(m)))); got != want {
				t.Errorf("raw %d * %d = %d, want %d", n, m, got, want)
			}
			if got, want := n.Div(m), clampBig(quotient(bigInt(n), bigInt(m))); got != want {
				t.Errorf("raw %d / %d = %d, want %d", n, m, got, want)
			}
		}
	}
}

// Rule: ties go away from zero on both sides.
func TestTiesGoAwayFromZero(t *testing.T) {
	for _, c := range []struct{ got, want Num }{
		{Num(1).Mul(Half), 1},
		{Num(-1).Mul(Half), -1},
		{Num(3).Mul(Half), 2},
		{Num(-3).Mul(Half), -2},
		{Num(1).Div(2 * One), 1},
		{Num(-1).Div(2 * One), -1},
		{FromRatio(-1, 1<<17), -1},
		{Lerp(0, -1, Half), -1},
		{Lerp(0, 1, Half), 1},
		{Half.Round(), One},
		{(-Half).Round(), -One},
	} {
		if c.got != c.want {
			t.Errorf("got raw %d, want %d", c.got, c.want)
		}
	}
}

// Rule: products and quotients commute with a change of sign, so that mirrored
// players behave alike.
func TestMulDivAreSymmetric(t *testing.T) {
	check(t, func(t *rapid.T) {
		n, m := anyNum().Draw(t, "n"), anyNum().Draw(t, "m")
		if p := n.Mul(m); n != Min && p.Abs() != Max && n.Neg().Mul(m) != -p {
			t.Fatalf("(-n)*m = %d, -(n*m) = %d", n.Neg().Mul(m), -p)
		}
		if q := n.Div(m); n != Min && q.Abs() != Max && n.Neg().Div(m) != -q {
			t.Fatalf("(-n)/m = %d, -(n/m) = %d", n.Neg().Div(m), -q)
		}
		if n.Mul(m) != m.Mul(n) || n.Mul(One) != n || n.Div(One) != n {
			t.Fatal("Mul does not commute, or One is not neutral")
		}
	})
}

// Rule: Lerp is the exact a + (b-a)*t, rounded once; its ends are exact, and a
// change of sign of both ends changes the sign of the result.
func TestLerpIsExactThenRounded(t *testing.T) {
	check(t, func(t *rapid.T) {
		a, b := anyNum().Draw(t, "a"), anyNum().Draw(t, "b")
		f := anyNum().Draw(t, "t")
		step := mul(sub(bigInt(b), bigInt(a)), bigInt(f))
		got := Lerp(a, b, f)
		same(t, got, unscale(add(shl(bigInt(a)), step)))
		if Lerp(a, b, 0) != a || Lerp(a, b, One) != b {
			t.Fatal("an end is not exact")
		}
		if a != Min && b != Min && got.Abs() != Max && Lerp(-a, -b, f) != -got {
			t.Fatal("not symmetric")
		}
	})
}

// Rule: Floor, Ceil and Round give the neighbouring whole number, or Max where
// that is out of range.
func TestFloorCeilRound(t *testing.T) {
	one := bigInt(One)
	check(t, func(t *rapid.T) {
		n := anyNum().Draw(t, "n")
		down := new(big.Int).Div(bigInt(n), one) // Euclidean, so it rounds down
		same(t, n.Floor(), shl(down))
		up := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(bigInt(n)), one))
		same(t, n.Ceil(), shl(up))
		same(t, n.Round(), shl(nearest(bigInt(n), one)))
	})
}
