// Command floats prints the proof of its floats, or why there is none, and a hash of many results.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tickback/tickback/portable/strict"
)

var hash uint64

func mix(list ...float64) {
	for _, x := range list {
		hash = (hash ^ math.Float64bits(x)) * 0x9E3779B97F4A7C15
		hash ^= hash >> 29
	}
}

// product is generic, and compiled for each type.
func product[T float32 | float64](x, y, z T) T { return x*y + z }

func main() {
	proof, err := strict.Proof()
	fmt.Println("proof", proof, err != nil)
	r := rand.New(rand.NewPCG(1, 2))
	table := map[int]float64{}
	for i := range 5000 {
		x, y := r.Float64()*20-10, r.Float64()*20-10
		mix(x*y+x, x/2+y, x*x-y*y, float64(float32(x)*float32(y)+1), product(x, y, 3), float64(product(float32(x), 2, float32(y))))
		table[i&3] += x * y
		mix(table[i&3])
		mix(math.Sin(x)*math.Cos(y), math.Exp(x)+math.Log(y), math.Pow(math.Abs(x), y), math.Atan2(x, y)*math.Hypot(x, y)-math.Tan(x))
		mix(math.Gamma(x), math.Erf(y), math.J0(x), math.Asinh(x), math.Sinh(x), math.Tanh(y), math.Cbrt(x), math.Expm1(y), math.Log1p(math.Abs(x)))
		c := complex(x, y) * complex(y, x) / complex(x+1, y)
		mix(real(c), imag(c), math.Sqrt(x), math.Inf(1)-math.Inf(1), -math.Sqrt(y)) // some are NaN, of any sign
		mix(signs(x)...)
		s, k := math.Sincos(y)
		mix(s, k, math.Mod(x, y), math.Floor(y), math.Ldexp(x, -1060)*y)
	}
	fmt.Printf("hash %016x\n", hash)
	fmt.Printf("version %s, %s\n", version, overlaid())
}

var version = "unknown"
