package draw_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/tickback/tickback/play/draw"
)

// painted draws on a black picture of 100 by 100 pixels.
func painted(scale float32, what func(c *draw.Canvas)) *image.RGBA {
	c := draw.NewCanvas(draw.NewAtlas())
	c.Begin(scale)
	what(c)
	to := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for i := 3; i < len(to.Pix); i += 4 {
		to.Pix[i] = 255
	}
	draw.Paint(to, c)
	return to
}

// ink returns the sum of all red, in pixels.
func ink(m *image.RGBA) (sum float64) {
	for i := 0; i < len(m.Pix); i += 4 {
		sum += float64(m.Pix[i]) / 255
	}
	return sum
}

var white = draw.RGB(0xFFFFFF)

// A shading of several colours has no seam: with one half-transparent colour, each pixel gets it once, and in a column
// the brightness only changes where the stops do.
func TestAShadingHasNoSeam(t *testing.T) {
	half := white.Alpha(0.5)
	even := painted(1, func(c *draw.Canvas) {
		c.ShadeBy(draw.Box{W: 100, H: 100}, draw.Stop{Col: half}, draw.Stop{At: 0.3, Col: half}, draw.Stop{At: 0.555, Col: half}, draw.Stop{At: 1, Col: half})
	})
	for i := 0; i < len(even.Pix); i += 4 {
		if d := int(even.Pix[i]) - 128; d < -1 || d > 1 {
			t.Fatalf("pixel %d, %d has %d", i/4%100, i/400, even.Pix[i])
		}
	}
	grows := painted(1, func(c *draw.Canvas) {
		c.ShadeBy(draw.Box{W: 100, H: 100}, draw.Stop{Col: white.Alpha(0)}, draw.Stop{At: 0.4, Col: half}, draw.Stop{At: 1, Col: white})
	})
	for y := range 99 {
		if a, b := int(grows.Pix[400*y+200]), int(grows.Pix[400*(y+1)+200]); b < a || b > a+5 {
			t.Fatalf("row %d has %d, and the next %d", y, a, b)
		}
	}
	if at := grows.Pix[400*40+200]; at < 120 || at > 136 {
		t.Errorf("the second stop has %d", at)
	}
}

// A shape covers its area, and no pixel twice: the brightness is one half everywhere inside.
func TestShapesCoverTheirArea(t *testing.T) {
	for _, c := range []struct {
		name string
		what func(c *draw.Canvas, col draw.Color)
		area float64
	}{
		{"rect", func(c *draw.Canvas, col draw.Color) { c.Rect(draw.Box{X: 20, Y: 20, W: 40, H: 30}, col) }, 1200},
		{"turned polygon", func(c *draw.Canvas, col draw.Color) {
			c.Poly([]draw.Point{{X: 20, Y: 20}, {X: 20, Y: 60}, {X: 60, Y: 60}}, col)
		}, 800},
		{"circle", func(c *draw.Canvas, col draw.Color) { c.Circle(draw.Point{X: 50, Y: 50}, 30, col) }, math.Pi * 900},
		{"capsule", func(c *draw.Canvas, col draw.Color) {
			c.Capsule(draw.Point{X: 30, Y: 50}, draw.Point{X: 70, Y: 50}, 10, 10, col)
		}, 800 + math.Pi*100},
		{"tapered capsule inside of its end", func(c *draw.Canvas, col draw.Color) {
			c.Capsule(draw.Point{X: 50, Y: 50}, draw.Point{X: 52, Y: 50}, 20, 5, col)
		}, math.Pi * 400},
		{"ring", func(c *draw.Canvas, col draw.Color) { c.Ring(draw.Point{X: 50, Y: 50}, 30, 6, col) }, 2 * math.Pi * 30 * 6},
		{"a bar with round ends", func(c *draw.Canvas, col draw.Color) { c.RoundRect(draw.Box{X: 10, Y: 10, W: 80, H: 6}, 9, col) }, 74*6 + math.Pi*9},
		{"round rect", func(c *draw.Canvas, col draw.Color) { c.RoundRect(draw.Box{X: 10, Y: 10, W: 60, H: 40}, 10, col) }, 2400 - 400 + math.Pi*100},
	} {
		m := painted(1, func(canvas *draw.Canvas) { c.what(canvas, white.Alpha(0.5)) })
		if got := ink(m) * 2; math.Abs(got-c.area) > c.area*0.03+8 {
			t.Errorf("%s: covers %.0f pixels, want %.0f", c.name, got, c.area)
		}
		for i := 0; i < len(m.Pix); i += 4 {
			if m.Pix[i] > 129 {
				t.Errorf("%s: pixel %d is painted more than once: %d", c.name, i/4, m.Pix[i])
				break
			}
		}
	}
}

