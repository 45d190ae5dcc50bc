package main

import . "math"

// signs asks for the sign of a NaN in every way in which a program can.
func signs(x float64) []float64 {
	both := func() (float64, float64) { return 3, Inf(1)*x - Inf(1)*x }
	nan := Sqrt(-Abs(x) - 1)
	f := Copysign
	return []float64{Copysign(3, nan), Copysign(both()), (Copysign)(4, -nan), f(both()), f(5, -nan)}
}
