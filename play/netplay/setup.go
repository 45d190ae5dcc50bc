package netplay

import (
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// setup is the screen on which the player selects what to play, and with whom.
type setup struct {
	foyer.Asker
	cfg  Config
	time float32
}

func newSetup(a *app.App, c Config) *setup {
	s := &setup{cfg: c}
	s.Asker = foyer.NewAsker(a, &s.cfg.Machine, c.Name)
	return s
}

// Name returns "online", which is the mode in an [app.Status].
func (s *setup) Name() string { return "online" }

// Picture draws the choices, and makes a room, or enters the one whose link was pasted.
func (s *setup) Picture(p *app.Picture) app.Scene {
	s.time += p.DT
	foyer.Backdrop(p, s.time)
	app.DrawLogo(p.C, draw.Point{X: 70, Y: 130}, s.time, p.App.Settings.ReducedMotion)
	p.C.Text(draw.Point{X: 76, Y: 178}, 26, draw.Left, look.Dim, words.T("Online"))
	next := p.Rows(draw.Box{X: 70, Y: 210, W: 620, H: 64}, 6, 10, 184, app.Height)
	s.cfg.choose(func(label string, chosen int, of ...string) int { return p.UI.Choice(next(), label, chosen, of...) })
	s.AskName(p, next())
	if p.UI.Button(next(), words.T("Create a room")) {
		return s.create(p.App)
	}
	s.AskLink(p, next())
	back := next()
	back.W = 300
	if p.UI.Button(back, words.T("Back")) || p.UI.Back() {
		s.SaveName(p.App)
		return p.App.Title()
	}
	s.help(p)
	if link := s.Link(); online.RoomOf(link) != "" {
		s.cfg.Name = s.SaveName(p.App)
		return join(p.App, s.cfg, link)
	}
	return s
}

func (s *setup) create(a *app.App) app.Scene {
	if s.cfg.Page == "" {
		s.Say(words.T("No server is known: start with -server ADDRESS"))
		return s
	}
	s.cfg.Name = s.SaveName(a)
	s.cfg.complete()
	return create(a, s.cfg)
}

func (s *setup) help(p *app.Picture) {
	at := draw.Point{X: 740, Y: 250}
	for _, text := range []string{
		words.T("Create a room, and send its link to the others. Everybody who opens it plays with you, in a browser or in the desktop client, from machine to machine: the server only brings you together."),
		words.T("Latecomers watch, or take a free seat. Whoever has to go can come back by the same link."),
	} {
		for _, line := range app.Wrap(p.C, text, 21, 480) {
			p.C.Text(at, 21, draw.Left, look.Paper.Alpha(0.85), line)
			at.Y += 32
		}
		at.Y += 16
	}
	for i, line := range app.Wrap(p.C, s.Said(), 22, 480) {
		p.C.Text(draw.Point{X: 740, Y: 540 + float32(i)*30}, 22, draw.Left, look.Gold, line)
	}
}
