package portable

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// ranges are the ranges from which points of benchmarks and of random tests are drawn, other than -10 to 10.
var ranges = map[string][2]float64{
	"Log": {0, 20}, "Log2": {0, 20}, "Log10": {0, 20}, "Log1p": {-1, 20}, "Asin": {-1, 1}, "Acos": {-1, 1}, "Pow": {0, 10}, "Acosh": {1, 20}, "Atanh": {-1, 1},
}

func drawn(r *rand.Rand, name string) float64 {
	in, ok := ranges[name]
	if !ok {
		in = [2]float64{-10, 10}
	}
	return in[0] + (in[1]-in[0])*r.Float64()
}

var sink float64

func measured(b *testing.B, xs *[1 << 17]float64, f func(float64) float64) {
	s := 0.0
	i := 0
	for b.Loop() {
		s += f(xs[i&(len(xs)-1)])
		i++
	}
	sink = s
}

// BenchmarkFunctions measures each function and package math's in one run, at so many points that no processor can learn
// the branches. With 8,192 points some can, and package math's functions, which have more branches, become twice as fast.
func BenchmarkFunctions(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(one)) {
		r := rand.New(rand.NewPCG(1, 3))
		var xs [1 << 17]float64
		for i := range xs {
			xs[i] = drawn(r, name)
		}
		b.Run(name+"/math", func(b *testing.B) { measured(b, &xs, one[name][1]) })
		b.Run(name+"/portable", func(b *testing.B) { measured(b, &xs, one[name][0]) })
	}
	for _, name := range slices.Sorted(maps.Keys(two)) {
		r := rand.New(rand.NewPCG(1, 3))
		var xs, ys [1 << 17]float64
		for i := range xs {
			xs[i], ys[i] = drawn(r, name), r.Float64()*20-10
		}
		for j, which := range []string{"portable", "math"} {
			f := two[name][j]
			b.Run(name+"/"+which, func(b *testing.B) {
				s := 0.0
				i := 0
				for b.Loop() {
					s += f(xs[i&(len(xs)-1)], ys[i&(len(xs)-1)])
					i++
				}
				sink = s
			})
		}
	}
	r := rand.New(rand.NewPCG(1, 3))
	var xs [1 << 17]float64
	for i := range xs {
		xs[i] = drawn(r, "Sincos")
	}
	for which, f := range map[string]func(float64) (s, c float64){"math": math.Sincos, "portable": Sincos} {
		b.Run("Sincos/"+which, func(b *testing.B) {
			measured(b, &xs, func(x float64) float64 {
				s, c := f(x)
				return s + c
			})
		})
	}
}
