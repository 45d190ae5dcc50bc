package fixed

// FloatForDrawing returns n as the nearest float64, for a renderer or an audio
// mixer at the edge of the program. It must not reach a simulation step: float
// arithmetic differs between compilers and processors. There is no way back into
// a [Num].
//
//tickback:drawing
func (n Num) FloatForDrawing() float64 {
	return float64(n) / float64(One) // dividing by a power of two is exact
}

// FloatsForDrawing returns the components of v as the nearest float64s, under the same
// conditions as [Num.FloatForDrawing].
//
//tickback:drawing
func (v Vec2) FloatsForDrawing() (x, y float64) {
	return v.X.FloatForDrawing(), v.Y.FloatForDrawing()
}
