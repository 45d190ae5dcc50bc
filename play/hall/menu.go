package hall

import (
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// menu is the menu that Esc opens over the match, which continues.
type menu struct {
	on, sure bool
	players  bool // the list of players is shown instead
	settings *app.SettingsOver
	copied   chan bool // the answer of the clipboard
	said     string
	kick     int     // the player whose kick was pressed once, + 1; 0: none
	asked    float32 // how many seconds ago
}

func (m *menu) close() { *m = menu{} }

// toggleMenu opens and closes the menu.
func (v *stay) toggleMenu(p *app.Picture) {
	if p.Pause && v.menu.settings == nil && !v.menu.players && v.client.overAt.IsZero() {
		v.menu.on = !v.menu.on
		v.menu.sure = false
		p.UI.FocusNext()
	}
}

// drawMenu draws the menu.
func (v *stay) drawMenu(p *app.Picture) {
	m := &v.menu
	p.C.Mirror.Cover()
	if m.settings != nil {
		if !m.settings.Picture(p) {
			m.settings = nil
		}
		return
	}
	p.C.Rect(p.Full, look.Night.Alpha(0.68))
	if m.players {
		v.drawPlayers(p)
		return
	}
	p.C.Text(draw.Point{X: app.Width / 2, Y: 100}, 50, draw.Middle, look.Paper, words.T("Menu"))
	p.C.Text(draw.Point{X: app.Width / 2, Y: 134}, 20, draw.Middle, look.Dim, words.T("The match goes on meanwhile"))
	row := p.Menu(6, 156, 420, 65, 10, app.Height-80)
	if p.UI.Button(row(), words.T("Resume")) {
		m.close()
	}
	v.drawLink(p, row)
	if v.server != nil {
		labels := texts(fills)
		labels[0] = words.T("none")
		v.server.fill = fills[p.UI.Choice(row(), words.T("Bots, up to"), max(slices.Index(fills, v.server.fill), 0), labels...)]
		if p.UI.Button(row(), words.T("Players")) {
			m.players = true
			p.UI.FocusNext()
			return
		}
	}
	if p.UI.Button(row(), words.T("Settings")) {
		m.settings = app.NewSettingsOver(p)
		return
	}
	label := words.T("Leave")
	switch {
	case m.sure && v.isHost():
		label = words.T("End the match for all: are you sure?")
	case m.sure:
		label = words.T("Leave: are you sure?")
	}
	p.UI.ID("leave", 0)
	if p.UI.Button(row(), label) {
		v.gone, m.sure = m.sure, true
	}
}

// drawLink draws the link for others, in a room.
func (v *stay) drawLink(p *app.Picture, row func() draw.Box) {
	if v.room == nil {
		return
	}
	m, machine, link := &v.menu, &v.cfg.Machine, v.room.Link()
	select {
	case ok := <-m.copied:
		if m.said = words.K("Copied"); !ok {
			m.said = words.K("Copy it from below")
		}
	default:
	}
	label := words.T("Copy the link for others")
	if m.said != "" {
		label = words.T(m.said)
	}
	switch {
	case machine.Share != nil:
		if p.UI.Button(row(), words.T("Share the link")) {
			machine.Share(link)
		}
	case machine.Copy != nil:
		p.UI.ID("copy", 0)
		if p.UI.Button(row(), label) {
			copied := make(chan bool, 1)
			m.copied = copied
			machine.Copy(link, func(ok bool) {
				select {
				case copied <- ok:
				default: // a second answer is ignored
				}
			})
		}
	}
	size, room := float32(22), float32(1180)
	if w := p.C.TextWidth(size, link); w > room {
		size *= room / w
	}
	p.C.RoundRect(draw.Box{X: app.Width/2 - min(p.C.TextWidth(size, link), room)/2 - 20, Y: app.Height - 66, W: min(p.C.TextWidth(size, link), room) + 40, H: 48}, 10, look.Ink)
	p.C.Text(draw.Point{X: app.Width / 2, Y: app.Height - 34}, size, draw.Middle, look.Gold, link)
}

// The second press of a button must not be part of a double click, and must come soon after the first. Both
// limits are in seconds.
const (
	sureAfter  = 0.4
	sureBefore = 5
)

// drawPlayers shows the players; the host can remove them.
func (v *stay) drawPlayers(p *app.Picture) {
	m := &v.menu
	m.asked += p.DT
	p.C.Text(draw.Point{X: app.Width / 2, Y: 80}, 46, draw.Middle, look.Paper, words.T("Players"))
	// It is drawn first to have the focus, so that pressing a key too often removes nobody.
	back := p.UI.Button(draw.Box{X: app.Width/2 - 190, Y: 630, W: 380, H: 58}, words.T("Back"))
	titles := v.titles()
	box := draw.Box{X: app.Width/2 - 480, Y: 120, W: 470, H: 52}
	l := p.App.Look()
	for i, name := range titles {
		if name == "" {
			continue
		}
		p.C.RoundRect(box, 8, look.Ink.Alpha(0.6))
		p.C.Circle(draw.Point{X: box.X + 26, Y: box.Y + 26}, 10, l.Player(i))
		p.C.Text(draw.Point{X: box.X + 50, Y: box.Y + 34}, 22, draw.Left, look.Paper, name)
		if v.server != nil && i != v.client.player() && v.server.outside(tickback.Player(i)) {
			v.kickButton(p, i, draw.Box{X: box.X + box.W - 136, Y: box.Y + 5, W: 130, H: 42})
		}
		if box.Y += 60; box.Y > 560 {
			box.X, box.Y = app.Width/2+10, 120
		}
	}
	if back || p.UI.Back() {
		m.players = false
		p.UI.FocusNext()
	}
}

// kickButton draws a button that has to be pressed twice.
func (v *stay) kickButton(p *app.Picture, i int, box draw.Box) {
	m := &v.menu
	label, sure := words.T("Send away"), m.kick == i+1 && m.asked < sureBefore
	if sure {
		label = words.T("Sure?")
	}
	p.UI.ID("kick", i)
	switch {
	case !p.UI.Button(box, label):
	case !sure:
		m.kick, m.asked = i+1, 0
	case m.asked > sureAfter:
		m.kick = 0
		v.notices.Add(words.F("%s is sent away", v.titles()[i]), 4)
		v.server.sendAway(tickback.Player(i))
	}
}
