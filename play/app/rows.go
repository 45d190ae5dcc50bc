package app

import "github.com/tickback/tickback/play/draw"

// Rows returns the boxes of n rows of widgets below each other: the first box, and others with a gap between them. On
// a touch screen they are higher if there is room for that above bottom, and may begin at top, above the first box.
func (p *Picture) Rows(first draw.Box, n int, gap, top, bottom float32) (next func() draw.Box) {
	step := first.H + gap
	if finger := p.UIInput.Finger; finger > step {
		step = max(step, min(finger, (bottom-top)/float32(n)))
		first.Y = max(top, min(first.Y, bottom-step*float32(n)))
		first.H = step - gap
	}
	return func() draw.Box {
		b := first
		first.Y += step
		return b
	}
}

// Menu returns the boxes of the n buttons of a menu in the middle of the picture: in two columns if they are for
// fingers and do not fit in one.
func (p *Picture) Menu(n int, y, wide, high, gap, bottom float32) (next func() draw.Box) {
	first := draw.Box{X: Width/2 - wide/2, Y: y, W: wide, H: high}
	if finger := p.UIInput.Finger; finger <= high+gap || finger*float32(n) <= bottom-y {
		return p.Rows(first, n, gap, y, bottom)
	}
	first.X = Width/2 - wide - 8
	half, i := (n+1)/2, 0
	column := p.Rows(first, half, gap, y, bottom)
	return func() draw.Box {
		if i == half {
			first.X += wide + 16
			column = p.Rows(first, half, gap, y, bottom)
		}
		i++
		return column()
	}
}

// Below returns a y coordinate in the upper part of the picture, or a lower one if the pause button of a touch screen
// is there.
func (p *Picture) Below(y float32) float32 { return max(y, p.pauseEnd) }

// covered returns the fraction of the picture's width that touch controls cover at each side, if there are any.
func (p *Picture) covered() float32 {
	if p.Pad == nil || len(p.Pad.Buttons) == 0 {
		return 0
	}
	left, right := p.free.X, p.Box.W-p.free.X-p.free.W
	return max(left, right, 0) / p.Box.W
}

// Free returns the part of the picture between the shown touch controls, at its lower edge.
func (p *Picture) Free() draw.Box {
	if p.Pad == nil || len(p.Pad.Buttons) == 0 || !p.App.touch.playing {
		return p.Box
	}
	return p.free
}
