package fixed

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// turn is one more than the largest raw angle within a full turn.
const turn = int64(TwoPi)

// sweep measures f over every raw angle of a full turn (a sample with -short).
// float64 ranks the angles: its own error, below 1e-9 ulp here unless the value
// is huge, is far below the errors it ranks. The worst are then measured again
// against the oracle.
func sweep(t *testing.T, f func(Num) Num, approx func(float64) float64, truth func(Num) *big.Float) float64 {
	t.Helper()
	const keep = 16
	step := int64(1)
	if testing.Short() {
		step = 97
	}
	var worst [keep]Num
	var errs [keep]float64
	for raw := int64(0); raw <= turn; raw += step {
		x := Num(raw)
		err := math.Abs(float64(f(x)) - approx(float64(raw)/65536)*65536)
		i := 0
		for j := range errs {
			if errs[j] < errs[i] {
				i = j
			}
		}
		if err > errs[i] {
			worst[i], errs[i] = x, err
		}
	}
	largest := 0.0
	for _, x := range worst {
		largest = max(largest, ulps(f(x), truth(x)))
	}
	return largest
}

func bigSin(x Num) *big.Float { s, _ := bigSinCos(x); return s }
func bigCos(x Num) *big.Float { _, c := bigSinCos(x); return c }

// documented holds the largest error over a full turn against the figure in the
// documentation of the function. A short run samples, so it can only find less.
func documented(t *testing.T, name string, largest float64, figure string) {
	t.Helper()
	got := fmt.Sprintf("%.7f", largest)
	if got > figure || !testing.Short() && got != figure {
		t.Errorf("%s: the largest error over a full turn is %s ulp, the documentation says %s", name, got, figure)
	}
}

// Rule: over a full turn sine, cosine and tangent are within 2 ulp of the truth,
// and in fact exactly as their documentation says.
func TestTrigErrorOverAFullTurn(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(Num) Num
		approx func(float64) float64
		truth  func(Num) *big.Float
		figure string
	}{
		{"Sin", Sin, math.Sin, bigSin, "0.4999965"},
		{"Cos", Cos, math.Cos, bigCos, "0.4999994"},
		{"Tan", Tan, math.Tan, bigTan, "0.4999986"},
	} {
		documented(t, c.name, sweep(t, c.f, c.approx, c.truth), c.figure)
	}
}

// Rule: no angle is too large: the error stays below 0.5001 ulp, and 2^-58
// before rounding.
func TestTrigErrorOfAnyAngle(t *testing.T) {
	count, largest, inner := 20000, 0.0, 0.0
	if testing.Short() {
		count = 300
	}
	rng := splitmix(2)
	for i := range count + len(edges) {
		x := rng.num()
		if i < len(edges) {
			x = edges[i]
		}
		s, c := bigSinCos(x)
		largest = max(largest, ulps(Sin(x), s), ulps(Cos(x), c))
		qs, qc := sinCosQ62(x)
		inner = max(inner, q62Error(qs, s), q62Error(qc, c))
	}
	t.Logf("largest error %.7f ulp; before rounding 2^%.2f", largest, math.Log2(inner))
	if largest > 0.5001 || inner > 1.0/(1<<58) {
		t.Errorf("largest error %.7f ulp, want 0.5001; before rounding %g, want %g", largest, inner, 1.0/(1<<58))
	}
}

func q62Error(got int64, truth *big.Float) float64 {
	g := newFloat().SetInt64(got)
	d := g.Sub(g.SetMantExp(g, -62), truth)
	err, _ := d.Abs(d).Float64()
	return err
}

// Rule: sine and tangent are odd, cosine is even, and SinCos is both.
func TestTrigSymmetry(t *testing.T) {
	check(t, func(t *rapid.T) {
		x := anyNum().Draw(t, "x")
		if s, c := SinCos(x); s != Sin(x) || c != Cos(x) {
			t.Fatalf("SinCos = %d, %d, but Sin = %d, Cos = %d", s, c, Sin(x), Cos(x))
		}
		if x == Min {
			return
		}
		tan := Tan(x)
		if Sin(-x) != -Sin(x) || Cos(-x) != Cos(x) || tan.Abs() != Max && Tan(-x) != -tan {
			t.Fatal("not symmetric")
		}
	})
}

// Rule: at any angle tangents are within 0.51 ulp up to 2^18, and within 0.57 ulp
// up to 2^20.
func TestTanErrorOfAnyAngle(t *testing.T) {
	count, largest18, largest20 := 5000, 0.0, 0.0
	if testing.Short() {
		count = 100
	}
	rng := splitmix(3)
	quarter := newFloat().SetMantExp(bigPi(), -1)
	for i := range count {
		x := rng.num()
		if i%2 == 0 { // next to a pole: the nearest raw to an odd quarter
			odd := newFloat().SetUint64(rng.next()>>(20+rng.next()%40) | 1)
			x = Num(nearestInt(odd.SetMantExp(odd.Mul(odd, quarter), FracBits)))
		}
		switch got := Tan(x); {
		case got.Abs() <= FromInt(1<<18):
			largest18 = max(largest18, ulps(got, bigTan(x)))
		case got.Abs() <= FromInt(1<<20):
			largest20 = max(largest20, ulps(got, bigTan(x)))
		}
	}
	t.Logf("largest error %.7f ulp up to 2^18, %.7f ulp up to 2^20", largest18, largest20)
	if largest18 > 0.51 || largest20 > 0.57 {
		t.Errorf("largest errors %.7f and %.7f ulp, want at most 0.51 and 0.57", largest18, largest20)
	}
}

// Rule: every coefficient is 2^62 over a factorial, every scale of an angle a
// multiple or fraction of pi, rounded to nearest.
func TestTrigConstantsAreDerived(t *testing.T) {
	fact := big.NewInt(1)
	one := new(big.Int).Lsh(big.NewInt(1), 62)
	for k := range int64(18) {
		fact.Mul(fact, big.NewInt(max(k, 1)))
		if got, want := polys[1-k%2][k/2], nearest(one, fact).Uint64(); got != want {
			t.Errorf("1/%d! = %d, want %d", k, got, want)
		}
	}
	scaled := newFloat().SetMantExp(floatOf(1), 128-FracBits-1)
	k, _ := scaled.Add(scaled.Quo(scaled, bigPi()), floatOf(0.5)).Int(nil)
	got := new(big.Int).Lsh(new(big.Int).SetUint64(turnsPerRawHi), 64)
	if got.Add(got, new(big.Int).SetUint64(turnsPerRawLo)); got.Cmp(k) != 0 {
		t.Errorf("turnsPerRaw = %x, want %x", got, k)
	}
	half, _ := newFloat().Add(newFloat().SetMantExp(bigPi(), 62), floatOf(0.5)).Uint64()
	if quarterTurn != half {
		t.Errorf("quarterTurn = %x, want %x", uint64(quarterTurn), half)
	}
	if want := nearestInt(newFloat().SetMantExp(bigPi(), 60)); quarterTurnQ61 != want {
		t.Errorf("quarterTurnQ61 = %x, want %x", int64(quarterTurnQ61), want)
	}
}
