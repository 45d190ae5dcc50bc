// Command numbers shows rules of detlint that are about architectures: numbers RULE wrong|right prints
// what a calculation comes to. It is built for several.
package main

import (
	"math"
	"os"
	"strconv"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/math32"
)

// The operands are variables, so that the compiler does not calculate.
var (
	x, y, z = 0.1, 10.0, -1.0
	large   = 1e20
	count   = 100000

	wide     int64 = 0x66721bc00000
	infinite       = math.Inf(1)
)

//go:noinline
func rounded(x, y, z float64) float64 { return float64(x*y) + z }

//go:noinline
func fused(x, y, z float64) float64 { return x*y + z }

func main() {
	wrong := os.Args[2] == "wrong"
	result, sum := 0.0, uint64(0)
	switch os.Args[1] {
	case "fusedfloat":
		if result = rounded(x, y, z); wrong {
			result = fused(x, y, z)
		}
	case "mathfunc":
		for i := range 1000 {
			v := float64(i) / 37
			if wrong {
				v = math.Pow(v, 1.7) + math.Sin(v) + math.Exp(v/10)
			} else {
				v = math.Sqrt(v)
			}
			sum = sum*31 + math.Float64bits(v)
		}
	case "floatint":
		if wrong {
			result = float64(int64(large))
		} else if large >= -1000 && large <= 1000 {
			result = float64(int64(large))
		}
	case "intfloat":
		if result = float64(math32.FromInt64(wide)); wrong {
			result = float64(float32(wide))
		}
	case "nanbits":
		if sum = portable.Float64bits(infinite - infinite); wrong {
			sum = math.Float64bits(infinite - infinite)
		}
	case "intwidth":
		if wide := int64(count) * int64(count); wrong {
			result = float64(int64(count * count))
		} else {
			result = float64(wide)
		}
	}
	println(strconv.FormatUint(sum+math.Float64bits(result), 16))
}
