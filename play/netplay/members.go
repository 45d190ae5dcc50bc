package netplay

import (
	"fmt"
	"strings"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// drawMembers draws the seats, and who watches.
func (v *visit) drawMembers(p *app.Picture) {
	c, l := p.C, p.App.Look()
	row := draw.Box{X: 70, Y: 232, W: 560, H: min(52, 380/float32(v.state.Seats)-6)}
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
	v.drawWatchers(p, row.Y+22)
	v.drawHelp(p, row.Y+50)
}

func (v *visit) drawMember(p *app.Picture, m rooms.Member, row draw.Box, base draw.Point) {
	c := p.C
	name := called(m)
	if m.ID == v.room.Me().ID {
		name += " (you)"
	}
	w := c.Text(base, 24, draw.Left, look.Paper, name)
	if m.ID == v.state.Host {
		tag := draw.Box{X: base.X + w + 14, Y: row.Y + row.H/2 - 13, W: 58, H: 26}
		c.RoundRect(tag, 8, look.Gold)
		c.Text(draw.Point{X: tag.X + 29, Y: tag.Y + 19}, 16, draw.Middle, look.Ink, "HOST")
	}
	text, col := v.memberState(m)
	c.Text(draw.Point{X: row.X + row.W - 34, Y: base.Y - 1}, 18, draw.Right, col, text)
	c.Circle(draw.Point{X: row.X + row.W - 18, Y: row.Y + row.H/2}, 6, col)
}

// memberState is how somebody is, in a word or two.
func (v *visit) memberState(m rooms.Member) (string, draw.Color) {
	link := v.connection(m)
	switch {
	case !m.Connected:
		return "lost, may come back", look.Red
	case m.Status == statusAway:
		return "away", look.Gold
	case v.why(m) != "":
		return "no connection", look.Red
	case m.Playing != 0:
		return "plays", look.Green
	case link == selfText || link == noneText:
		return "here", look.Green
	case link == connectedText:
		return "connected", look.Green
	}
	return link + dots(v.lobby.time), look.Gold
}

func dots(time float32) string { return strings.Repeat(".", 1+int(time*3)%3) }

// drawEmpty draws a free seat, which can be taken.
func (v *visit) drawEmpty(p *app.Picture, seat int, row draw.Box, base draw.Point) {
	text := "free"
	if v.game == arenaID && v.terms.Bots > 0 {
		text = app.BotNames[seat] + ", a bot, until somebody comes"
	}
	p.C.Text(base, 20, draw.Left, look.Dim, text)
	b := draw.Box{X: row.X + row.W - 110, Y: row.Y + 4, W: 104, H: row.H - 8}
	if v.state.Match == 0 && p.UI.Button(b, "Sit here") {
		v.watches = false
		_ = v.room.Sit(&seat) // a refusal is an event
	}
}

// drawWatchers names who watches.
func (v *visit) drawWatchers(p *app.Picture, y float32) {
	var names []string
	for _, m := range v.state.Members {
		if m.Seat == rooms.NoSeat {
			name := called(m)
			if m.ID == v.room.Me().ID {
				name += " (you)"
			}
			names = append(names, name)
		}
	}
	text := "Nobody watches."
	if len(names) > 0 {
		text = "Watching: " + strings.Join(names, ", ")
	}
	for i, l := range app.Wrap(p.C, text, 18, 560) {
		if i < 2 {
			p.C.Text(draw.Point{X: 74, Y: y + 22*float32(i)}, 18, draw.Left, look.Dim, l)
		}
	}
}

// drawSeatButton lets who sits watch, and who watches sit.
func (v *visit) drawSeatButton(p *app.Picture, watching bool) {
	box := draw.Box{X: 670, Y: 636, W: 190, H: 52}
	switch {
	case v.state.Match != 0:
	case !watching:
		if p.UI.Button(box, "Watch instead") {
			v.watches = true
			none := rooms.NoSeat
			_ = v.room.Sit(&none) // a refusal is an event
		}
	case v.free():
		if p.UI.Button(box, "Take a seat") {
			v.watches = false
			_ = v.room.Sit(nil)
		}
	}
}

// drawSwap lets the host change seats with the other one of a duel, if nobody watches who
// would be quicker to sit.
func (v *visit) drawSwap(p *app.Picture) {
	if v.game != duelID || len(v.state.Members) != 2 || !p.UI.Button(draw.Box{X: 840, Y: 556, W: 200, H: 48}, "Swap seats") {
		return
	}
	// Who is left leads, and moves to the first seat; then we take the other one.
	v.lobby.sitAt = time.Now().Add(time.Second)
	none := rooms.NoSeat
	_ = v.room.Sit(&none) // a refusal is an event
}
