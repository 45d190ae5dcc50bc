package netplay

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// drawMembers draws the seats, the spectators, and how the game is played.
func (v *stay) drawMembers(p *app.Picture) {
	y := v.drawSeats(p, draw.Box{X: 70, Y: 232, W: 560})
	v.drawHelp(p, y+50)
}

// drawSeats draws the seats and the spectators, and returns where the seats end. row is the first one, without its
// height.
func (v *stay) drawSeats(p *app.Picture, row draw.Box) float32 {
	c, l := p.C, p.App.Look()
	row.H = 52
	if p.Devices.Touch {
		row.H = max(68, p.UIInput.Finger-6) // large enough for buttons for fingers
	}
	row.H = min(row.H, 380/float32(v.state.Seats)-6)
	for seat := range v.state.Seats {
		m, ok := v.state.At(seat)
		c.RoundRect(row, 10, look.Ink.Alpha(0.5))
		at := draw.Point{X: row.X + 30, Y: row.Y + row.H/2}
		col := l.Player(seat)
		if !ok {
			col = col.Alpha(0.3)
		}
		c.Circle(at, row.H*0.3, col)
		c.Text(at.Plus(draw.Point{Y: row.H * 0.12}), row.H*0.36, draw.Middle, look.Ink, fmt.Sprint(seat+1))
		base := draw.Point{X: row.X + 62, Y: row.Y + row.H/2 + 8}
		if !ok {
			v.drawEmpty(p, seat, row, base)
		} else {
			v.drawMember(p, m, row, base)
		}
		row.Y += row.H + 6
	}
	v.drawWatchers(p, draw.Point{X: row.X + 4, Y: row.Y + 22})
	return row.Y
}

func (v *stay) drawMember(p *app.Picture, m rooms.Member, row draw.Box, base draw.Point) {
	c := p.C
	right := row.X + row.W
	if v.room.IsHost() && m.ID != v.state.Host {
		right = v.drawKick(p, m, row)
	} else if m.Vacant && open(v, m.Seat) {
		right = drawVacant(v, p, m, row)
	}
	text, col := v.memberState(m)
	c.Text(draw.Point{X: right - 34, Y: base.Y - 1}, 18, draw.Right, col, text)
	c.Circle(draw.Point{X: right - 18, Y: row.Y + row.H/2}, 6, col)

	room := right - 34 - c.TextWidth(18, text) - 20 - base.X
	host := m.ID == v.state.Host
	if host {
		room -= 72
	}
	name := foyer.Called(m)
	if m.ID == v.room.Me().ID {
		name = words.F("%s (you)", name)
	}
	size := 24 * min(room/c.TextWidth(24, name), 1)
	w := c.Text(base, size, draw.Left, look.Paper, name)
	if host {
		tag := draw.Box{X: base.X + w + 14, Y: row.Y + row.H/2 - 13, W: 58, H: 26}
		c.RoundRect(tag, 8, look.Gold)
		c.Text(draw.Point{X: tag.X + 29, Y: tag.Y + 19}, 16, draw.Middle, look.Ink, words.T("HOST"))
	}
}

// memberState describes a member in a word or two.
func (v *stay) memberState(m rooms.Member) (string, draw.Color) {
	link := v.connection(m)
	switch {
	case m.Vacant:
		return words.T("gone, the place is free"), look.Gold
	case !m.Connected:
		return words.T("lost, may come back"), look.Red
	case m.Status == statusAway:
		return words.T("away"), look.Gold
	case v.why(m) != peers.NoReason:
		return words.T("no connection"), look.Red
	case m.Playing != 0:
		return words.T("plays"), look.Green
	case link == selfText || link == noneText:
		return words.T("here"), look.Green
	case link == connectedText:
		return words.T("connected"), look.Green
	case link == peers.Interrupted.String():
		return words.T("interrupted") + foyer.Dots(v.lobby.time), look.Gold
	}
	return words.T("connecting") + foyer.Dots(v.lobby.time), look.Gold
}

// drawEmpty draws a free seat, which can be taken.
func (v *stay) drawEmpty(p *app.Picture, seat int, row draw.Box, base draw.Point) {
	text := words.T("free")
	if v.kind.bots(&v.terms) {
		text = words.F("%s, a bot, until somebody comes", app.BotNames[seat])
	}
	p.C.Text(base, 20, draw.Left, look.Dim, text)
	if v.state.Match != 0 && !open(v, seat) {
		return
	}
	b := draw.Box{X: row.X + row.W - 110, Y: row.Y + 4, W: 104, H: row.H - 8}
	// A button in the same position may just have been used to kick a member.
	p.UI.ID("seat", seat)
	if p.UI.Button(b, words.T("Sit here")) && v.lobby.time > v.lobby.sent+2*sureAfter {
		if v.mine() == 0 {
			take(v, seat)
			return
		}
		_ = v.room.TakeSeat(&seat) // a refusal is an event
	}
}

// drawSeatButton draws a button with which members with a seat become spectators, and spectators take a seat.
func (v *stay) drawSeatButton(p *app.Picture, watching bool) {
	box := draw.Box{X: 670, Y: 636, W: 190, H: 58}
	switch {
	case v.state.Match != 0:
	case !watching:
		p.UI.ID("sit", 0)
		if p.UI.Button(box, words.T("Watch instead")) {
			v.watches = true
			none := rooms.NoSeat
			_ = v.room.TakeSeat(&none) // a refusal is an event
		}
	case v.free():
		p.UI.ID("sit", 0)
		if p.UI.Button(box, words.T("Take a seat")) {
			v.watches = false
			_ = v.room.TakeSeat(nil)
		}
	}
}

// drawSwap draws a button for the host to swap seats with the other member of a duel. With spectators there is no
// such button, since one of them might take the seat first.
func (v *stay) drawSwap(p *app.Picture) {
	if v.kind.id != duelID || len(v.state.Members) != 2 || !p.UI.Button(draw.Box{X: 840, Y: 556, W: 200, H: 48}, words.T("Swap seats")) {
		return
	}
	// The other member then leads, and moves to the first seat; after that we take the other one.
	v.lobby.sitAt = time.Now().Add(time.Second)
	none := rooms.NoSeat
	_ = v.room.TakeSeat(&none) // a refusal is an event
}
