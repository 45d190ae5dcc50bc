// Package calls gives products to functions, which the compiler may put right there, and fuse a sum in them with the product.
package calls

import (
	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/math32"
)

// One are functions of one product.
func One(x, y float64) (list [16]float64) {
	list[0] = portable.Abs(x * y)
	list[1] = portable.Ceil(x * y)
	list[2] = portable.Copysign(x*y, x*y)
	list[3] = portable.Floor(x * y)
	list[4] = portable.Ldexp(x*y, 3)
	list[5] = portable.Logb(x * y)
	list[6], list[7] = portable.Modf(x * y)
	list[8] = portable.Round(x * y)
	list[9] = portable.RoundToEven(x * y)
	list[10] = portable.Sqrt(x * y)
	list[11] = portable.Trunc(x * y)
	list[12] = portable.Exp(x * y)
	list[13] = portable.Sin(x * y)
	return list
}

// Two are functions of two products.
func Two(x, y float64) (list [8]float64) {
	list[0] = portable.Dim(x*y, y*y)
	list[1] = portable.Max(x*y, y*y)
	list[2] = portable.Min(x*y, y*y)
	list[3] = portable.Mod(x*y, y*y)
	list[4] = portable.Nextafter(x*y, y*y)
	list[5] = portable.Remainder(x*y, y*y)
	return list
}

// Integers are functions that return integers.
func Integers(x, y float64) (list [8]uint64) {
	list[0] = uint64(portable.Int(x * y))
	list[1] = uint64(portable.Int32(x * y))
	list[2] = uint64(portable.Int64(x * y))
	list[3] = uint64(portable.Uint32(x * y))
	list[4] = portable.Uint64(x * y)
	list[5] = portable.Float64bits(x * y)
	list[6] = uint64(portable.Ilogb(x * y))
	return list
}

// Narrow are functions of float32.
func Narrow(x, y float32) (list [8]float32) {
	list[0] = math32.Dim(x*y, y*y)
	list[1], list[2] = math32.Modf(x * y)
	list[3] = math32.Round(x * y)
	list[4] = math32.Remainder(x*y, y*y)
	list[5] = math32.Abs(x*y) + 1
	return list
}
