package app

import (
	"fmt"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// label shows a text in the place where [Picture.chips] shows a choice.
func (p *Picture) label(text string) {
	const size, high = 22, 48
	width, top := p.C.TextWidth(size, text), p.Below(108)
	p.C.RoundRect(draw.Box{X: Width/2 - width/2 - 20, Y: top, W: width + 40, H: high}, 14, look.Ink.Alpha(0.75))
	p.C.Text(draw.Point{X: Width / 2, Y: top + high/2 + 8}, size, draw.Middle, look.Paper, text)
}

// chips shows a choice between several values during a game, where the arrows and Enter control the fighter: a value
// is selected with the keys 1, 2 and so on, or with the pointer. It returns the index of the selected one.
func (p *Picture) chips(label string, chosen int, of []string) int {
	const size, gap = 22, 10
	high, top := float32(48), p.Below(108)
	if p.Pad != nil { // large enough for a finger
		high = max(84, p.UIInput.Finger)
	}
	c := p.C
	width := c.TextWidth(size, label) + 14
	box := draw.Box{Y: top, W: 150, H: high}
	box.X = (p.Box.W-width-float32(len(of))*(box.W+gap))/2 + width
	c.RoundRect(draw.Box{X: box.X - width - 16, Y: top - 8, W: width + float32(len(of))*(box.W+gap) + 24, H: high + 16}, 14, look.Ink.Alpha(0.75))
	c.Text(draw.Point{X: box.X - 14, Y: top + high/2 + 8}, size, draw.Right, look.Paper, label)
	for i, text := range of {
		fresh := p.App.input.pressed(p.Devices) && box.Has(p.Devices.Pointer) || p.UI.Offer(box, "chip", i, text)
		if fresh || p.pressed(controls.Key(fmt.Sprintf("Digit%d", i+1))) {
			chosen = i
		}
		fill, ink := look.Dim.Alpha(0.3), look.Paper
		if i == chosen {
			fill, ink = look.Gold, look.Ink
		}
		c.RoundRect(box, 10, fill)
		if p.Pad == nil {
			text = fmt.Sprintf("%d  %s", i+1, text)
		}
		m := c.Mirror
		c.Mirror = nil // it has already been offered
		c.Text(draw.Point{X: box.Centre().X, Y: top + high/2 + 8}, size, draw.Middle, ink, text)
		c.Mirror = m
		box.X += box.W + gap
	}
	return chosen
}
