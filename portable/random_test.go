package portable

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/portable/internal/wide"
)

var (
	points = flag.Int("points", 0, "random points of each function in TestRandom, 1,000 or with -short 200 if 0")
	seed   = flag.Uint64("seed", 1, "seed of TestRandom")
)

// slow has the functions computed by their slow phases alone.
var slow = map[string]func(x float64) wide.Num{
	"Exp":   func(x float64) wide.Num { return wide.Of(x).Exp() },
	"Exp2":  func(x float64) wide.Num { return wide.Of(x).Exp2() },
	"Expm1": func(x float64) wide.Num { return wide.Of(x).Expm1() },
	"Log":   func(x float64) wide.Num { return wide.Of(x).Log() },
	"Log2":  func(x float64) wide.Num { return wide.Of(x).Log2() },
	"Log10": func(x float64) wide.Num { return wide.Of(x).Log10() },
	"Log1p": func(x float64) wide.Num { return wide.Of(x).Log1p() },
	"Sin":   func(x float64) wide.Num { return wide.Sine(x, 0) },
	"Cos":   func(x float64) wide.Num { return wide.Sine(x, 1) },
	"Tan":   wide.Tangent,
	"Asin":  func(x float64) wide.Num { return wide.Of(x).Asin() },
	"Acos":  func(x float64) wide.Num { return wide.Of(x).Acos() },
	"Atan":  func(x float64) wide.Num { return wide.Of(x).Atan() },
	"Sinh":  func(x float64) wide.Num { return wide.Of(x).Sinh() },
	"Cosh":  func(x float64) wide.Num { return wide.Of(x).Cosh() },
	"Tanh":  func(x float64) wide.Num { return wide.Of(x).Tanh() },
	"Cbrt":  func(x float64) wide.Num { return wide.Of(x).Cbrt() },
	"Asinh": func(x float64) wide.Num { return wide.Of(x).Asinh() },
	"Acosh": func(x float64) wide.Num { return wide.Of(x).Acosh() },
	"Atanh": func(x float64) wide.Num { return wide.Of(x).Atanh() },
}

var slow2 = map[string]func(x, y float64) float64{"Pow": powSlow, "Hypot": hypotSlow, "Atan2": atan2Slow}

// Rule: where the quick phase is sure, its result is that of the slow one, at random points of all sizes.
func TestRandom(t *testing.T) {
	n := *points
	if n == 0 {
		n = 1000
		if testing.Short() {
			n = 200
		}
	}
	for name, f := range slow {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*seed, 3))
			theirs := 0
			for i := range n {
				x := spread(r, name, i)
				got, want := one[name][0](x), rounded(f(x))
				if got != want {
					t.Fatalf("%s(%b) = %b, must be %b (-seed %d)", name, x, got, want, *seed)
				}
				if name == "Sin" || name == "Cos" {
					if s, c := Sincos(x); name == "Sin" && s != want || name == "Cos" && c != want {
						t.Fatalf("Sincos(%b) = %b, %b, and its %s must be %b (-seed %d)", x, s, c, name, want, *seed)
					}
				}
				if one[name][1](x) != want {
					theirs++
				}
			}
			t.Logf("package math is wrong in %d of %d", theirs, n)
		})
	}
	for name, f := range slow2 {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*seed, 3))
			theirs := 0
			for i := range n {
				x, y := spread(r, name, i), spread(r, name, i)
				if name == "Pow" && i%2 == 0 {
					y = (r.Float64() - 0.5) * 1400 / math.Log(x)
				} else if name == "Pow" && i%3 == 0 {
					y = float64(r.IntN(40) - 20)
				}
				got := two[name][0](x, y)
				if name == "Hypot" {
					x, y = math.Abs(x), math.Abs(y)
				}
				want := f(x, y)
				if got != want {
					t.Fatalf("%s(%b, %b) = %b, must be %b (-seed %d)", name, x, y, got, want, *seed)
				}
				if two[name][1](x, y) != want {
					theirs++
				}
			}
			t.Logf("package math is wrong in %d of %d", theirs, n)
		})
	}
}

// spread returns a point of the kind given by i: from the range of a function, from all floats, near 0, near 1, or with few
// bits.
func spread(r *rand.Rand, name string, i int) float64 {
	for {
		x := drawn(r, name)
		switch i++; i % 6 {
		case 1:
			x = math.Float64frombits(r.Uint64())
		case 2:
			x = math.Ldexp(r.Float64()*2-1, -r.IntN(60))
		case 3:
			x = 1 + math.Ldexp(r.Float64()*2-1, -r.IntN(50)-1)
		case 4:
			x = float64(r.IntN(1<<16)-1<<15) / float64(int(1)<<r.IntN(16))
		case 5:
			x *= 75
		}
		if in, ok := ranges[name]; ok && (x <= in[0] || in[1] == 1 && x >= 1) || x == 0 || x-x != 0 || x == 1 {
			continue
		}
		switch name { // arguments that the slow phase does not accept
		case "Exp", "Exp2", "Expm1", "Sinh", "Cosh", "Tanh":
			if !(-700 < x && x < 700) {
				continue
			}
		}
		return x
	}
}
