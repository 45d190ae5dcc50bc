package netplay

import (
	"errors"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// places is what is known about places that change hands.
type places struct {
	taken  bool      // we were told that ours was taken
	copied chan bool // the answer of the clipboard about the link to our place
	said   string    // about that link
}

// welcome tells a newcomer with an old ticket what has become of its place.
func welcome(v *stay) {
	var taken *rooms.TakenError
	switch err := v.room.Lost(); {
	case errors.As(err, &taken):
		sayTaken(v, taken.By)
	case err != nil:
		v.notices.Add(words.T("Your place was given up while you were away."), 8)
	}
	seated(v, v.state)
}

func sayTaken(v *stay, name string) {
	if name == "" {
		v.notices.Add(words.T("Somebody has taken your place."), 8)
		return
	}
	v.notices.Add(words.F("%s has taken your place.", name), 8)
}

// seated handles changes of seats in the room: of ours, and of those of absent players.
func seated(v *stay, before rooms.State) {
	me, here := v.state.Member(v.room.Me().ID)
	was, _ := before.Member(me.ID)
	if me.Taken != 0 && !v.lobby.places.taken {
		name := ""
		if by, ok := v.state.Member(me.Taken); ok {
			name = foyer.Called(by)
		}
		sayTaken(v, name)
	}
	v.lobby.places.taken = me.Taken != 0
	watches := me.Seat == rooms.NoSeat
	if here && runs(v) && watches != (was.Seat == rooms.NoSeat) && watches == (v.bout.player() != nil) {
		v.drop() // a watched match is joined now, or the other way round
		v.again = true
	}
	sayAbsent(v)
}

// runs reports whether the match of the room is running here.
func runs(v *stay) bool {
	return v.bout != nil && !v.retired && v.overAt.IsZero() && !v.room.Started()
}

// sayAbsent makes the host report to the room who has left both the match and the server: the room cannot know that
// by itself, as matches continue without it.
func sayAbsent(v *stay) {
	if !v.room.IsHost() || !runs(v) || v.bout.player() == nil {
		return
	}
	for _, m := range v.state.Members {
		if m.Seat != rooms.NoSeat && !m.Connected && m.Playing == v.state.Match && v.others.absent.Has(tickback.Player(m.Seat)) {
			_ = v.room.Absent(m.ID) // it is repeated at the next news from the room, if it was lost
		}
	}
}

// open reports whether a member without a seat could take this one now.
func open(v *stay, seat int) bool {
	m, taken := v.state.At(seat)
	return v.mine() == 0 && !v.noServer() && (!taken || m.Vacant)
}

// take takes a seat, also during a match, which we then join.
func take(v *stay, seat int) {
	v.watches = false
	_ = v.room.Take(seat) // a refusal is an event
}

// drawOffer offers a spectator a place in the match.
func drawOffer(v *stay, p *app.Picture) {
	for seat := range v.state.Seats {
		if !open(v, seat) {
			continue
		}
		label := words.T("A place is free: take it")
		if m, ok := v.state.At(seat); ok {
			label = words.F("%s has gone: take the place", foyer.Called(m))
		}
		y := float32(618)
		if commander(v) != nil {
			y -= app.SkirmishPanel
		}
		p.UI.ID("offer", seat)
		if p.UI.Button(draw.Box{X: app.Width/2 - 260, Y: y, W: 520, H: 58}, label) {
			take(v, seat)
		}
		return
	}
}

// drawVacant draws a button for the seat of an absent member, and returns where the rest of the row ends.
func drawVacant(v *stay, p *app.Picture, m rooms.Member, row draw.Box) float32 {
	box := draw.Box{X: row.X + row.W - 136, Y: row.Y + 4, W: 130, H: row.H - 8}
	p.UI.ID("vacant", m.Seat)
	if p.UI.Button(box, words.T("Take it")) {
		take(v, m.Seat)
	}
	return box.X
}

// moves reports whether we have a place that a link can lead to.
func moves(v *stay) bool {
	m := &v.cfg.Machine
	return v.mine() != 0 && v.cfg.way.says().moves && !v.noServer() && (m.Copy != nil || m.Share != nil)
}

// drawMove draws a button for a link to the player's own place, for another machine.
func drawMove(v *stay, p *app.Picture, box draw.Box) {
	m, l := &v.cfg.Machine, &v.lobby.places
	select {
	case ok := <-l.copied:
		if l.said = words.T("Copied. Open it on the other device, and send it to nobody else."); !ok {
			l.said = words.T("The clipboard cannot be used here.")
		}
	default:
	}
	if l.said != "" {
		p.C.Mirror.Live(l.said)
		p.C.Text(draw.Point{X: app.Width / 2, Y: 106}, 18, draw.Middle, look.Gold, l.said)
	}
	if !moves(v) {
		return
	}
	p.UI.ID("move", 0)
	switch {
	case !p.UI.Button(box, words.T("Play on another device")):
	case m.Share != nil:
		m.Share(online.PlaceLink(v.room))
	default:
		copied := make(chan bool, 1)
		l.copied = copied
		m.Copy(online.PlaceLink(v.room), func(ok bool) {
			select {
			case copied <- ok:
			default: // a second answer is ignored
			}
		})
	}
}
