package drawtest_test

import (
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/draw/drawtest"
)

var (
	ink   = draw.RGB(0x101018)
	paper = draw.RGB(0xFFFFFF)
)

// Each rule finds its fault, and finds nothing in a picture without one.
func TestEachRuleFindsItsFault(t *testing.T) {
	button := draw.Box{X: 100, Y: 100, W: 200, H: 50}
	label := func(c *draw.Canvas, text string) {
		c.Mark(draw.MarkButton, button, "")
		c.RoundRect(button, 10, ink)
		c.Text(draw.Point{X: 200, Y: 132}, 20, draw.Middle, paper, text)
	}
	for _, f := range []struct {
		name, want string
		paint      func(c *draw.Canvas)
	}{
		{"a button", "", func(c *draw.Canvas) { label(c, "Play") }},
		{"a shadow", "", func(c *draw.Canvas) {
			c.Text(draw.Point{X: 102, Y: 102}, 40, draw.Left, ink, "TICKBACK")
			c.Text(draw.Point{X: 100, Y: 100}, 40, draw.Left, paper, "TICKBACK")
		}},
		{"behind a veil", "", func(c *draw.Canvas) {
			c.Text(draw.Point{X: 110, Y: 130}, 20, draw.Left, paper, "the match")
			c.Rect(draw.Box{W: 800, H: 400}, ink.Alpha(0.7))
			label(c, "Resume")
		}},
		{"a screen that has begun to fade in", "", fading(0.9)},
		{"a screen that fades in", "", fading(0.35)},
		{"a screen that has nearly faded in", "", fading(0.25)},
		{"a name in the world", "", func(c *draw.Canvas) {
			c.World()
			c.Text(draw.Point{X: -20, Y: 50}, 20, draw.Left, paper, "ADA")
		}},
		{"beyond the edge", drawtest.Outside, func(c *draw.Canvas) { c.Text(draw.Point{X: 750, Y: 50}, 20, draw.Left, paper, "frames") }},
		{"beyond a clip", drawtest.Outside, func(c *draw.Canvas) {
			c.Clip(draw.Box{W: 120, H: 400})
			c.Text(draw.Point{X: 90, Y: 50}, 20, draw.Left, paper, "frames")
		}},
		{"small", drawtest.Small, func(c *draw.Canvas) { c.Text(draw.Point{X: 50, Y: 50}, 9, draw.Left, paper, "frames") }},
		{"too long for its button", drawtest.Cut, func(c *draw.Canvas) { label(c, "Gentlemen, choose your weapons now") }},
		{"two texts", drawtest.Overlap, func(c *draw.Canvas) {
			c.Text(draw.Point{X: 50, Y: 50}, 20, draw.Left, paper, "Delay")
			c.Text(draw.Point{X: 70, Y: 55}, 20, draw.Left, paper, "Loss")
		}},
		{"two buttons", drawtest.Overlap, func(c *draw.Canvas) {
			c.Mark(draw.MarkButton, button, "")
			c.Mark(draw.MarkTouch, draw.Box{X: 280, Y: 120, W: 60, H: 60}, "stick")
		}},
		{"a panel over a text", drawtest.Covered, func(c *draw.Canvas) {
			c.Text(draw.Point{X: 90, Y: 120}, 20, draw.Left, paper, "round 1")
			c.RoundRect(button, 10, ink.Alpha(0.8))
		}},
		{"a low button", drawtest.Tight, func(c *draw.Canvas) { c.Mark(draw.MarkTarget, draw.Box{X: 10, Y: 10, W: 90, H: 30}, "") }},
		{"a stick over the fighter", drawtest.OwnFaint, func(c *draw.Canvas) {
			c.Mark(draw.MarkOwn, draw.Box{X: 60, Y: 200, W: 30, H: 80}, "ADA")
			c.Mark(draw.MarkTouch, draw.Box{X: 10, Y: 240, W: 100, H: 100}, "stick")
		}},
	} {
		c := draw.NewCanvas(draw.NewAtlas())
		c.Marks = new(draw.Marks)
		c.Begin(1)
		f.paint(c)
		got := ""
		for _, found := range drawtest.Check(c.Marks, drawtest.Screen{W: 800, H: 400, Density: 1, Touch: true}) {
			got = found.Rule
		}
		if got != f.want {
			t.Errorf("%s: %q, want %q", f.name, got, f.want)
		}
	}
}

// fading is a screen behind a plate that covers it completely and dims everything.
func fading(alpha float32) func(c *draw.Canvas) {
	return func(c *draw.Canvas) {
		c.Text(draw.Point{X: 110, Y: 130}, 20, draw.Left, paper, "the match")
		c.Rect(draw.Box{W: 800, H: 400}, ink.Alpha(alpha))
	}
}

// Marks are in pixels, whatever the transform; a small text is written in the minimum size, and has the mark of that
// size.
func TestMarksAreInPixels(t *testing.T) {
	c := draw.NewCanvas(draw.NewAtlas())
	c.Marks, c.Least = new(draw.Marks), 11
	c.Begin(1)
	c.Translate(100, 0)
	c.Scale(0.5, 0.5)
	c.Mark(draw.MarkButton, draw.Box{X: 20, Y: 40, W: 60, H: 10}, "")
	width := c.Text(draw.Point{Y: 100}, 10, draw.Left, paper, "abc")
	if b := c.Marks.List[0].Box; b != (draw.Box{X: 110, Y: 20, W: 30, H: 5}) {
		t.Errorf("the button is at %v", b)
	}
	if m := c.Marks.List[1]; m.Size < 10.99 || width != c.TextWidth(22, "abc") || m.Box.W < width/2-0.01 || m.Box.W > width/2+0.01 {
		t.Errorf("a text of %v pixels in %v, and %v units wide", m.Size, m.Box, width)
	}
}
