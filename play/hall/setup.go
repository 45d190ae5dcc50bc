package hall

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// setup is the screen on which the player selects how to play, and with whom.
type setup struct {
	foyer.Asker
	cfg     Config
	alone   app.TanksSetup
	address string
	time    float32
}

func newSetup(a *app.App, c Config) *setup {
	c.Link, c.Host = "", false
	s := &setup{cfg: c, address: c.Address, alone: app.TanksSetup{People: 1, Players: 8, Mood: tanks.Busy}}
	s.Asker = foyer.NewAsker(a, &s.cfg.Machine, c.Name)
	return s
}

// Name returns "tanks setup", which is the mode in an [app.Status].
func (s *setup) Name() string { return "tanks setup" }

// Picture draws the choices, and opens what is selected, or the room whose link was pasted. It stores the player's
// name before it leaves the screen.
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
	if link := s.Link(); link != "" {
		s.cfg.Name = s.SaveName(p.App)
		next = join(p.App, s.cfg, link)
	}
	if next == nil {
		return s
	}
	s.SaveName(p.App)
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
	s.AskName(p, row())
	labels := texts(fills)
	labels[0] = words.T("nobody")
	for i := range labels[1:] {
		labels[i+1] = words.F("bots, up to %s", labels[i+1])
	}
	s.cfg.Fill = fills[p.UI.Choice(row(), words.T("In empty places"), max(slices.Index(fills, s.cfg.Fill), 0), labels...)]
	if p.UI.Button(row(), words.T("Host a match")) {
		if s.cfg.Page != "" {
			s.cfg.Name = s.SaveName(p.App)
			return host(p.App, s.cfg)
		}
		s.Say(words.T("No server is known: start with -server ADDRESS"))
	}
	s.AskLink(p, row())
	if s.cfg.Dial == nil {
		return nil
	}
	text, entered := p.UI.Field(row(), words.T("Or at an address"), s.address, 80)
	s.address = text
	if p.UI.Button(row(), words.T("Join there")) || entered && p.UIInput.Accept && s.address != "" {
		if strings.TrimSpace(s.address) != "" {
			s.cfg.Name = s.SaveName(p.App)
			return dial(s.cfg, strings.TrimSpace(s.address))
		}
		s.Say(words.T("An address is that of \"tickback tanks serve\", such as host1:7000"))
	}
	return nil
}

func (s *setup) help(p *app.Picture) {
	if said := s.Said(); said != "" {
		for i, line := range app.Wrap(p.C, said, 20, 800) {
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
