//go:build !js

package netplay

import (
	"github.com/tickback/tickback/online/lan"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// lanSetup is the screen on which the player selects what to host, or which host to join.
type lanSetup struct {
	setup
	way     *byLAN
	address string
	search  *lan.Search // nil if searching does not work here
}

func newLANSetup(a *app.App, c Config, w *byLAN) *lanSetup {
	s := &lanSetup{setup: *newSetup(a, c), way: w}
	var err error
	if s.search, err = lan.NewSearch(w.options.SearchPort); err != nil {
		s.Say(words.F("Games cannot be looked for here: %v", err))
	}
	return s
}

// Name returns "lan", which is the mode in an [app.Status].
func (s *lanSetup) Name() string { return "lan" }

// Close ends the search for hosts, if there is one.
func (s *lanSetup) Close() {
	if s.search != nil {
		s.search.Close()
	}
}

// Pasted puts the address that the text contains into the address field. Without one it does nothing.
func (s *lanSetup) Pasted(text string) {
	if address := lan.AddressIn(text); address != "" { // the text may be a whole message
		s.address = address
	}
}

// Picture draws the choices and the hosts that were found. When it leaves the screen, it stores the player's name
// and ends the search.
func (s *lanSetup) Picture(p *app.Picture) app.Scene {
	next := s.picture(p)
	if next != s {
		s.SaveName(p.App)
		s.Close()
	}
	return next
}

// lanRows is how many of the found hosts are shown.
const lanRows = 4

func (s *lanSetup) picture(p *app.Picture) (next app.Scene) {
	s.time += p.DT
	foyer.Backdrop(p, s.time)
	app.DrawLogo(p.C, draw.Point{X: 70, Y: 130}, s.time, p.App.Settings.ReducedMotion)
	p.C.Text(draw.Point{X: 76, Y: 178}, 26, draw.Left, look.Dim, words.T("Local network"))
	s.AskName(p, draw.Box{X: 70, Y: 222, W: 540, H: 56})
	hosts := s.hostPart(p)
	joins := s.joinPart(p)
	if p.UI.Button(draw.Box{X: 70, Y: 626, W: 260, H: 54}, words.T("Back")) || p.UI.Back() {
		return p.App.Title()
	}
	for i, line := range app.Wrap(p.C, s.Said(), 20, 800) {
		p.C.Text(draw.Point{X: 360, Y: 652 + float32(i)*26}, 20, draw.Left, look.Gold, line)
	}
	switch {
	case hosts:
		s.cfg.Name, s.cfg.Link = s.SaveName(p.App), ""
		s.cfg.complete()
		return create(p.App, s.cfg)
	case joins != "":
		s.cfg.Name = s.SaveName(p.App)
		return join(p.App, s.cfg, joins)
	}
	return s
}

// hostPart draws the choices for hosting, and reports whether to host.
func (s *lanSetup) hostPart(p *app.Picture) bool {
	p.C.Text(draw.Point{X: 74, Y: 326}, 24, draw.Left, look.Gold, words.T("Host a game"))
	next := p.Rows(draw.Box{X: 70, Y: 344, W: 540, H: 56}, 3, 10, 344, 616)
	s.cfg.choose(func(label string, chosen int, of ...string) int { return p.UI.Choice(next(), label, chosen, of...) })
	return p.UI.Button(next(), words.T("Host"))
}

// joinPart draws the hosts that were found, and a field for an address. It returns the address to join, or "".
func (s *lanSetup) joinPart(p *app.Picture) (address string) {
	p.C.Text(draw.Point{X: 674, Y: 246}, 24, draw.Left, look.Gold, words.T("Join a game"))
	box := draw.Box{X: 670, Y: 264, W: 540, H: 52}
	found := s.found()
	for i, o := range found {
		if i < lanRows {
			p.UI.ID(o.Address, 0)
			if p.UI.Button(box, offerText(o)) {
				address = o.Address
			}
		}
		box.Y += 60
	}
	if len(found) == 0 {
		p.C.Text(draw.Point{X: 674, Y: 296}, 20, draw.Left, look.Dim, words.T("Looking for games on this network")+foyer.Dots(s.time))
	}
	next := p.Rows(draw.Box{X: 670, Y: 264 + 60*lanRows + 14, W: 540, H: 56}, 2, 10, 264+60*lanRows+4, app.Height-20)
	text, entered := p.UI.Field(next(), words.T("Or its address"), s.address, 80)
	s.address = text
	box = next()
	if s.address == "" {
		p.C.Text(draw.Point{X: box.X + 236, Y: box.Y - 32}, 17, draw.Left, look.Dim.Alpha(0.7), words.T("192.168.1.5, or Ctrl+V"))
	}
	if pressed := p.UI.Button(box, words.T("Join")); pressed || entered && s.address != "" && p.UIInput.Accept {
		if _, err := lan.ParseAddress(s.address); err != nil {
			s.Say(words.T("An address is a name or a number such as 192.168.1.5, which the host's screen shows. Ctrl+V pastes one."))
			return address
		}
		return s.address
	}
	return address
}

func (s *lanSetup) found() []lan.Offer {
	if s.search == nil {
		return nil
	}
	return s.search.Found()
}

// offerText returns the text for a host in the list.
func offerText(o lan.Offer) string {
	game := o.GameID
	if k := kindOf(game); k != nil {
		game = words.T(k.title)
	}
	name := o.Name
	if name == "" {
		name = words.T("Somebody")
	}
	return words.F("%s: %s, %d of %d   (%s)", name, game, o.Taken, o.Seats, o.Address)
}
