package hall

import (
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// menu is the menu over the match, with its buttons that remember something.
type menu struct {
	foyer.Menu
	link  foyer.Copying
	kicks foyer.Twice
}

// toggle opens or closes the menu if pause was pressed. What was begun in it is forgotten.
func (m *menu) toggle(p *app.Picture) {
	if m.Toggle(p) {
		m.link, m.kicks = foyer.Copying{}, foyer.Twice{}
	}
}

// drawMenu draws the menu.
func (v *stay) drawMenu(p *app.Picture) {
	if v.menu.Begin(p) {
		v.drawPlayers(p)
		return
	}
	row := p.Menu(6, 156, 420, 65, 10, app.Height-80)
	v.menu.Resume(p, row())
	v.drawLink(p, row)
	if v.server != nil {
		labels := texts(fills)
		labels[0] = words.T("none")
		v.server.setFill(fills[p.UI.Choice(row(), words.T("Bots, up to"), max(slices.Index(fills, v.server.fill), 0), labels...)])
		if v.menu.Players(p, row()) {
			return
		}
	}
	if p.UI.Button(row(), words.T("Settings")) {
		p.App.OpenSettings()
		return
	}
	again := words.T("Leave: are you sure?")
	if v.isHost() {
		again = words.T("End the match for all: are you sure?")
	}
	v.gone = v.menu.Leave(p, row(), words.T("Leave"), again)
}

// drawLink draws the link for others, in a room.
func (v *stay) drawLink(p *app.Picture, row func() draw.Box) {
	if v.room == nil {
		return
	}
	machine, link, label := &v.cfg.Machine, v.room.Link(), words.T("Copy the link for others")
	switch v.menu.link.Answer() {
	case foyer.Copied:
		label = words.T("Copied")
	case foyer.NotCopied:
		label = words.T("Copy it from below")
	case foyer.NoAnswer:
	}
	switch {
	case machine.Share != nil:
		if p.UI.Button(row(), words.T("Share the link")) {
			machine.Share(link)
		}
	case machine.Copy != nil:
		p.UI.ID("copy", 0)
		if p.UI.Button(row(), label) {
			v.menu.link.Copy(machine, link)
		}
	}
	size, room := float32(22), float32(1180)
	w := p.C.TextWidth(size, link)
	if w > room {
		size, w = size*room/w, room
	}
	p.C.RoundRect(draw.Box{X: app.Width/2 - w/2 - 20, Y: app.Height - 66, W: w + 40, H: 48}, 10, look.Ink)
	p.C.Text(draw.Point{X: app.Width / 2, Y: app.Height - 34}, size, draw.Middle, look.Gold, link)
}

// drawPlayers shows the players; the host can remove them.
func (v *stay) drawPlayers(p *app.Picture) {
	v.menu.kicks.Advance(p.DT)
	// It is drawn first to have the focus, so that one key press too many removes no player.
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
			kick := draw.Box{X: box.X + box.W - 136, Y: box.Y + 5, W: 130, H: 42}
			if v.menu.kicks.Button(p, kick, i, words.T("Send away"), words.T("Sure?")) {
				v.notices.Add(words.F("%s is sent away", name), 4)
				v.server.sendAway(tickback.Player(i))
			}
		}
		if box.Y += 60; box.Y > 560 {
			box.X, box.Y = app.Width/2+10, 120
		}
	}
	v.menu.Back(p, back)
}
