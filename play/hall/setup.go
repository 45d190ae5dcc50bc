package hall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// setup is the screen on which the player selects how to play, and with whom.
type setup struct {
	cfg     Config
	alone   app.TanksSetup
	name    string
	address string
	said    string
	pasted  chan string
	time    float32
}

func newSetup(a *app.App, c Config) *setup {
	c.Link, c.Host = "", false
	return &setup{
		cfg: c, name: foyer.NameOf(a, c.Name), address: c.Address, pasted: make(chan string, 1),
		alone: app.TanksSetup{People: 1, Players: 8, Mood: tanks.Busy},
	}
}

func (s *setup) Name() string { return "tanks setup" }

func (s *setup) Picture(p *app.Picture) app.Scene {
	s.time += p.DT
	foyer.Backdrop(p, s.time)
	app.DrawLogo(p.C, draw.Point{X: 70, Y: 130}, s.time, p.App.Settings.ReducedMotion)
	p.C.Text(draw.Point{X: 76, Y: 178}, 26, draw.Left, look.Dim, words.T("Tanks"))
	next := s.here(p)
	if other := s.others(p); other != nil {
		next = other
	}
	s.help(p)
	if p.UI.Button(draw.Box{X: 70, Y: 626, W: 260, H: 54}, words.T("Back")) || p.UI.Back() {
		next = p.App.Title()
	}
	if link := s.take(); link != "" {
		next = join(p.App, s.cfg, link)
	}
	if next == nil {
		return s
	}
	s.saveName(p.App)
	return next
}

// rows returns the boxes of the six rows of a column.
func rows(p *app.Picture, x float32) func() draw.Box {
	return p.Rows(draw.Box{X: x, Y: 264, W: 540, H: 48}, 6, 10, 216, 622)
}

// heading writes the heading of a column, above its first row.
func heading(p *app.Picture, x float32, text string) {
	first := rows(p, x)()
	p.C.Text(draw.Point{X: x + 4, Y: first.Y - 18}, 24, draw.Left, look.Gold, text)
}

// sizes are the numbers of tanks that can be selected.
var sizes = []int{2, 4, 8, 12, 16}

// here draws the choices for a match on this machine.
func (s *setup) here(p *app.Picture) (next app.Scene) {
	heading(p, 70, words.T("On this machine"))
	row := rows(p, 70)
	s.alone.People = 1 + p.UI.Choice(row(), words.T("People"), s.alone.People-1, "1", "2", "3", "4")
	i := p.UI.Choice(row(), words.T("Tanks in all"), max(slices.Index(sizes, s.alone.Players), 0), texts(sizes)...)
	s.alone.Players = sizes[i]
	s.alone.Mood = tanks.Mood(p.UI.Choice(row(), words.T("Bots are"), int(s.alone.Mood), words.T("calm"), words.T("busy")))
	s.alone.Endless = p.UI.Choice(row(), words.T("Length"), map[bool]int{true: 1}[s.alone.Endless], words.T("5 minutes"), words.T("endless")) == 1
	if p.UI.Button(row(), words.T("Drive")) {
		setup := s.alone
		setup.Players = max(setup.Players, setup.People)
		return app.NewTanks(p.App, setup)
	}
	return nil
}

func texts(numbers []int) (list []string) {
	for _, n := range numbers {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

// others draws the choices for a match with others.
func (s *setup) others(p *app.Picture) (next app.Scene) {
	heading(p, 670, words.T("With others"))
	row := rows(p, 670)
	s.askName(p, row())
	labels := texts(fills)
	labels[0] = words.T("nobody")
	for i := range labels[1:] {
		labels[i+1] = words.F("bots, up to %s", labels[i+1])
	}
	s.cfg.Fill = fills[p.UI.Choice(row(), words.T("In empty places"), max(slices.Index(fills, s.cfg.Fill), 0), labels...)]
	if p.UI.Button(row(), words.T("Host a match")) {
		if s.cfg.Page != "" {
			return s.goes(func() app.Scene { return host(p.App, s.cfg) })
		}
		s.said = words.T("No server is known: start with -server ADDRESS")
	}
	if p.UI.Button(row(), words.T("Join by link")) {
		s.askLink(p)
	}
	if s.cfg.Dial == nil {
		return nil
	}
	text, entered := p.UI.Field(row(), words.T("Or at an address"), s.address, 80)
	s.address = text
	if p.UI.Button(row(), words.T("Join there")) || entered && p.UIInput.Accept && s.address != "" {
		if strings.TrimSpace(s.address) != "" {
			return s.goes(func() app.Scene { return dial(p.App, s.cfg, strings.TrimSpace(s.address)) })
		}
		s.said = words.T("An address is that of \"tickback tanks serve\", such as host1:7000")
	}
	return nil
}

// goes stores the name before it is used, and opens a scene.
func (s *setup) goes(open func() app.Scene) app.Scene {
	s.cfg.Name = settings.Name(s.name)
	return open()
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
}

// askLink reads a link from the clipboard, or asks for one.
func (s *setup) askLink(p *app.Picture) {
	m := &s.cfg.Machine
	switch {
	case m.Paste != nil && !p.Devices.Touch:
		s.said = words.T("Reading the clipboard")
		m.Paste(s.offer)
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
	default: // one is already waiting
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
	if s.said != "" {
		for i, line := range app.Wrap(p.C, s.said, 20, 800) {
			p.C.Text(draw.Point{X: 360, Y: 652 + float32(i)*26}, 20, draw.Left, look.Gold, line)
		}
		return
	}
	for i, line := range []string{
		words.T("Left and right turn, up and down drive. Space, J or Enter shoots."),
		words.T("Four hits destroy a tank, which is back after two seconds."),
	} {
		p.C.Text(draw.Point{X: 360, Y: 650 + float32(i)*26}, 19, draw.Left, look.Paper.Alpha(0.75), line)
	}
}