func TestTransformsNest(t *testing.T) {
	m := painted(2, func(c *draw.Canvas) {
		c.Push()
		c.Translate(25, 25)
		c.Rotate(math.Pi / 2)
		c.Scale(2, 1)
		c.Rect(draw.Box{X: 0, Y: 0, W: 10, H: 4}, white) // 20 down, 4 to the left, in units
		c.Pop()
		c.Rect(draw.Box{X: 0, Y: 0, W: 2, H: 2}, white)
	})
	for _, p := range []struct {
		x, y int
		lit  bool
	}{{46, 60, true}, {46, 86, true}, {46, 94, false}, {54, 60, false}, {40, 60, false}, {2, 2, true}} {
		if lit := m.RGBAAt(p.x, p.y).R > 128; lit != p.lit {
			t.Errorf("pixel %d,%d is lit: %v", p.x, p.y, lit)
		}
	}
}

func TestLightAddsAndAlphaCovers(t *testing.T) {
	grey := draw.RGB(0x808080)
	box := draw.Box{X: 0, Y: 0, W: 100, H: 100}
	m := painted(1, func(c *draw.Canvas) {
		c.Rect(box, grey)
		c.Rect(box, draw.RGB(0x202020).Light())
	})
	if got := m.RGBAAt(50, 50); got != (color.RGBA{0xA0, 0xA0, 0xA0, 0xFF}) {
		t.Errorf("light on grey is %v", got)
	}
}

// A text has the reported width, and its alignment moves it.
func TestTextIsWhereItsAlignmentSays(t *testing.T) {
	edges := func(a draw.Align) (left, right int, width float32) {
		m := painted(1, func(c *draw.Canvas) {
			width = c.Text(draw.Point{X: 50, Y: 60}, 24, a, white, "HIH")
		})
		left, right = 100, 0
		for x := range 100 {
			for y := range 100 {
				if m.RGBAAt(x, y).R > 64 {
					left, right = min(left, x), max(right, x)
				}
			}
		}
		return left, right, width
	}
	for _, a := range []draw.Align{draw.Left, draw.Middle, draw.Right} {
		left, right, width := edges(a)
		start := 50 - width*float32(a)/2
		if math.Abs(float64(float32(left)-start)) > 4 || math.Abs(float64(float32(right)-start-width)) > 4 {
			t.Errorf("alignment %d: from %d to %d, want about %.0f to %.0f", a, left, right, start, start+width)
		}
	}
}

// If there are more glyphs than fit, the atlas starts over instead of failing.
func TestAFullAtlasBeginsAgain(t *testing.T) {
	c := draw.NewCanvas(draw.NewAtlas())
	first := c.Atlas.Image
	for size := float32(20); size < 100; size++ {
		c.Begin(1)
		c.Text(draw.Point{X: 0, Y: 50}, size, draw.Left, white, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	if c.Atlas.Image == first {
		t.Error("the atlas was never full: the test proves nothing")
	}
}

// In the steady state a picture allocates nothing.
func TestDrawingAllocatesNothing(t *testing.T) {
	c := draw.NewCanvas(draw.NewAtlas())
	picture := func() {
		c.Begin(1)
		c.Push()
		c.Circle(draw.Point{X: 50, Y: 50}, 30, white)
		c.Capsule(draw.Point{X: 30, Y: 50}, draw.Point{X: 70, Y: 50}, 10, 6, white)
		c.Text(draw.Point{X: 0, Y: 50}, 20, draw.Left, white, "Hello")
		c.Pop()
	}
	picture()
	if n := testing.AllocsPerRun(100, picture); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAClipHidesWhatIsOutside(t *testing.T) {
	all := draw.Box{W: 100, H: 100}
	m := painted(2, func(c *draw.Canvas) {
		c.Clip(draw.Box{X: 10, Y: 10, W: 20, H: 5})
		c.Rect(all, white)
		c.Unclip()
		c.Rect(draw.Box{X: 0, Y: 45, W: 100, H: 1}, white)
	})
	if got := ink(m); math.Abs(got-(40*10+100*2)) > 3 {
		t.Errorf("%.0f pixels are lit, want 600", got)
	}
	if m.RGBAAt(22, 22).R != 255 || m.RGBAAt(18, 22).R != 0 || m.RGBAAt(62, 22).R != 0 {
		t.Error("the clip is elsewhere")
	}
}
