package draw_test

import (
	"image/color"
	"testing"

	"github.com/tickback/tickback/play/draw"
)

// quarters is a sheet of four colours.
func quarters() *draw.Sheet {
	s := draw.NewSheet(20, 20)
	for y := range 20 {
		for x := range 20 {
			s.Image.SetRGBA(x, y, [...]color.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}[y/10*2+x/10])
		}
	}
	return s
}

// A part of a sheet has its own colours, multiplied by that of the sprite.
func TestASpriteHasItsColours(t *testing.T) {
	s := quarters()
	m := painted(1, func(c *draw.Canvas) {
		c.Sprite(s, s.Box(), draw.Box{X: 10, Y: 10, W: 40, H: 40}, white)
		c.Sprite(s, draw.Box{X: 12, Y: 12, W: 6, H: 6}, draw.Box{X: 60, Y: 60, W: 20, H: 20}, draw.RGB(0xFF8000))
		c.Rect(draw.Box{X: 60, Y: 10, W: 20, H: 10}, white) // from the atlas again
	})
	for _, p := range []struct {
		x, y int
		want color.RGBA
	}{
		{20, 20, color.RGBA{255, 0, 0, 255}},
		{40, 20, color.RGBA{0, 255, 0, 255}},
		{20, 40, color.RGBA{0, 0, 255, 255}},
		{70, 70, color.RGBA{255, 128, 0, 255}},
		{65, 15, color.RGBA{255, 255, 255, 255}},
	} {
		if got := m.RGBAAt(p.x, p.y); got != p.want {
			t.Errorf("pixel %d,%d is %v, want %v", p.x, p.y, got, p.want)
		}
	}
}

// A sprite that is rotated by a quarter turn shows its upper left corner at the upper right.
func TestASpriteTurns(t *testing.T) {
	s := quarters()
	m := painted(2, func(c *draw.Canvas) {
		c.Turned(s, s.Box(), draw.Point{X: 25, Y: 25}, draw.Point{Y: 10}, draw.Point{X: -10}, white)
	})
	if got := m.RGBAAt(60, 40); got != (color.RGBA{255, 0, 0, 255}) {
		t.Errorf("the upper right is %v", got)
	}
	if got := m.RGBAAt(60, 60); got != (color.RGBA{0, 255, 0, 255}) {
		t.Errorf("the lower right is %v", got)
	}
}

// Sprites of one sheet are one batch, and a clip applies to them.
func TestSpritesAreOneBatch(t *testing.T) {
	s := quarters()
	c := draw.NewCanvas(draw.NewAtlas())
	c.Begin(1)
	c.Rect(draw.Box{W: 10, H: 10}, white)
	c.Clip(draw.Box{W: 50, H: 50})
	for i := range 1000 {
		c.Sprite(s, s.Box(), draw.Box{X: float32(i), W: 10, H: 10}, white)
	}
	c.Text(draw.Point{X: 10, Y: 10}, 20, draw.Left, white, "A")
	c.Unclip()
	c.Rect(draw.Box{W: 10, H: 10}, white)
	var sprites, rest int
	c.Parts(func(indices []uint32, how draw.Cut) {
		if how.Sheet == nil {
			rest++
			return
		}
		sprites++
		if len(indices) != 6000 || how.Part.Dx() != 50 {
			t.Errorf("a batch of %d indices in %v", len(indices), how.Part)
		}
	})
	if sprites != 1 || rest != 3 {
		t.Errorf("%d batches of sprites, and %d others", sprites, rest)
	}
}
