package fixed

import "testing"

// Rule: the way out to floats is the nearest float64, component by component.
func TestFloatForDrawingIsNearest(t *testing.T) {
	for n, want := range map[Num]float64{
		0: 0, One: 1, -Half: -0.5, 1: 1.0 / 65536, Min: -1 << 47, Max: 1 << 47,
	} {
		if got := n.FloatForDrawing(); got != want {
			t.Errorf("(%v).FloatForDrawing() = %v, want %v", n, got, want)
		}
	}
	if x, y := (Vec2{One, -Half}).FloatsForDrawing(); x != 1 || y != -0.5 {
		t.Errorf("FloatsForDrawing() = %v, %v", x, y)
	}
}
