package fixed

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Rule: Atan2 is within 0.5001 ulp of the truth for points at any distance and
// in any direction, and never leaves -Pi to Pi.
func TestAtan2Error(t *testing.T) {
	count, largest := 20000, 0.0
	if testing.Short() {
		count = 300
	}
	rng := splitmix(4)
	for range count {
		y, x := rng.num(), rng.num()
		got := Atan2(y, x)
		if got < -Pi || got > Pi {
			t.Fatalf("Atan2(raw %d, %d) = %v", y, x, got)
		}
		if x != 0 || y != 0 {
			largest = max(largest, ulps(got, bigAtan2(y, x)))
		}
	}
	t.Logf("any point: largest error %.7f ulp", largest)
	if largest > 0.5001 {
		t.Errorf("largest error %.7f ulp, want at most 0.5001", largest)
	}
}

// Rule: as TestAtan2Error, for every pair of edge values.
func TestAtan2AtEveryEdge(t *testing.T) {
	for _, y := range edges {
		for _, x := range edges {
			got := Atan2(y, x)
			if y == 0 && x == 0 {
				if got != 0 {
					t.Errorf("Atan2(0, 0) = %v", got)
				}
			} else if err := ulps(got, bigAtan2(y, x)); err > 0.5001 {
				t.Errorf("Atan2(raw %d, %d) is off by %.7f ulp", y, x, err)
			}
		}
	}
}

// Rule: around a circle of radius 1, in steps of one raw angle, Atan2 errs
// exactly as its documentation says. The radius is that short so that rounding the
// point scatters its true angle between two raw ones.
func TestAtan2ErrorOverAFullTurn(t *testing.T) {
	step := int64(1)
	if testing.Short() {
		step = 97
	}
	largest, at := 0.0, Vec2{}
	for raw := int64(0); raw <= turn; raw += step {
		v := Vec2{X: One}.Rotate(Num(raw))
		truth := math.Atan2(float64(v.Y), float64(v.X)) * 65536 // good to 1e-9 ulp
		if err := math.Abs(float64(v.Angle()) - truth); err > largest {
			largest, at = err, v
		}
	}
	largest = ulps(at.Angle(), bigAtan2(at.Y, at.X))
	documented(t, "Atan2", largest, "0.4999947")
}

// Rule: mirroring the point mirrors the angle.
func TestAtan2Symmetry(t *testing.T) {
	check(t, func(t *rapid.T) {
		y, x := anyNum().Draw(t, "y"), anyNum().Draw(t, "x")
		if y != 0 && y != Min && Atan2(-y, x) != -Atan2(y, x) {
			t.Fatalf("%d and %d", Atan2(-y, x), Atan2(y, x))
		}
	})
}

// Rule: the axes give the circle constants.
func TestAtan2OnTheAxes(t *testing.T) {
	for _, c := range []struct{ y, x, want Num }{
		{0, One, 0},
		{0, -One, Pi},
		{0, Min, Pi},
		{-1, Min, -Pi},
		{One, 0, HalfPi},
		{Min, 0, -HalfPi},
		{Max, 0, HalfPi},
	} {
		if got := Atan2(c.y, c.x); got != c.want {
			t.Errorf("Atan2(%v, %v) = %v, want %v", c.y, c.x, got, c.want)
		}
	}
}

// Rule: the table is atan(k/16) in Q61, rounded to nearest.
func TestAtanTableIsDerived(t *testing.T) {
	for k := range 17 {
		a := bigAtan(floatOf(float64(k) / 16))
		if want := uint64(nearestInt(a.SetMantExp(a, 61))); atanTable[k] != want {
			t.Errorf("entry %d = %#x, want %#x", k, atanTable[k], want)
		}
	}
}

// Rule: before rounding the arctangent is within 2^-54.
func TestAtanRatioPrecision(t *testing.T) {
	rng := splitmix(5)
	largest := 0.0
	for range 500 {
		a, b := rng.num().magnitude(), rng.num().magnitude()|1
		lo, hi := min(a, b), max(a, b)
		truth := bigAtan(newFloat().Quo(newFloat().SetUint64(lo), newFloat().SetUint64(hi)))
		got := newFloat().SetUint64(atanRatio(lo, hi))
		d := got.Sub(got.SetMantExp(got, -61), truth)
		err, _ := d.Abs(d).Float64()
		largest = max(largest, err)
	}
	t.Logf("largest error 2^%.2f", math.Log2(largest))
	if largest > 1.0/(1<<54) {
		t.Errorf("largest error %g", largest)
	}
}
