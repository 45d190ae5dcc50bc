package fixed

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Rule: the component-wise methods are those of Num.
func TestVec2IsComponentWise(t *testing.T) {
	check(t, func(t *rapid.T) {
		v, w, k := anyVec().Draw(t, "v"), anyVec().Draw(t, "w"), anyNum().Draw(t, "k")
		for name, c := range map[string][2]Vec2{
			"Add":   {v.Add(w), {v.X.Add(w.X), v.Y.Add(w.Y)}},
			"Sub":   {v.Sub(w), {v.X.Sub(w.X), v.Y.Sub(w.Y)}},
			"Neg":   {v.Neg(), {v.X.Neg(), v.Y.Neg()}},
			"Scale": {v.Scale(k), {v.X.Mul(k), v.Y.Mul(k)}},
			"Lerp":  {v.Lerp(w, k), {Lerp(v.X, w.X, k), Lerp(v.Y, w.Y, k)}},
			"Perp":  {v.Perp(), {v.Y.Neg(), v.X}},
		} {
			if c[0] != c[1] {
				t.Fatalf("%s = %v, want %v", name, c[0], c[1])
			}
		}
	})
}

// Rule: Dot and Cross are the exact sums of products, rounded once.
func TestDotAndCrossRoundOnce(t *testing.T) {
	check(t, func(t *rapid.T) {
		v, w := anyVec().Draw(t, "v"), anyVec().Draw(t, "w")
		checkDotAndCross(t, v, w)
	})
}

// Rule: as above, for every quadruple of the ends of the range.
func TestDotAndCrossAtTheEnds(t *testing.T) {
	ends := []Num{Min, Min + 1, -1, 0, 1, Max}
	check(t, func(t *rapid.T) {
		pick := rapid.SampledFrom(ends)
		v := Vec2{pick.Draw(t, "vx"), pick.Draw(t, "vy")}
		w := Vec2{pick.Draw(t, "wx"), pick.Draw(t, "wy")}
		checkDotAndCross(t, v, w)
	})
	corner := Vec2{Min, Min}
	if got := corner.Dot(corner); got != Max { // the one sum that needs 129 bits
		t.Errorf("Dot of two corners = %v", got)
	}
}

func checkDotAndCross(t *rapid.T, v, w Vec2) {
	x, y := bigInt(v.X), bigInt(v.Y)
	same(t, v.Dot(w), unscale(add(mul(x, bigInt(w.X)), mul(y, bigInt(w.Y)))))
	same(t, v.Cross(w), unscale(sub(mul(x, bigInt(w.Y)), mul(y, bigInt(w.X)))))
}

// Rule: Rotate is within 0.51 ulp of the truth up to a length of 2^32, and
// saturates.
func TestRotateError(t *testing.T) {
	count, largest, long := 3000, 0.0, 0.0
	if testing.Short() {
		count = 100
	}
	rng := splitmix(6)
	for range count {
		v, angle := Vec2{rng.num() >> 16, rng.num() >> 16}, rng.num()
		sin, cos := bigSinCos(angle)
		x, y := floatNum(v.X), floatNum(v.Y)
		wantX := newFloat().Sub(newFloat().Mul(x, cos), newFloat().Mul(y, sin))
		wantY := newFloat().Add(newFloat().Mul(x, sin), newFloat().Mul(y, cos))
		got := v.Rotate(angle)
		largest = max(largest, ulps(got.X, wantX), ulps(got.Y, wantY))

		// The same direction 2^15 times as long, relative to the length.
		v = Vec2{v.X << 15, v.Y << 15}
		got = v.Rotate(angle)
		scale := newFloat().SetInt64(1 << 15)
		off := max(ulps(got.X, wantX.Mul(wantX, scale)), ulps(got.Y, wantY.Mul(wantY, scale)))
		long = max(long, (off-0.5)/float64(v.Length()))
	}
	if long > 1.0/(1<<57) {
		t.Errorf("long vectors: largest error beyond half an ulp is 2^%.1f of the length, want 2^-57", math.Log2(long))
	}
	t.Logf("largest error %.7f ulp", largest)
	if largest > 0.51 {
		t.Errorf("largest error %.7f ulp, want at most 0.51", largest)
	}
	if got := (Vec2{Max, Max}).Rotate(Pi / 4); got.Y != Max || got.X < 0 {
		t.Errorf("the far corner turned by an eighth is %v", got)
	}
	if got := (Vec2{Min, Min}).Rotate(0); got != (Vec2{Min, Min}) {
		t.Errorf("the near corner not turned is %v", got)
	}
}

