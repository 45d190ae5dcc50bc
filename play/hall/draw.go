package hall

import (
	"strings"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/settings"
	"github.com/tickback/tickback/play/words"
)

// titles returns the names of the players as they are shown.
func (v *stay) titles() (names [tanks.MaxPlayers]string) {
	for p, name := range v.names {
		names[p] = strings.ToUpper(settings.Name(name))
	}
	return names
}

// draw draws the match, and notices about it.
func (v *stay) draw(p *app.Picture) {
	if v.time += p.DT; !v.client.begun {
		v.gone = foyer.Waits(p, v.waits(), v.time)
		return
	}
	v.client.stage.Draw(p)
	v.notices.Advance(p.DT)
	if !p.App.Bare() {
		if v.client.plays() && !v.isHost() {
			v.quality.Draw(p, v.client.client.Stats())
		}
		if !v.menu.On() {
			v.notices.Draw(p, p.Below(150), v.stays())
		}
	}
	if v.client.overAt.IsZero() {
		v.menu.toggle(p)
	}
	_, over := v.client.stage.Ended()
	switch {
	case v.menu.On():
		v.drawMenu(p)
	case over && v.client.client == nil || !v.client.overAt.IsZero():
		v.drawAfter(p)
	case !over: // otherwise no tank is driven, so no touch control covers the text
		p.Play()
		v.client.stage.Guide(p, v.client.held)
	}
}

// waits returns a text that says what we are waiting for before the match is shown.
func (v *stay) waits() string {
	switch m, there := v.owner(); {
	case v.room == nil:
		return words.T("Asking the server")
	case v.isHost():
		return words.T("Beginning the match")
	case !there || !m.Connected && !v.linked():
		return words.T("Waiting for the host")
	case !v.linked():
		return words.T("Connecting to the host")
	}
	return words.T("Asking for a place")
}

// stays returns a notice for a lasting condition, or "".
func (v *stay) stays() string {
	text := v.missing()
	switch {
	case !v.client.overAt.IsZero():
		return ""
	case text != "":
		return text
	case v.client.client == nil:
		return words.T("Beginning again")
	case !v.client.client.View().Running:
		return words.T("Asking for a place")
	}
	return v.apart()
}

// apart returns a notice that this machine's state differs from the server's, or "".
func (v *stay) apart() string {
	if !v.client.apart.is {
		return ""
	}
	return words.F("From tick %d on, this machine computes another match than the server's, which counts", v.client.apart.from)
}

// drawAfter draws the choices after a match.
func (v *stay) drawAfter(p *app.Picture) {
	box := draw.Box{X: app.Width/2 - 320, Y: 630, W: 300, H: 58}
	label := words.T("To the title")
	if v.room != nil {
		label = words.T("Leave the room")
	}
	switch {
	case v.server != nil && !v.server.overAt.IsZero():
		left := int((nextMatch - time.Since(v.server.overAt)).Seconds()) + 1
		p.UI.ID("next", 0)
		if p.UI.Button(box, words.F("Next match (%d)", max(left, 1))) {
			v.next()
		}
	case v.room != nil:
		p.C.RoundRect(box, 10, look.Ink.Alpha(0.6))
		p.C.Text(draw.Point{X: box.X + 150, Y: box.Y + 37}, 20, draw.Middle, look.Paper, v.nextMatchText())
	default:
		box.X -= 170 // there is no other button
	}
	box.X += 340
	if p.UI.Button(box, label) || p.UI.Back() {
		v.gone = true
	}
}

// Report adds information for tests and tools.
func (v *stay) Report(s *app.Status) {
	if v.failed != nil {
		s.Message = v.failed.Text()
	}
	s.Players, s.Seat = v.client.players, v.client.player()
	s.Names = v.names[:]
	if v.client.client != nil && s.Seat >= 0 {
		if t := &v.client.client.View().Current.Tanks[s.Seat]; t.Stance == tanks.Alive {
			x, y := t.Pos.FloatsForDrawing()
			s.At = &[2]float32{float32(x), float32(y)}
		}
	}
	if v.room == nil {
		return
	}
	s.Room, s.Members = v.room.Link(), foyer.Report(v.room, v.state.Members)
}
