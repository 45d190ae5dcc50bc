package portable

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// Rule: products and quotients of complex numbers are those of the language without fusing, to the bit, except for NaNs.
func TestComplexNumbers(t *testing.T) {
	if unfused(1+0x1p-30, 1+0x1p-30, -(1+0x1p-29)) != 0 {
		t.Skip("the compiler fuses products on " + runtime.GOARCH)
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, 0x1p-1074, 3e-310}
	r := rand.New(rand.NewPCG(1, 2))
	part := func() float64 {
		if r.IntN(3) == 0 {
			return special[r.IntN(len(special))]
		}
		return math.Ldexp(r.Float64()*2-1, r.IntN(40)-20)
	}
	same := func(x, y float64) bool { return x != x && y != y || math.Float64bits(x) == math.Float64bits(y) }
	for range 200_000 {
		x, y := complex(part(), part()), complex(part(), part())
		for _, c := range []struct {
			name      string
			got, want complex128
		}{{"MulComplex", MulComplex(x, y), x * y}, {"QuoComplex", QuoComplex(x, y), x / y}} {
			if !same(real(c.got), real(c.want)) || !same(imag(c.got), imag(c.want)) {
				t.Fatalf("%s(%v, %v) = %v, and not %v", c.name, x, y, c.got, c.want)
			}
		}
	}
}

//go:noinline
func unfused(x, y, z float64) float64 { return x*y + z }