// Rule: turning a vector the other way mirrors the result.
func TestRotateIsSymmetric(t *testing.T) {
	check(t, func(t *rapid.T) {
		v, angle := anyVec().Draw(t, "v"), anyNum().Draw(t, "angle")
		if v.Y == Min || angle == Min {
			return
		}
		got, mirror := v.Rotate(angle), Vec2{v.X, -v.Y}.Rotate(-angle)
		if got.X != mirror.X || got.Y.Abs() != Max && got.Y != -mirror.Y {
			t.Fatalf("%v, mirrored %v", got, mirror)
		}
	})
}

// Rule: Angle is Atan2 of Y and X.
func TestAngleIsAtan2(t *testing.T) {
	if got := (Vec2{One, One}).Angle(); got != Atan2(One, One) || got != Num(51472) {
		t.Errorf("Angle of the diagonal = raw %d", got)
	}
}

// Rule: Length is the floor of the true root and saturates; Distance likewise,
// with differences that do not saturate first.
func TestLengthAndDistanceAreFloors(t *testing.T) {
	check(t, func(t *rapid.T) {
		v, w := anyVec().Draw(t, "v"), anyVec().Draw(t, "w")
		sum := squares(bigInt(v.X), bigInt(v.Y))
		same(t, v.Length(), new(big.Int).Sqrt(sum))
		same(t, v.LengthSquared(), unscale(sum))
		sum = squares(sub(bigInt(v.X), bigInt(w.X)), sub(bigInt(v.Y), bigInt(w.Y)))
		same(t, v.Distance(w), new(big.Int).Sqrt(sum))
		same(t, v.DistanceSquared(w), unscale(sum))
		if v.LengthSquared() != v.Dot(v) || v.Distance(w) != w.Distance(v) {
			t.Fatal("LengthSquared is not Dot, or Distance not symmetric")
		}
	})
}

func squares(x, y *big.Int) *big.Int { return add(mul(x, x), mul(y, y)) }

// normaliseError returns the larger error of the components of v.Normalise().
func normaliseError(v Vec2) float64 {
	root := newFloat().SetInt(squares(bigInt(v.X), bigInt(v.Y)))
	root.Sqrt(root)
	got := v.Normalise()
	return max(
		ulps(got.X, newFloat().Quo(newFloat().SetInt64(int64(v.X)), root)),
		ulps(got.Y, newFloat().Quo(newFloat().SetInt64(int64(v.Y)), root)))
}

// Rule: each component of a normalised vector is within the documented error of
// the truth, for vectors of any length.
func TestNormaliseError(t *testing.T) {
	count, largest := 20000, 0.0
	if testing.Short() {
		count = 500
	}
	rng := splitmix(7)
	for i := range count {
		v := Vec2{rng.num(), rng.num()}
		if i%2 == 0 { // components alike in size
			v = Vec2{Num(int64(rng.next())), Num(int64(rng.next()))}
			shift := rng.next() & 63
			v.X, v.Y = v.X>>shift, v.Y>>shift
		}
		if v != (Vec2{}) {
			largest = max(largest, normaliseError(v))
		}
	}
	for _, x := range edges {
		for _, y := range edges {
			if x != 0 || y != 0 {
				largest = max(largest, normaliseError(Vec2{x, y}))
			}
		}
	}
	t.Logf("largest error %.7f ulp", largest)
	if largest > 0.5003 {
		t.Errorf("largest error %.7f ulp, want at most 0.5003", largest)
	}
}

// Rule: zero stays zero, the axes stay exact, and signs only mirror.
func TestNormaliseSpecialCases(t *testing.T) {
	for v, want := range map[Vec2]Vec2{
		{}:       {},
		{X: 1}:   {X: One},
		{Y: -1}:  {Y: -One},
		{X: Min}: {X: -One},
		{Y: Max}: {Y: One},
	} {
		if got := v.Normalise(); got != want {
			t.Errorf("%v.Normalise() = %v, want %v", v, got, want)
		}
	}
	check(t, func(t *rapid.T) {
		v := anyVec().Draw(t, "v")
		if v.X != Min && v.Y != Min && v.Neg().Normalise() != v.Normalise().Neg() {
			t.Fatal("not symmetric")
		}
	})
}
