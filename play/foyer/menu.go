package foyer

import (
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// Menu is the menu that Esc opens over a match, which continues.
type Menu struct {
	on, sure bool
	players  bool // the list of players is shown instead
}

// On reports whether the menu, or the list of players, is open.
func (m *Menu) On() bool { return m.on }

// Close closes the menu.
func (m *Menu) Close() { *m = Menu{} }

// Toggle opens or closes the menu if pause was pressed, and reports whether it did.
func (m *Menu) Toggle(p *app.Picture) bool {
	if !p.Pause || m.players {
		return false
	}
	*m = Menu{on: !m.on}
	p.UI.FocusNext()
	return true
}

// Begin draws the background and the heading. It reports whether the list of players is to be drawn.
func (m *Menu) Begin(p *app.Picture) (players bool) {
	p.C.Mirror.Cover()
	p.C.Rect(p.Full, look.Night.Alpha(0.68))
	if m.players {
		p.C.Text(draw.Point{X: app.Width / 2, Y: 80}, 46, draw.Middle, look.Paper, words.T("Players"))
		return true
	}
	p.C.Text(draw.Point{X: app.Width / 2, Y: 100}, 50, draw.Middle, look.Paper, words.T("Menu"))
	p.C.Text(draw.Point{X: app.Width / 2, Y: 134}, 20, draw.Middle, look.Dim, words.T("The match goes on meanwhile"))
	return false
}

// Resume draws the button that closes the menu.
func (m *Menu) Resume(p *app.Picture, box draw.Box) {
	if p.UI.Button(box, words.T("Resume")) {
		m.Close()
	}
}

// Players draws the button that opens the list of players, and reports whether it was pressed.
func (m *Menu) Players(p *app.Picture, box draw.Box) bool {
	if !p.UI.Button(box, words.T("Players")) {
		return false
	}
	m.players = true
	p.UI.FocusNext()
	return true
}

// Back returns from the list of players if the player wants to; pressed says that its button was.
func (m *Menu) Back(p *app.Picture, pressed bool) {
	if pressed || p.UI.Back() {
		m.players = false
		p.UI.FocusNext()
	}
}

// Leave draws the button that ends our stay, which asks for a second press. It reports whether that has come.
func (m *Menu) Leave(p *app.Picture, box draw.Box, label, again string) bool {
	if m.sure {
		label = again
	}
	p.UI.ID("leave", 0)
	if !p.UI.Button(box, label) {
		return false
	}
	sure := m.sure
	m.sure = true
	return sure
}
