// Command findhard looks for inputs whose results lie close to the middle between two floats, for portable/testdata/hard.txt: it draws
// a given number of points of each function, and writes those that are closer than 2^-13 of a unit of the last place, the closest ones
// first.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tickback/tickback/portable/internal/wide"
)

// functions are the functions of one number, with the bounds between which points are drawn.
var functions = map[string]struct {
	f        func(x float64) wide.Num
	from, to float64
}{
	"Exp":   {func(x float64) wide.Num { return wide.Of(x).Exp() }, -20, 20},
	"Exp2":  {func(x float64) wide.Num { return wide.Of(x).Exp2() }, -20, 20},
	"Expm1": {func(x float64) wide.Num { return wide.Of(x).Expm1() }, -5, 5},
	"Log":   {func(x float64) wide.Num { return wide.Of(x).Log() }, 0, 20},
	"Log2":  {func(x float64) wide.Num { return wide.Of(x).Log2() }, 0, 20},
	"Log10": {func(x float64) wide.Num { return wide.Of(x).Log10() }, 0, 20},
	"Log1p": {func(x float64) wide.Num { return wide.Of(x).Log1p() }, -1, 5},
	"Sin":   {func(x float64) wide.Num { return wide.Sine(x, 0) }, -10, 10},
	"Cos":   {func(x float64) wide.Num { return wide.Sine(x, 1) }, -10, 10},
	"Tan":   {wide.Tangent, -10, 10},
	"Asin":  {func(x float64) wide.Num { return wide.Of(x).Asin() }, -1, 1},
	"Acos":  {func(x float64) wide.Num { return wide.Of(x).Acos() }, -1, 1},
	"Atan":  {func(x float64) wide.Num { return wide.Of(x).Atan() }, -10, 10},
	"Sinh":  {func(x float64) wide.Num { return wide.Of(x).Sinh() }, -10, 10},
	"Cosh":  {func(x float64) wide.Num { return wide.Of(x).Cosh() }, -10, 10},
	"Tanh":  {func(x float64) wide.Num { return wide.Of(x).Tanh() }, -5, 5},
	"Cbrt":  {func(x float64) wide.Num { return wide.Of(x).Cbrt() }, -10, 10},
	"Asinh": {func(x float64) wide.Num { return wide.Of(x).Asinh() }, -10, 10},
	"Acosh": {func(x float64) wide.Num { return wide.Of(x).Acosh() }, 1, 10},
	"Atanh": {func(x float64) wide.Num { return wide.Of(x).Atanh() }, -1, 1},
}

func main() {
	points := flag.Int("points", 100000, "how many points are drawn of each function")
	keep := flag.Int("keep", 40, "how many are written of each")
	seed := flag.Uint64("seed", 1, "where to begin")
	flag.Parse()
	type hard struct {
		x, y float64
		bits int
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		r := rand.New(rand.NewPCG(*seed, 1))
		f := functions[name]
		var found []hard
		for range *points {
			x := f.from + (f.to-f.from)*r.Float64()
			n := f.f(x)
			bits := 13
			for {
				if _, ok := wide.Round(n, wide.Float64, 54+bits); ok {
					break
				}
				bits++
			}
			if bits > 13 {
				y, _ := wide.Round(n, wide.Float64, wide.Sure)
				found = append(found, hard{x, y, bits})
			}
		}
		slices.SortStableFunc(found, func(a, b hard) int { return cmp.Compare(b.bits, a.bits) })
		for _, h := range found[:min(len(found), *keep)] {
			fmt.Printf("%s %x %x %d\n", name, math.Float64bits(h.x), math.Float64bits(h.y), h.bits)
		}
	}
}
