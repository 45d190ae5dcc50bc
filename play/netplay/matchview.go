package netplay

import (
	"errors"
	"slices"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/session/membership"
)

// drawMatch draws the match, and notices about it.
func (v *stay) drawMatch(p *app.Picture) {
	v.rename()
	s := commander(v)
	if s != nil {
		s.Covered = v.menu.on
	}
	v.bout.draw(p)
	v.notices.Advance(p.DT)
	if !p.App.Bare() {
		if !v.retired {
			p.C.Push()
			if s != nil && v.mine() != 0 {
				p.C.Translate(0, -app.SkirmishPanel) // above the panel
			}
			v.quality.Draw(p, v.bout.stats())
			p.C.Pop()
		}
		if !v.menu.on {
			p.C.Push()
			if p.Figures() { // below the graphs, and beside the column that has a line for each peer
				p.C.Translate(172, 112)
			}
			v.notices.Draw(p, p.Below(150), v.stays(time.Now()))
			p.C.Pop()
		}
		if v.mine() == 0 && !v.menu.on && s == nil { // a skirmish has a button for it
			p.C.Text(draw.Point{X: 20, Y: 702}, 20, draw.Left, look.Paper.Alpha(0.8), words.T("You watch. Esc opens the menu"))
		}
	}
	v.toggleMenu(p)
	switch {
	case v.menu.on:
		v.drawMenu(p)
	case v.afterMatch():
		v.drawAfter(p)
	case alone(v) && !v.others.waits:
		drawAlone(v, p, time.Now())
	case v.mine() == 0 && !v.watches:
		drawOffer(v, p)
	case v.mine() != 0 && v.kind.labels != nil:
		p.Play()
		if v.bout.running() {
			v.bout.guide(p, v.held)
		}
	}
}

// toggleMenu opens and closes the menu over the match, which continues.
func (v *stay) toggleMenu(p *app.Picture) {
	if p.Pause && v.menu.settings == nil && !v.menu.players && !v.afterMatch() {
		v.menu.on = !v.menu.on
		v.menu.sure, v.others.waits, v.others.sure = false, false, false // allow a new choice
		p.UI.FocusNext()
	}
}

// menu is the menu that Esc opens in a match.
type menu struct {
	on, sure bool
	players  bool // the list of players is shown instead
	settings *app.SettingsOver
}

func (m *menu) close() { *m = menu{} }

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
	c := p.C
	c.Rect(p.Full, look.Night.Alpha(0.6))
	if m.players {
		v.drawPlayers(p)
		return
	}
	c.Text(draw.Point{X: app.Width / 2, Y: 100}, 50, draw.Middle, look.Paper, words.T("Menu"))
	c.Text(draw.Point{X: app.Width / 2, Y: 134}, 20, draw.Middle, look.Dim, words.T("The match goes on meanwhile"))
	next := p.Menu(7, 156, 380, 64, 10, app.Height-20)
	if p.UI.Button(next(), words.T("Resume")) {
		m.close()
	}
	v.pauseButton(p, next)
	if s := commander(v); s != nil && v.mine() != 0 && p.UI.Button(next(), words.T("Give up")) {
		m.close()
		s.Resign()
	}
	if p.UI.Button(next(), words.T("Settings")) {
		m.settings = app.NewSettingsOver(p)
		return
	}
	if p.UI.Button(next(), words.T("Players")) {
		m.players, v.lobby.kick, v.lobby.places.said = true, 0, ""
		p.UI.FocusNext()
		return
	}
	if p.UI.Button(next(), words.T("To the room")) {
		m.close()
		v.drop()
		return
	}
	label := words.T("Leave the room")
	if m.sure {
		label = words.T("Leave: are you sure?")
	}
	p.UI.ID("leave", 0)
	if p.UI.Button(next(), label) {
		v.gone, m.sure = m.sure, true
	}
}

