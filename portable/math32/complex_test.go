package math32

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// Rule: products and quotients of complex64 are those of the language without fusing.
func TestComplexNumbers(t *testing.T) {
	if unfused(1+0x1p-30, 1+0x1p-30, -(1+0x1p-29)) != 0 {
		t.Skip("the compiler fuses products here")
	}
	r := rand.New(rand.NewPCG(1, 2))
	part := func() float32 { return float32(math.Ldexp(r.Float64()*2-1, r.IntN(240)-120)) }
	for range 100_000 {
		x, y := complex(part(), part()), complex(part(), part())
		if got := MulComplex(x, y); got != x*y && !cmplx.IsNaN(complex128(got)) {
			t.Fatalf("MulComplex(%v, %v) = %v, and not %v", x, y, got, x*y)
		}
		if got := QuoComplex(x, y); got != x/y && !cmplx.IsNaN(complex128(got)) {
			t.Fatalf("QuoComplex(%v, %v) = %v, and not %v", x, y, got, x/y)
		}
	}
}

//go:noinline
func unfused(x, y, z float64) float64 { return x*y + z }
