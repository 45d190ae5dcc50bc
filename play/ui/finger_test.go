package ui_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// Rule: a finger hits the nearest widget, if it is not farther away than the height of a finger allows. A mouse hits
// the widget below it.
func TestAFingerMeetsTheNearestWidget(t *testing.T) {
	for _, c := range []struct{ y, finger, want float32 }{
		{20, 0, 0},
		{44, 0, -1},
		{46, 0, -1},
		{44, 60, 0},
		{47, 60, 1},
		{-8, 60, 0},
		{-14, 60, -1},
		{96, 60, 1},
		{104, 60, -1},
		{44, 42, -1},
	} {
		var u ui.UI
		canvas, pressed := draw.NewCanvas(draw.NewAtlas()), float32(-1)
		for _, down := range []bool{false, true, false} {
			canvas.Begin(1)
			u.Begin(canvas, ui.Input{Pointer: draw.Point{X: 50, Y: c.y}, Down: down, Finger: c.finger}, 1.0/60)
			for i := range 2 {
				if u.Button(draw.Box{Y: float32(i) * 50, W: 100, H: 40}, fmt.Sprint(i)) {
					pressed = float32(i)
				}
			}
			u.End()
		}
		if pressed != c.want {
			t.Errorf("a touch at %v with a finger of %v presses %v, want %v", c.y, c.finger, pressed, c.want)
		}
	}
}
