package app_test

import (
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
)

// busy is a scene that others wait for, and that calls back into the app.
type busy struct {
	scene
	ticks  int
	away   []bool
	pasted string
	closed bool
	nested func()
}

func (b *busy) Picture(p *app.Picture) app.Scene {
	p.App.Tick() // a message of the browser while a picture is drawn
	return b
}

func (b *busy) Tick(*app.App) app.Scene {
	b.ticks++
	b.nested()
	return b
}
func (b *busy) Away(_ *app.App, away bool) { b.away = append(b.away, away) }
func (b *busy) Pasted(text string)         { b.pasted = text }
func (b *busy) Close()                     { b.closed = true }
func (b *busy) Report(s *app.Status)       { s.Message = "busy" }

// A scene that others wait for continues while the page is hidden, but its calls never overlap.
func TestTimePassesInAHiddenPage(t *testing.T) {
	c := start(t, app.Options{})
	if c.Ticks() {
		t.Error("a local game goes on while it is hidden")
	}
	c.Tick()
	s := &busy{}
	s.nested = func() {
		c.Tick()
		c.App.Picture(draw.NewCanvas(draw.NewAtlas()), &controls.Devices{}, 640, 360, 1)
	}
	c.Add(app.Mode{ID: "busy", Open: func(*app.App) app.Scene { return s }}, true)
	c.pictures(3)
	if !c.Ticks() || s.ticks != 0 || c.Status().Pictures != 3 {
		t.Errorf("%d ticks within %d pictures", s.ticks, c.Status().Pictures)
	}
	c.Tick()
	if s.ticks != 1 || c.Status().Pictures != 3 {
		t.Errorf("%d ticks, and %d pictures", s.ticks, c.Status().Pictures)
	}
	c.SetAway(true)
	c.SetAway(true)
	c.SetAway(false)
	c.Paste("text")
	c.Close()
	if len(s.away) != 2 || !s.away[0] || s.away[1] || s.pasted != "text" || !s.closed || c.Status().Message != "busy" {
		t.Errorf("%+v, %q", s, c.Status().Message)
	}
}
