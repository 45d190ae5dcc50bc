package math32

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/internal/wide"
)

var every = flag.Uint("every", 0, "the stride of the inputs of all functions of one number; 1 is all 2^32")

type function struct {
	f     func(float32) float32
	exact func(float64) float64
	wide  func(float64) wide.Num
}

var functions = map[string]function{
	"Exp":   {Exp, portable.Exp, func(x float64) wide.Num { return wide.Of(x).Exp() }},
	"Exp2":  {Exp2, portable.Exp2, func(x float64) wide.Num { return wide.Of(x).Exp2() }},
	"Expm1": {Expm1, portable.Expm1, func(x float64) wide.Num { return wide.Of(x).Expm1() }},
	"Log":   {Log, portable.Log, func(x float64) wide.Num { return wide.Of(x).Log() }},
	"Log2":  {Log2, portable.Log2, func(x float64) wide.Num { return wide.Of(x).Log2() }},
	"Log10": {Log10, portable.Log10, func(x float64) wide.Num { return wide.Of(x).Log10() }},
	"Log1p": {Log1p, portable.Log1p, func(x float64) wide.Num { return wide.Of(x).Log1p() }},
	"Sin":   {Sin, portable.Sin, func(x float64) wide.Num { return wide.Sine(x, 0) }},
	"Cos":   {Cos, portable.Cos, func(x float64) wide.Num { return wide.Sine(x, 1) }},
	"Tan":   {Tan, portable.Tan, func(x float64) wide.Num { return wide.Tangent(x) }},
	"Asin":  {Asin, portable.Asin, func(x float64) wide.Num { return wide.Of(x).Asin() }},
	"Acos":  {Acos, portable.Acos, func(x float64) wide.Num { return wide.Of(x).Acos() }},
	"Atan":  {Atan, portable.Atan, func(x float64) wide.Num { return wide.Of(x).Atan() }},
	"Sinh":  {Sinh, portable.Sinh, func(x float64) wide.Num { return wide.Of(x).Sinh() }},
	"Cosh":  {Cosh, portable.Cosh, func(x float64) wide.Num { return wide.Of(x).Cosh() }},
	"Tanh":  {Tanh, portable.Tanh, func(x float64) wide.Num { return wide.Of(x).Tanh() }},
	"Asinh": {Asinh, portable.Asinh, func(x float64) wide.Num { return wide.Of(x).Asinh() }},
	"Acosh": {Acosh, portable.Acosh, func(x float64) wide.Num { return wide.Of(x).Acosh() }},
	"Atanh": {Atanh, portable.Atanh, func(x float64) wide.Num { return wide.Of(x).Atanh() }},
	"Cbrt":  {Cbrt, portable.Cbrt, func(x float64) wide.Num { return wide.Of(x).Cbrt() }},
}

// Rule: each result is the true value, rounded once: it is compared with numbers of 256 bits if the float64 result is
// within four units in the last place of the middle between two float32 numbers, and at some other points.
func TestAll(t *testing.T) {
	stride := uint64(*every)
	if stride == 0 {
		stride = 20011
		if testing.Short() {
			stride = 200003
		}
	}
	for name, f := range functions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sure := 0 // are compared
			for b := uint64(0); b < 1<<32; b += stride {
				x := math.Float32frombits(uint32(b))
				y := f.exact(float64(x))
				got := f.f(x)
				bits := math.Float64bits(y)
				near := (bits+4-1<<28)&(1<<29-1) <= 8
				if y-y != 0 || y == 0 || !near && math.Abs(y) >= 0x1p-126 && (b/stride%256 != 0 || math.Abs(float64(x)) > 700) {
					if want := float32(y); got != want && (got == got || want == want) {
						t.Fatalf("%s(%b) = %b, must be %b", name, x, got, want)
					}
					continue
				}
				want, ok := wide.Round(f.wide(float64(x)), wide.Float32, wide.Sure)
				if !ok {
					want = y
				}
				if got != float32(want) {
					t.Fatalf("%s(%b) = %b, must be %b", name, x, got, want)
				}
				sure++
			}
			if sure == 0 {
				t.Error("none of them was compared")
			}
		})
	}
}

