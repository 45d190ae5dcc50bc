package netplay

import (
	"time"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// matchView is the screen of a match, with its menu and its choices. It changes nothing: what the player chooses on it
// is a wish.
type matchView struct {
	room   *roomInfo
	match  *current
	others *others
	news   *news
	lobby  *lobby // has the list of players

	menu    foyer.Menu
	quality foyer.Quality
}

// draw draws the match, and notices about it. watches says that we want no seat, and asked that we have asked for a
// rematch.
func (v *matchView) draw(p *app.Picture, watches, asked bool) wish {
	now := time.Now()
	v.match.name(v.room.names())
	s, mine := v.match.commander(), v.room.mine()
	if s != nil {
		s.Covered = v.menu.On()
	}
	v.match.bout.draw(p)
	v.news.Advance(p.DT)
	if !p.App.Bare() {
		v.drawNotices(p, now, s != nil)
	}
	finished := v.match.finished(v.room, now)
	if !finished && v.menu.Toggle(p) {
		v.others.choose()
	}
	switch {
	case v.menu.On():
		return v.drawMenu(p)
	case finished:
		return v.drawAfter(p, asked)
	case v.room.kind.id == duelID && v.match.undecided() && v.others.alone(mine) && !v.others.waits:
		return v.drawAlone(p, now)
	case mine == 0 && !watches:
		return v.drawOffer(p)
	case mine != 0 && v.room.kind.labels != nil:
		p.Play()
		if v.match.bout.running() {
			v.match.bout.guide(p)
		}
	}
	return wish{}
}

// drawNotices draws the quality of the network, and notices, over the match. skirmish says that it has a panel.
func (v *matchView) drawNotices(p *app.Picture, now time.Time, skirmish bool) {
	watching := v.room.mine() == 0
	if v.match.live() {
		p.C.Push()
		if skirmish && !watching {
			p.C.Translate(0, -app.SkirmishPanel) // above the panel
		}
		v.quality.Draw(p, v.match.bout.stats())
		p.C.Pop()
	}
	if v.menu.On() {
		return
	}
	p.C.Push()
	if p.Figures() { // below the graphs, and beside the column that has a line for each peer
		p.C.Translate(172, 112)
	}
	v.news.Draw(p, p.Below(150), v.news.lasting(now))
	p.C.Pop()
	if watching && !skirmish { // a skirmish has a button for it
		p.C.Text(draw.Point{X: 20, Y: 702}, 20, draw.Left, look.Paper.Alpha(0.8), words.T("You watch. Esc opens the menu"))
	}
}

// drawMenu draws the menu over the match.
func (v *matchView) drawMenu(p *app.Picture) wish {
	m := &v.menu
	if m.Begin(p) {
		return v.drawPlayers(p)
	}
	next := p.Menu(7, 156, 380, 64, 10, app.Height-20)
	m.Resume(p, next())
	if player := v.match.player(); player != nil {
		label := words.T("Pause for all")
		if v.match.paused() {
			label = words.T("Resume for all")
		}
		p.UI.ID("pause", 0)
		if p.UI.Button(next(), label) {
			m.Close()
			return wish{verb: toPause}
		}
	}
	if v.match.commander() != nil && v.room.mine() != 0 && p.UI.Button(next(), words.T("Give up")) {
		m.Close()
		return wish{verb: toResign}
	}
	if p.UI.Button(next(), words.T("Settings")) {
		p.App.OpenSettings()
		return wish{}
	}
	if m.Players(p, next()) {
		v.lobby.forget()
		return wish{}
	}
	if p.UI.Button(next(), words.T("To the room")) {
		m.Close()
		return wish{verb: toRoom}
	}
	if m.Leave(p, next(), words.T("Leave the room"), words.T("Leave: are you sure?")) {
		return wish{verb: toLeave}
	}
	return wish{}
}

// drawPlayers shows the members of the room over the match.
func (v *matchView) drawPlayers(p *app.Picture) wish {
	v.lobby.advance(p.DT)
	// It is drawn first to have the focus, so that one key press too many kicks no player.
	box := draw.Box{X: app.Width/2 - 190, Y: 620, W: 380, H: 60}
	if v.lobby.moves() {
		box.X -= 200
	}
	back := p.UI.Button(box, words.T("Back"))
	box.X += 400
	v.lobby.drawMove(p, box)
	w, _ := v.lobby.drawSeats(p, draw.Box{X: app.Width/2 - 340, Y: 120, W: 680})
	v.menu.Back(p, back)
	return w
}

// aloneY is where the buttons begin if we are alone: below two notices of two lines each, and the pause button of
// a touch screen.
const aloneY = 320

// drawAlone draws the choices if we are alone, in addition to the menu. The keys of the fight also move the focus
// and press buttons, so the buttons appear a moment later, and the match only ends after a second press.
func (v *matchView) drawAlone(p *app.Picture, now time.Time) wish {
	if v.others.fights(now) {
		p.Play()
		p.UI.FocusNext()
		return wish{}
	}
	if v.room.room.Err() == nil && p.UI.Button(draw.Box{X: app.Width/2 - 320, Y: aloneY, W: 300, H: 62}, words.T("Wait")) {
		v.others.wait()
	}
	label := words.T("Claim the win")
	if v.others.sure {
		label = words.T("End the match?")
	}
	p.UI.ID("claim", 0)
	if p.UI.Button(draw.Box{X: app.Width/2 + 20, Y: aloneY, W: 300, H: 62}, label) && v.others.claim() {
		return wish{verb: toClaim}
	}
	return wish{}
}

// drawOffer offers a spectator a place in the match.
func (v *matchView) drawOffer(p *app.Picture) wish {
	for seat := range v.room.state.Seats {
		if !v.room.open(seat) {
			continue
		}
		label := words.T("A place is free: take it")
		if m, ok := v.room.state.At(seat); ok {
			label = words.F("%s has gone: take the place", foyer.Called(m))
		}
		y := float32(618)
		if v.match.commander() != nil {
			y -= app.SkirmishPanel
		}
		p.UI.ID("offer", seat)
		if p.UI.Button(draw.Box{X: app.Width/2 - 260, Y: y, W: 520, H: 58}, label) {
			return wish{verb: toTake, seat: seat}
		}
		break
	}
	return wish{}
}

// drawAfter draws the choices after a match.
func (v *matchView) drawAfter(p *app.Picture, asked bool) (w wish) {
	box := draw.Box{X: app.Width/2 - 490, Y: 630, W: 300, H: 62} // below the fighters
	button := func(id, label string) bool {
		b := box
		box.X += 340
		if id != "" {
			p.UI.ID(id, 0)
		}
		return p.UI.Button(b, label)
	}
	say := func(text string) {
		p.C.RoundRect(box, 10, look.Ink.Alpha(0.6))
		p.C.Text(draw.Point{X: box.X + 150, Y: box.Y + 38}, 20, draw.Middle, look.Paper, text)
		box.X += 340
	}
	switch sit, all := v.room.present(); {
	case v.room.noServer():
		say(words.T(v.news.says.unreachable))
	case v.room.room.IsHost():
		label := words.T("Rematch")
		if score := v.match.standing(); v.room.kind.id == duelID && score.Round < contest.MaxRounds && !v.room.sameTwo() {
			label = words.T("New match")
		}
		if sit < 2 || !all {
			say(v.room.missing())
		} else if button("rematch", label) {
			w.verb = toStart
		}
		v.drawAsking(p)
	case v.room.mine() == 0:
		say(words.F("%s begins the rematch", v.room.hostName()))
	case asked:
		button("ask", words.F("Asked %s", v.room.hostName())) // it keeps the focus, so that a second press does not leave
	case button("ask", words.T("Ask for a rematch")):
		w.verb = toRematch
	}
	if button("", words.T("To the room")) || p.UI.Back() {
		return wish{verb: toRoom}
	}
	if button("", words.T("Leave the room")) {
		w.verb = toLeave
	}
	return w
}

// drawAsking shows which guests have asked for a rematch.
func (v *matchView) drawAsking(p *app.Picture) {
	n, names := v.room.telling(foyer.StatusAgain)
	if n == 0 {
		return
	}
	text := words.N(n, "%[2]s asks for a rematch", "%[2]s ask for a rematch", names)
	const size = 24
	w := p.C.TextWidth(size, text)
	p.C.RoundRect(draw.Box{X: app.Width/2 - w/2 - 18, Y: 578, W: w + 36, H: 44}, 12, look.Ink.Alpha(0.8))
	p.C.Text(draw.Point{X: app.Width / 2, Y: 608}, size, draw.Middle, look.Gold, text)
}
