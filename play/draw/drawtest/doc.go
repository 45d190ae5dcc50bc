// Package drawtest checks the layout of a picture by the positions of what was drawn: nothing may be cut off, too
// small, or covered.
//
//	canvas.Marks = new(draw.Marks)
//	app.Picture(canvas, ...)
//	for _, f := range drawtest.Check(canvas.Marks, drawtest.Screen{W: 844, H: 390, Density: 1, Touch: true}) {
//		t.Error(f)
//	}
package drawtest
