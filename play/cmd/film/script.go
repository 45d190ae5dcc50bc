package main

import (
	"fmt"
	"image"
	"time"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// script is what is filmed.
type script struct {
	mode          string
	seed          uint32
	width, height int           // the size of the film; the lower part of a 16:9 screen is left out
	hundredths    int           // how long each picture is shown, in hundredths of a second
	every         int           // one of this many pictures of the app is in the film
	from, to      time.Duration // the part of the app's time that is filmed
	drags         []drag
}

// drag is a slider of the lab that is moved from one place to another.
type drag struct {
	y, x0, x1 float32 // the positions, in units of the app
	from, to  time.Duration
}

// theLab begins with a common network, and then raises its delay from 60 to 150 ms, and its losses
// from 0 to 15 percent.
var theLab = script{
	mode: "lab", seed: 7, width: 720, height: 364, hundredths: 7, every: 4,
	from: 2 * time.Second, to: 7500 * time.Millisecond,
	drags: []drag{
		{518, 215, 258, 3 * time.Second, 3800 * time.Millisecond},
		{518, 611, 664, 4600 * time.Millisecond, 5400 * time.Millisecond},
	},
}

// oversampling is how many pixels are painted, across and down, for each pixel of the film.
const oversampling = 2

// appRate is how many times per second the app advances.
const appRate = 60

// picture is an opaque picture of the film.
type picture = *image.RGBA

// shoot plays a script, and reports its progress.
func shoot(s script, progress func(done, of int)) (pictures []picture, err error) {
	a := app.New(app.Options{Mode: s.mode, Auto: true, Seed: s.seed})
	a.Settings.ReducedMotion = true // less motion makes a smaller file
	c := draw.NewCanvas(draw.NewAtlas())
	large := image.NewRGBA(image.Rect(0, 0, s.width*oversampling, s.height*oversampling))
	w := float32(large.Rect.Dx())
	first, last := s.picture(s.from), s.picture(s.to)
	for i := range last {
		d := s.devices(time.Duration(i)*time.Second/appRate, w/app.Width)
		a.Picture(c, &d, w, w*app.Height/app.Width, 1.0/appRate)
		if e := a.Status().Errors; len(e) > 0 {
			return nil, fmt.Errorf("in picture %d: %v", i, e)
		}
		if i < first || (i-first)%s.every != 0 {
			continue
		}
		draw.Paint(large, c)
		pictures = append(pictures, shrink(large, oversampling))
		progress(i-first, last-first)
	}
	return pictures, nil
}

// picture returns the number of the app's picture at a time.
func (s *script) picture(at time.Duration) int { return int(at * appRate / time.Second) }

// devices returns the input at a time, on a screen with this many pixels per unit.
func (s *script) devices(at time.Duration, scale float32) (d controls.Devices) {
	for _, g := range s.drags {
		if at >= g.from && at < g.to {
			share := float32(at-g.from) / float32(g.to-g.from)
			d.Pointer = draw.Point{X: g.x0 + (g.x1-g.x0)*share, Y: g.y}.Times(scale)
			d.Down = true
		}
	}
	return d
}

// shrink reduces a picture: each square of by × by pixels becomes one pixel.
func shrink(m *image.RGBA, by int) *image.RGBA {
	small := image.NewRGBA(image.Rect(0, 0, m.Rect.Dx()/by, m.Rect.Dy()/by))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var sum [3]int
			for dy := range by {
				at := m.PixOffset(x*by, y*by+dy)
				for i := range by * 4 {
					if i%4 < 3 {
						sum[i%4] += int(m.Pix[at+i])
					}
				}
			}
			at := small.PixOffset(x, y)
			for i, v := range sum {
				small.Pix[at+i] = uint8((v + by*by/2) / (by * by))
			}
			small.Pix[at+3] = 255
		}
	}
	return small
}
