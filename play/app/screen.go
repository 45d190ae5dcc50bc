package app

import (
	"math"

	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// What people need on a small screen, in points: pixels of a screen that has one pixel per point.
const (
	leastText = 11 // the height of a font
	finger    = 44 // the minimum height of a touch target
)

// The maximum of these sizes in units: layouts have room for this much, which they need on a phone held sideways.
const (
	mostText   = 21.2
	mostFinger = 90
)

// screen describes where the picture is on a screen.
type screen struct {
	w, h    float32  // the size of the screen in pixels, in the orientation of the picture
	box     draw.Box // the position of the picture, in pixels
	scale   float32
	density float32  // pixels per point
	touch   draw.Box // what the touch buttons may cover, in pixels
	upright bool     // a touch screen that is higher than wide: the picture is small
	turned  bool     // the picture is turned by a quarter, clockwise
}

// layout centers the picture on a wide screen. On an upright touch screen it is near the top, with the touch buttons
// below, or turned.
func layout(d *controls.Devices, w, h float32, turned bool) screen {
	s := screen{w: w, h: h, density: d.Density}
	if s.density == 0 {
		s.density = 1
	}
	if s.turned = turned && d.Touch && h > w; s.turned {
		s.w, s.h = h, w
	}
	s.upright = d.Touch && s.h > s.w
	s.scale, s.touch = min(s.w/Width, s.h/Height), draw.Box{W: s.w, H: s.h}
	s.box = draw.Box{W: Width * s.scale, H: Height * s.scale}
	s.box.X, s.box.Y = (s.w-s.box.W)/2, (s.h-s.box.H)/2
	if s.upright {
		s.box.Y = (s.h - s.box.H) * 0.25
		top := s.box.Y + s.box.H
		s.touch = draw.Box{Y: top, W: s.w, H: s.h - top}
	}
	return s
}

// touchScreen is what a touch screen shows in addition to the scene.
type touchScreen struct {
	playing bool // the scene is a game, and has buttons
	turned  bool // the picture was turned by the player, whose device is upright
	stopped bool // pause was pressed through a screen reader
}

// set records whether the scene is a game, and whether pause was pressed.
func (t *touchScreen) set(playing, stopped bool) { t.playing, t.stopped = playing, stopped }

// layout computes the position of the picture, after handling the button that turns it. held is true unless
// something has just been pressed.
func (t *touchScreen) layout(d *controls.Devices, held bool, w, h float32) screen {
	s := layout(d, w, h, t.turned)
	if b, shown := s.turn(); shown && !held && b.Has(s.straight(d.Pointer)) {
		t.turned = !t.turned
		s = layout(d, w, h, t.turned)
	}
	return s
}

// full returns the whole part of the screen that shows the scene, in units.
func (s *screen) full() draw.Box {
	if s.upright {
		return draw.Box{W: Width, H: Height}
	}
	return draw.Box{X: -s.box.X / s.scale, Y: -s.box.Y / s.scale, W: s.w / s.scale, H: s.h / s.scale}
}

// straight returns the position of a pixel in the orientation of the picture.
func (s *screen) straight(p draw.Point) draw.Point {
	if s.turned {
		return draw.Point{X: p.Y, Y: s.h - p.X}
	}
	return p
}

// units returns the position of a pixel in the picture.
func (s *screen) units(p draw.Point) draw.Point {
	return s.straight(p).Minus(draw.Point{X: s.box.X, Y: s.box.Y}).Times(1 / s.scale)
}

// begin begins a picture: the following coordinates are in pixels, in the orientation of the picture.
func (s *screen) begin(c *draw.Canvas) {
	c.Least = min(leastText*s.density, mostText*s.scale)
	c.Begin(1)
	if s.turned {
		c.Translate(s.h, 0)
		c.Rotate(math.Pi / 2)
	}
}

// least returns the height of a widget for a finger, in units.
func (s *screen) least(d *controls.Devices) float32 {
	if !d.Touch {
		return 0
	}
	return min(finger*s.density/s.scale, mostFinger)
}

// beside returns the width of the margin at each side of the picture, in pixels.
func (s *screen) beside() float32 {
	if s.upright {
		return 0
	}
	return s.box.X
}

// clear returns the part of a box of the picture between the stick and the buttons.
func (s *screen) clear(pad *controls.TouchPad, b draw.Box) draw.Box {
	if s.upright {
		return b
	}
	left, right := max(0, (pad.Stick.X+pad.Stick.W-s.box.X)/s.scale), b.W
	for _, k := range pad.Buttons {
		right = min(right, (k.At.X-k.Radius-s.box.X)/s.scale)
	}
	return draw.Box{X: left, Y: b.Y, W: right - left, H: b.H}
}

// pause returns the position of the pause button on a touch screen: beside the picture, above or below it, or at its
// upper edge below the clock.
func (s *screen) pause() draw.Box {
	size := finger * s.density
	switch turn, _ := s.turn(); {
	case s.beside() > size:
		room := s.beside()
		return draw.Box{X: (room - size) / 2, Y: (room - size) / 2, W: size, H: size}
	case !s.upright && s.box.Y > size:
		return draw.Box{X: (s.w - size) / 2, Y: (s.box.Y - size) / 2, W: size, H: size}
	case s.upright:
		return draw.Box{X: (s.w - size) / 2, Y: turn.Y + 2*size, W: size, H: size}
	}
	return draw.Box{X: (s.w - size) / 2, Y: s.box.Y + 86*s.scale, W: size, H: size}
}

// pauseEnd returns how far down the pause button covers the upper part of the picture, in units; 0 if it is outside.
func (s *screen) pauseEnd() float32 {
	if s.upright || s.beside() > finger*s.density || s.box.Y > finger*s.density {
		return 0
	}
	b := s.pause()
	return (b.Y+b.H-s.box.Y)/s.scale + 10
}

// drawPause draws the pause button.
func (s *screen) drawPause(c *draw.Canvas) {
	b := s.pause()
	c.Mark(draw.MarkTouch, b, "pause")
	c.Mark(draw.MarkTarget, b, "pause")
	white, k := draw.RGB(0xFFFFFF), b.W/50
	c.RoundRect(b, 12*k, white.Alpha(0.16))
	for _, x := range []float32{-11, 4} {
		c.RoundRect(draw.Box{X: b.Centre().X + x*k, Y: b.Y + 14*k, W: 7 * k, H: b.H - 28*k}, 2*k, white.Alpha(0.6))
	}
}

// turn returns the position of the button that turns the picture on an upright touch screen. A device can be locked
// so that turning it has no effect.
func (s *screen) turn() (b draw.Box, shown bool) {
	high := finger * s.density
	switch {
	case s.turned:
		room := s.box.X // beside the picture
		return draw.Box{X: s.w - room/2 - high/2, Y: room/2 - high/2, W: high, H: high}, true
	case s.upright:
		w := min(6*high, s.w*0.8)
		return draw.Box{X: (s.w - w) / 2, Y: s.box.Y + s.box.H + 1.5*high, W: w, H: high}, true
	}
	return draw.Box{}, false
}

// drawTurn draws the button, and what it is for.
func (s *screen) drawTurn(c *draw.Canvas) {
	b, shown := s.turn()
	if !shown {
		return
	}
	c.Mark(draw.MarkTouch, b, "turn")
	c.Mark(draw.MarkTarget, b, "turn")
	if s.turned {
		middle := b.Centre()
		c.Circle(middle, b.W/2, look.Paper.Alpha(0.16))
		drawArrow(c, middle, b.W*0.24)
		return
	}
	size := b.H * 0.38
	c.Text(draw.Point{X: s.w / 2, Y: b.Y - b.H*0.5}, size, draw.Middle, look.Paper, words.T("Turn the device for a larger picture"))
	c.RoundRect(b, b.H/4, look.Gold)
	c.Text(draw.Point{X: s.w / 2, Y: b.Y + b.H/2 + size*0.35}, size, draw.Middle, look.Ink, words.T("Turn the picture"))
}

// drawArrow draws an arrow along three quarters of a circle.
func drawArrow(c *draw.Canvas, at draw.Point, r float32) {
	c.Arc(at, r, r*0.3, -math.Pi/2, math.Pi, look.Paper)
	tip := at.Plus(draw.Point{Y: -r})
	c.Poly([]draw.Point{tip.Plus(draw.Point{X: -r * 0.7}), tip.Plus(draw.Point{X: r * 0.1, Y: -r * 0.5}), tip.Plus(draw.Point{X: r * 0.1, Y: r * 0.5})}, look.Paper)
}