// Rule: Pow, Hypot and Atan2 round once, even if the float64 result is the middle between two floats.
func TestTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		x, y := float32(r.IntN(1<<16))/16+1, float32(r.IntN(200)-100)/4
		if i%2 == 0 {
			x, y = float32(r.IntN(1<<13)+1), float32(r.IntN(1<<13)+1)
		}
		if i%4 < 2 { // exact sums of squares, and exact squares
			p, ok := new(big.Float).SetPrec(200).SetFloat64(float64(x)), true
			want, _ := p.Mul(p, p).Float32()
			if got := Pow(x, 2); got != want || !ok {
				t.Fatalf("Pow(%v, 2) = %v, must be %v", x, got, want)
			}
		}
		p, _ := new(big.Float).SetPrec(200).SetFloat64(float64(x)*float64(x) + float64(float64(y)*float64(y))).Float64() // exact
		root, _ := new(big.Float).SetPrec(300).Sqrt(big.NewFloat(p)).Float32()
		if got := Hypot(x, y); got != root {
			t.Fatalf("Hypot(%v, %v) = %v, must be %v", x, y, got, root)
		}
		if y == 0 {
			continue
		}
		a, _ := wide.Round(wide.Angle(float64(y), float64(x)), wide.Float32, wide.Sure)
		if got := Atan2(y, x); got != Copysign(float32(a), y) {
			t.Fatalf("Atan2(%v, %v) = %v, must be %v", y, x, got, a)
		}
		n := wide.Of(float64(y)).Mul(wide.Of(float64(x)).Log()).Exp()
		if want, ok := wide.Round(n, wide.Float32, wide.Sure); ok && x != 1 && Pow(x, y) != float32(want) {
			t.Fatalf("Pow(%v, %v) = %v, must be %v", x, y, Pow(x, y), want)
		}
	}
	if Pow(4097, 2) != 16785408 || Pow(-4097, 3) != -68769820672 || Pow(2, -150) != 0 || Pow(2, -149) != math.SmallestNonzeroFloat32 {
		t.Error("Pow of what is the middle between two floats goes wrong")
	}
}

// Rule: FMA, and conversions from integers, round once.
func TestOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide := func(x float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(x)) }
	for range 20000 {
		x := float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(40)-20))
		y := float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(40)-20))
		z := float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(80)-20))
		sum := wide(x)
		sum.Mul(sum, wide(y)).Add(sum, wide(z))
		if want, _ := sum.Float32(); FMA(x, y, z) != want {
			t.Fatalf("FMA(%b, %b, %b) = %b, must be %b", x, y, z, FMA(x, y, z), want)
		}
		u := r.Uint64() >> r.IntN(64)
		if r.IntN(2) == 0 { // in the middle between two, or next to it
			u = u&^(1<<40-1) | 1<<39 + uint64(r.IntN(3)) - 1
		}
		if want, _ := new(big.Float).SetPrec(64).SetUint64(u).Float32(); FromUint64(u) != want {
			t.Fatalf("FromUint64(%d) = %b, must be %b", u, FromUint64(u), want)
		}
		if want, _ := new(big.Float).SetPrec(64).SetInt64(int64(u)).Float32(); FromInt64(int64(u)) != want {
			t.Fatalf("FromInt64(%d) = %b, must be %b", int64(u), FromInt64(int64(u)), want)
		}
	}
}

// Rule: the exact functions are those of float64, which lose nothing; and there is only one NaN.
func TestExact(t *testing.T) {
	list := []float32{0, 1, -1, 0.5, 2.5, -2.5, 3e38, 1e-45, -1e-40, 1 << 24, float32(math.Inf(1)), float32(math.Inf(-1)), NaN(), math.Float32frombits(0xFFC00123), float32(math.Copysign(0, -1)), 7.3}
	same := func(name string, got float32, want float64, args ...float32) {
		t.Helper()
		if math.Float32bits(got) != math.Float32bits(float32(want)) && (got == got || want == want) {
			t.Errorf("%s%v = %v, must be %v", name, args, got, want)
		}
	}
	for _, x := range list {
		for name, f := range map[string]struct {
			f    func(float32) float32
			want func(float64) float64
		}{
			"Abs": {Abs, math.Abs}, "Ceil": {Ceil, math.Ceil}, "Floor": {Floor, math.Floor}, "Round": {Round, math.Round}, "RoundToEven": {RoundToEven, math.RoundToEven},
			"Sqrt": {Sqrt, math.Sqrt}, "Trunc": {Trunc, math.Trunc},
			"Frexp":  {func(x float32) float32 { f, e := Frexp(x); return Ldexp(f, e) }, func(x float64) float64 { return x }},
			"Modf":   {func(x float32) float32 { i, f := Modf(x); return i - f }, func(x float64) float64 { i, f := math.Modf(x); return float64(float32(i - f)) }},
			"bits":   {func(x float32) float32 { return Float32frombits(Float32bits(x)) }, func(x float64) float64 { return x }},
			"Sincos": {func(x float32) float32 { s, _ := Sincos(x); return s }, func(x float64) float64 { return float64(Sin(float32(x))) }},
		} {
			same(name, f.f(x), f.want(float64(x)), x)
		}
		for _, y := range list {
			a, b := float64(x), float64(y)
			same("Mod", Mod(x, y), math.Mod(a, b), x, y)
			same("Remainder", Remainder(x, y), math.Remainder(a, b), x, y)
			same("Max", Max(x, y), math.Max(a, b), x, y)
			same("Min", Min(x, y), math.Min(a, b), x, y)
			same("Dim", Dim(x, y), math.Dim(a, b), x, y)
			same("Copysign", Copysign(x, y), portable.Copysign(a, b), x, y)
			same("Nextafter", Nextafter(x, y), float64(math.Nextafter32(x, y)), x, y)
		}
		if Signbit(x) != portable.Signbit(float64(x)) || IsNaN(x) != (x != x) || IsInf(x, 0) != math.IsInf(float64(x), 0) || x != x && Float32bits(x) != nanBits {
			t.Errorf("%v is taken for something else", x)
		}
	}
	if Inf(-1) != float32(math.Inf(-1)) {
		t.Error("Inf(-1) is not negative")
	}
}
