package main

import (
	"math"

	"github.com/tickback/tickback/portable"
)

// functions are the functions of package math, with the bounds between which points are drawn, and the correctly rounded
// results if package portable has them.
var functions = []struct {
	name      string
	low, high float64
	of        func(x, y float64) float64
	nearest   func(x, y float64) float64
}{
	{"Acos", -1, 1, one(math.Acos), one(portable.Acos)},
	{"Acosh", 1, 500, one(math.Acosh), one(portable.Acosh)},
	{"Asin", -1, 1, one(math.Asin), one(portable.Asin)},
	{"Asinh", -500, 500, one(math.Asinh), one(portable.Asinh)},
	{"Atan", -20, 20, one(math.Atan), one(portable.Atan)},
	{"Atan2", -20, 20, math.Atan2, portable.Atan2},
	{"Atanh", -1, 1, one(math.Atanh), one(portable.Atanh)},
	{"Cbrt", -500, 500, one(math.Cbrt), one(portable.Cbrt)},
	{"Cos", -500, 500, one(math.Cos), one(portable.Cos)},
	{"Cosh", -20, 20, one(math.Cosh), one(portable.Cosh)},
	{"Exp", -20, 20, one(math.Exp), one(portable.Exp)},
	{"Exp2", -20, 20, one(math.Exp2), one(portable.Exp2)},
	{"Expm1", -20, 20, one(math.Expm1), one(portable.Expm1)},
	{"Hypot", -500, 500, math.Hypot, portable.Hypot},
	{"Log", 0, 500, one(math.Log), one(portable.Log)},
	{"Log10", 0, 500, one(math.Log10), one(portable.Log10)},
	{"Log1p", -1, 500, one(math.Log1p), one(portable.Log1p)},
	{"Log2", 0, 500, one(math.Log2), one(portable.Log2)},
	{"Pow", 0, 20, math.Pow, portable.Pow},
	{"Sin", -500, 500, one(math.Sin), one(portable.Sin)},
	{"Sinh", -20, 20, one(math.Sinh), one(portable.Sinh)},
	{"Tan", -500, 500, one(math.Tan), one(portable.Tan)},
	{"Tanh", -5, 5, one(math.Tanh), one(portable.Tanh)},
	{"Sincos", -500, 500, func(x, y float64) float64 { s, c := math.Sincos(x); return pick(y > 0, s, c) }, nil},
	{"Erf", -5, 5, one(math.Erf), nil},
	{"Erfc", -5, 5, one(math.Erfc), nil},
	{"Erfinv", -1, 1, one(math.Erfinv), nil},
	{"Erfcinv", 0, 2, one(math.Erfcinv), nil},
	{"Gamma", -20, 20, one(math.Gamma), nil},
	{"Lgamma", -20, 20, func(x, _ float64) float64 { l, _ := math.Lgamma(x); return l }, nil},
	{"J0", -50, 50, one(math.J0), nil},
	{"J1", -50, 50, one(math.J1), nil},
	{"Jn", -50, 50, func(x, y float64) float64 { return math.Jn(int(y), x) }, nil},
	{"Y0", 0, 50, one(math.Y0), nil},
	{"Y1", 0, 50, one(math.Y1), nil},
	{"Yn", 0, 50, func(x, y float64) float64 { return math.Yn(int(y), x) }, nil},
	{"Pow10", -300, 300, func(x, _ float64) float64 { return math.Pow10(int(x)) }, nil},
	{"Abs", -500, 500, one(math.Abs), nil},
	{"Ceil", -500, 500, one(math.Ceil), nil},
	{"Copysign", -500, 500, math.Copysign, nil},
	{"Dim", -500, 500, math.Dim, nil},
	{"FMA", -500, 500, func(x, y float64) float64 { return math.FMA(x, y, x) }, nil},
	{"Floor", -500, 500, one(math.Floor), nil},
	{"Frexp", -500, 500, func(x, _ float64) float64 { f, _ := math.Frexp(x); return f }, nil},
	{"Ldexp", -500, 500, func(x, y float64) float64 { return math.Ldexp(x, int(y)) }, nil},
	{"Logb", -500, 500, one(math.Logb), nil},
	{"Max", -500, 500, math.Max, nil},
	{"Min", -500, 500, math.Min, nil},
	{"Mod", -500, 500, math.Mod, nil},
	{"Modf", -500, 500, func(x, _ float64) float64 { _, f := math.Modf(x); return f }, nil},
	{"Nextafter", -500, 500, math.Nextafter, nil},
	{"Remainder", -500, 500, math.Remainder, nil},
	{"Round", -500, 500, one(math.Round), nil},
	{"RoundToEven", -500, 500, one(math.RoundToEven), nil},
	{"Sqrt", 0, 500, one(math.Sqrt), nil},
	{"Trunc", -500, 500, one(math.Trunc), nil},
}

func one(f func(float64) float64) func(x, _ float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}