// drawPlayers shows the members of the room over the match.
func (v *stay) drawPlayers(p *app.Picture) {
	v.lobby.time += p.DT
	p.C.Text(draw.Point{X: app.Width / 2, Y: 80}, 46, draw.Middle, look.Paper, words.T("Players"))
	// It is drawn first to have the focus, so that pressing a key too often kicks nobody.
	box := draw.Box{X: app.Width/2 - 190, Y: 620, W: 380, H: 60}
	if moves(v) {
		box.X -= 200
	}
	back := p.UI.Button(box, words.T("Back"))
	box.X += 400
	drawMove(v, p, box)
	v.drawSeats(p, draw.Box{X: app.Width/2 - 340, Y: 120, W: 680})
	if back || p.UI.Back() {
		v.menu.players = false
		p.UI.FocusNext()
	}
}

// pauseButton draws a button for a pause for all players.
func (v *stay) pauseButton(p *app.Picture, next func() draw.Box) {
	player := v.played()
	if player == nil {
		return
	}
	ask, label := player.Pause, words.T("Pause for all")
	if v.paused() {
		ask, label = player.Unpause, words.T("Resume for all")
	}
	p.UI.ID("pause", 0)
	if p.UI.Button(next(), label) {
		v.menu.close()
		if err := ask(); err != nil {
			v.notices.Add(noPause(err), 4)
		}
	}
}

// noPause explains why there is no pause, or why it does not end.
func noPause(err error) string {
	var wish *tickback.WishError
	if errors.As(err, &wish) && wish.Wish.Kind == membership.Pause {
		return words.F("You have paused %d times: that is all in one match", membership.MaxPauses)
	}
	return words.T("That is not possible at the moment")
}

// afterMatch reports whether the match is over, with all its rounds and cheers. There are no further rounds after the
// room has ended, or while the server is out of reach.
func (v *stay) afterMatch() bool {
	if v.overAt.IsZero() || time.Since(v.overAt) < 3200*time.Millisecond {
		return false
	}
	score := v.standing()
	_, over := score.Over()
	_, all := v.present() // without all of them no round begins
	return over || v.kind.id != duelID || !v.sameTwo() || !all || v.noServer()
}

// noServer reports whether there is no server that could begin a match.
func (v *stay) noServer() bool { return v.unserved || v.room.Err() != nil }

// sameTwo reports whether the players of the round are still there.
func (v *stay) sameTwo() bool {
	who := v.duelists()
	return v.terms.Who == who && !slices.Contains(who[:], 0)
}

// drawAfter draws the choices after a match.
func (v *stay) drawAfter(p *app.Picture) {
	box := draw.Box{X: app.Width/2 - 490, Y: 630, W: 300, H: 62} // below the fighters
	next := func() draw.Box {
		b := box
		box.X += 340
		return b
	}
	label := words.T("Rematch")
	if score := v.standing(); v.kind.id == duelID && score.Round < contest.MaxRounds && !v.sameTwo() {
		label = words.T("New match")
	}
	say := func(text string) {
		p.C.RoundRect(box, 10, look.Ink.Alpha(0.6))
		p.C.Text(draw.Point{X: box.X + 150, Y: box.Y + 38}, 20, draw.Middle, look.Paper, text)
		box.X += 340
	}
	switch {
	case v.noServer():
		say(words.T(v.cfg.way.says().unreachable))
	case v.room.IsHost():
		if sit, all := v.present(); sit >= 2 && all {
			p.UI.ID("rematch", 0)
			if p.UI.Button(next(), label) {
				v.start(time.Now())
			}
		} else {
			say(missing(v))
		}
		drawAsking(v, p)
	case v.mine() == 0:
		say(words.F("%s begins the rematch", v.hostName()))
	case v.others.asked:
		p.UI.ID("ask", 0)
		p.UI.Button(next(), words.F("Asked %s", v.hostName())) // it keeps the focus, so that a second press does not leave
	default:
		p.UI.ID("ask", 0)
		if p.UI.Button(next(), words.T("Ask for a rematch")) {
			v.others.asked = v.room.SetStatus(statusAgain) == nil
		}
	}
	if p.UI.Button(next(), words.T("To the room")) || p.UI.Back() {
		v.drop()
		return
	}
	if p.UI.Button(next(), words.T("Leave the room")) {
		v.gone = true
	}
}
