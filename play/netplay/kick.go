package netplay

import (
	"slices"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// kick is a member that the room will be told to kick.
type kick struct {
	id   uint32
	at   time.Time // when to tell the room
	told bool      // whether it was told before
}

// leaveTime is how long a kicked player has to leave the match by itself, so that the others need not wait. After
// that, all its connections are closed.
const leaveTime = time.Second

// repeatTime is after what time the room is told again if that did not help.
const repeatTime = 2 * time.Second

// drawKick draws a button for the host to kick a member, with a confirmation. It returns where the rest of the row
// ends.
func (v *stay) drawKick(p *app.Picture, m rooms.Member, row draw.Box) float32 {
	const width = 110
	if m.Seat < v.room.Me().Seat && !m.Connected || slices.ContainsFunc(v.kicks, func(k kick) bool { return k.id == m.ID }) {
		return row.X + row.W
	}
	box := draw.Box{X: row.X + row.W - width - 6, Y: row.Y + 4, W: width, H: row.H - 8}
	v.kickButton(p, box, m, words.T("Send away"), words.T("Sure?"))
	return box.X
}

// The second press of a button must not be part of a double click, and must come soon after the first.
// Both limits are in seconds.
const (
	sureAfter  = 0.4
	sureBefore = 5
)

// kickButton draws a button that has to be pressed twice.
func (v *stay) kickButton(p *app.Picture, box draw.Box, m rooms.Member, label, again string) {
	l := &v.lobby
	waited := l.time - l.asked
	sure := l.kick == m.ID && waited < sureBefore
	if sure {
		label = again
	}
	p.UI.ID("kick", int(m.ID))
	switch {
	case !p.UI.Button(box, label):
	case !sure:
		l.kick, l.asked = m.ID, l.time
	case waited > sureAfter:
		l.kick, l.sent = 0, l.time
		v.sendAway(m, time.Now())
	}
}

// sendAway kicks a member: first from the match, if we play one together.
func (v *stay) sendAway(m rooms.Member, now time.Time) {
	v.notices.Add(words.F("%s is sent away", foyer.Called(m)), 4)
	if player := v.played(); player != nil && m.Seat != rooms.NoSeat && m.Playing == v.state.Match {
		if player.Kick(tickback.SetOf(tickback.Player(m.Seat)), "") == nil {
			now = now.Add(leaveTime)
		}
	}
	v.kicks = append(v.kicks, kick{id: m.ID, at: now})
}

// finishKicks tells the room whom to kick now, and repeats that until it has happened: the server may be out of
// reach.
func (v *stay) finishKicks(now time.Time) {
	v.kicks = slices.DeleteFunc(v.kicks, func(k kick) bool {
		_, here := v.state.Member(k.id)
		return k.told && !here || !v.room.IsHost() || v.room.Err() != nil
	})
	for i := range v.kicks {
		if k := &v.kicks[i]; !now.Before(k.at) {
			k.at, k.told = now.Add(repeatTime), true
			_ = v.room.Kick(k.id) // a refusal is an event; a member who has left must not come back, either
		}
	}
}

// drawWatchers lists the spectators; the host can kick each. at is where the text begins.
func (v *stay) drawWatchers(p *app.Picture, at draw.Point) {
	var names []string
	var others []rooms.Member
	me := v.room.Me().ID
	for _, m := range v.state.Members {
		switch {
		case m.Seat != rooms.NoSeat:
		case m.ID == me:
			names = append(names, words.F("%s (you)", foyer.Called(m)))
		default:
			names, others = append(names, foyer.Called(m)), append(others, m)
		}
	}
	switch {
	case len(names) == 0:
		p.C.Text(at, 18, draw.Left, look.Dim, words.T("Nobody is watching."))
	case v.room.IsHost():
		v.drawKicks(p, at, others)
	default:
		for i, l := range app.Wrap(p.C, words.F("Watching: %s", strings.Join(names, ", ")), 18, 560) {
			if i < 2 {
				p.C.Text(at.Plus(draw.Point{Y: 22 * float32(i)}), 18, draw.Left, look.Dim, l)
			}
		}
	}
}

// drawKicks draws spectators as buttons, as many as fit.
func (v *stay) drawKicks(p *app.Picture, at draw.Point, watchers []rooms.Member) {
	const most, width = 3, 122
	at.X += p.C.Text(at, 18, draw.Left, look.Dim, words.T("Watching:")) + 14
	box := draw.Box{X: at.X, Y: at.Y - 24, W: width, H: 36}
	for i, m := range watchers {
		if i == most {
			p.C.Text(draw.Point{X: box.X, Y: at.Y}, 18, draw.Left, look.Dim, words.N(len(watchers)-most, "and %d more", "and %d more"))
			return
		}
		v.kickButton(p, box, m, foyer.Called(m), words.T("Send away?"))
		box.X += width + 6
	}
}
