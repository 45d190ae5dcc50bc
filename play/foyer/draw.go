package foyer

import (
	"strings"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// Draw draws what went wrong, and returns which button was pressed, or -1.
func (t *Trouble) Draw(p *app.Picture, buttons ...string) (pressed int) {
	c := p.C
	c.Shade(p.Full, draw.RGB(0x3A2238), look.Night)
	c.Text(draw.Point{X: app.Width / 2, Y: 220}, 50, draw.Middle, look.Red, t.Title)
	y := float32(290)
	for i, text := range []string{t.What, t.Help} {
		for _, line := range app.Wrap(c, text, 25, 980) {
			c.Text(draw.Point{X: app.Width / 2, Y: y}, 25, draw.Middle, []draw.Color{look.Paper, look.Gold}[i], line)
			y += 36
		}
		y += 16
	}
	pressed = -1
	w := float32(280)
	box := draw.Box{X: app.Width/2 - (float32(len(buttons))*(w+24)-24)/2, Y: 540, W: w, H: 60}
	for i, label := range buttons {
		if p.UI.Button(box, label) {
			pressed = i
		}
		box.X += w + 24
	}
	return pressed
}

// Backdrop draws the background of menus.
func Backdrop(p *app.Picture, time float32) {
	p.C.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	if p.App.Settings.ReducedMotion {
		time = 0
	}
	top, bottom := p.Full.Y, p.Full.Y+p.Full.H
	for i := range 6 {
		x := 1280 - float32((int(time*22)+i*260)%1560)
		p.C.Poly([]draw.Point{{X: x, Y: top}, {X: x + 90, Y: top}, {X: x - 60, Y: bottom}, {X: x - 150, Y: bottom}},
			look.Paper.Alpha(0.022), look.Paper.Alpha(0.022), look.Paper.Alpha(0), look.Paper.Alpha(0))
	}
}

// Dots returns one to three dots, as a sign of waiting.
func Dots(time float32) string { return strings.Repeat(".", 1+int(time*3)%3) }
