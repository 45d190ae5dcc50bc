package netplay

import (
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// setup is the screen on which the player selects what to play, and with whom.
type setup struct {
	cfg    Config
	name   string
	link   string
	said   string
	pasted chan string
	time   float32
}

func newSetup(a *app.App, c Config) *setup {
	return &setup{cfg: c, name: foyer.NameOf(a, c.Name), pasted: make(chan string, 1)}
}

func (s *setup) Name() string { return "online" }

func (s *setup) Picture(p *app.Picture) app.Scene {
	s.time += p.DT
	foyer.Backdrop(p, s.time)
	app.DrawLogo(p.C, draw.Point{X: 70, Y: 130}, s.time, p.App.Settings.ReducedMotion)
	p.C.Text(draw.Point{X: 76, Y: 178}, 26, draw.Left, look.Dim, words.T("Online"))
	next := p.Rows(draw.Box{X: 70, Y: 210, W: 620, H: 64}, 6, 10, 184, app.Height)
	s.cfg.choose(func(label string, chosen int, of ...string) int { return p.UI.Choice(next(), label, chosen, of...) })
	s.askName(p, next())
	if p.UI.Button(next(), words.T("Create a room")) {
		return s.create(p.App)
	}
	s.askLink(p, next())
	back := next()
	back.W = 300
	if p.UI.Button(back, words.T("Back")) || p.UI.Back() {
		s.saveName(p.App)
		return p.App.Title()
	}
	s.help(p)
	if text := s.take(); text != "" {
		s.link = text
	}
	if online.RoomOf(s.link) != "" {
		s.saveName(p.App)
		return join(p.App, s.cfg, s.link)
	}
	return s
}

func (s *setup) askName(p *app.Picture, box draw.Box) {
	name, asked := p.UI.Field(box, words.T("Your name"), s.name, settings.MaxName)
	if asked && p.Devices.Touch && s.cfg.Machine.Ask != nil {
		if answer, ok := s.cfg.Machine.Ask(words.T("Your name"), name); ok {
			name = settings.Name(answer)
		}
	}
	s.name = name
}

// saveName stores the name for the next time.
func (s *setup) saveName(a *app.App) {
	if name := settings.Name(s.name); name != "" && name != a.Settings.Name {
		a.Settings.Name = name
		a.Save()
	}
	s.cfg.Name = settings.Name(s.name)
}

func (s *setup) create(a *app.App) app.Scene {
	if s.cfg.Page == "" {
		s.said = words.T("No server is known: start with -server ADDRESS")
		return s
	}
	s.saveName(a)
	s.cfg.complete()
	return create(a, s.cfg)
}

// askLink reads a link from the clipboard, or asks for one.
func (s *setup) askLink(p *app.Picture, box draw.Box) {
	if !p.UI.Button(box, words.T("Join by link")) {
		return
	}
	m := &s.cfg.Machine
	switch {
	case m.Paste != nil && !p.Devices.Touch:
		s.said = words.T("Reading the clipboard")
		pasted := s.pasted
		m.Paste(func(text string) {
			select {
			case pasted <- text:
			default: // one is already waiting
			}
		})
	case m.Ask != nil:
		if text, ok := m.Ask(words.T("The link to the room"), ""); ok {
			s.offer(text)
		}
	default:
		s.said = words.T("Start with -room LINK to join by link")
	}
}

// offer passes on a text that may be a link.
func (s *setup) offer(text string) {
	select {
	case s.pasted <- text:
	default:
	}
}

func (s *setup) Pasted(text string) { s.offer(text) }

// take returns a link that was pasted.
func (s *setup) take() string {
	select {
	case text := <-s.pasted:
		link := online.LinkIn(text) // the text may be a whole message
		if link == "" {
			s.said = words.T("There is no link in the clipboard. Copy the one you were sent, then press Ctrl+V here.")
			return ""
		}
		return link
	default:
		return ""
	}
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
	for i, line := range app.Wrap(p.C, s.said, 22, 480) {
		p.C.Text(draw.Point{X: 740, Y: 540 + float32(i)*30}, 22, draw.Left, look.Gold, line)
	}
}
