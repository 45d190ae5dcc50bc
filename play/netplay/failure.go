package netplay

import (
	"errors"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// drawTrouble draws what went wrong, and returns which button was pressed, or -1.
func drawTrouble(p *app.Picture, t *trouble, buttons ...string) (pressed int) {
	c := p.C
	c.Shade(p.Box, draw.RGB(0x3A2238), look.Night)
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

// failedScene is a room that could not be entered.
type failedScene struct {
	cfg     Config
	trouble trouble
}

func (f *failedScene) Name() string { return "failed" }

func (f *failedScene) Report(s *app.Status) { s.Message = f.trouble.text() }

func (f *failedScene) Picture(p *app.Picture) app.Scene {
	switch pressed := drawTrouble(p, &f.trouble, "Try again", "Another room", "To the title"); {
	case pressed == 0 && f.cfg.Link != "":
		return join(p.App, f.cfg, f.cfg.Link)
	case pressed == 0:
		return create(p.App, f.cfg)
	case pressed == 1:
		f.cfg.Link = ""
		return f.cfg.way.setup(p.App, f.cfg)
	case pressed == 2 || p.UI.Back():
		return p.App.Title()
	}
	return f
}

// failure shows what went wrong in the room, and leads back to the room if it still exists.
func (v *visit) failure(p *app.Picture) app.Scene {
	buttons := []string{"Back to the room", "Leave the room"}
	over := v.room.Err() != nil
	switch {
	case errors.Is(v.room.Err(), rooms.ErrKicked):
		if drawTrouble(p, v.failed, "To the title") == 0 || p.UI.Back() {
			v.leave()
			return p.App.Title()
		}
		return v
	case over:
		buttons[0] = "Try again"
	}
	if v.failed.Report != nil && v.cfg.Machine.Save != nil {
		buttons = append(buttons, "Save the report")
	}
	switch pressed := drawTrouble(p, v.failed, buttons...); {
	case pressed == 0 && over:
		cfg, link := v.cfg, v.room.Link()
		v.abandon()
		return join(p.App, cfg, link)
	case pressed == 0:
		v.failed = nil
		v.again = v.state.Match != 0
	case pressed == 1 || p.UI.Back():
		v.leave()
		return p.App.Title()
	case pressed == 2:
		v.cfg.Machine.Save("desync-report.bin", v.failed.Report)
		v.notices.add("The report is saved", 3)
	}
	return v
}

// abandon leaves, but keeps the place for coming back.
func (v *visit) abandon() {
	v.drop()
	closing, room := v.closing, v.room
	go func() {
		if closing != nil {
			<-closing
		}
		room.Abandon()
		v.cfg.way.left(room)
	}()
}
