package netplay

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// drawSeats draws the seats and the spectators, and returns where the seats end. row is the first one, without its
// height.
func (l *lobby) drawSeats(p *app.Picture, row draw.Box) (w wish, bottom float32) {
	c, colours := p.C, p.App.Look()
	row.H = 52
	if p.Devices.Touch {
		row.H = max(68, p.UIInput.Finger-6) // large enough for buttons for fingers
	}
	row.H = min(row.H, 380/float32(l.room.state.Seats)-6)
	for seat := range l.room.state.Seats {
		m, ok := l.room.state.At(seat)
		c.RoundRect(row, 10, look.Ink.Alpha(0.5))
		at := draw.Point{X: row.X + 30, Y: row.Y + row.H/2}
		col := colours.Player(seat)
		if !ok {
			col = col.Alpha(0.3)
		}
		c.Circle(at, row.H*0.3, col)
		c.Text(at.Plus(draw.Point{Y: row.H * 0.12}), row.H*0.36, draw.Middle, look.Ink, fmt.Sprint(seat+1))
		base := draw.Point{X: row.X + 62, Y: row.Y + row.H/2 + 8}
		if !ok {
			w = cmp.Or(l.drawEmpty(p, seat, row, base), w)
		} else {
			w = cmp.Or(l.drawMember(p, m, row, base), w)
		}
		row.Y += row.H + 6
	}
	return cmp.Or(l.drawWatchers(p, draw.Point{X: row.X + 4, Y: row.Y + 22}), w), row.Y
}

func (l *lobby) drawMember(p *app.Picture, m rooms.Member, row draw.Box, base draw.Point) (w wish) {
	c := p.C
	right := row.X + row.W
	if l.room.room.IsHost() && m.ID != l.room.state.Host {
		w, right = l.drawKick(p, m, row)
	} else if m.Vacant && l.room.open(m.Seat) {
		w, right = drawVacant(p, m, row)
	}
	text, col := l.memberState(m)
	c.Text(draw.Point{X: right - 34, Y: base.Y - 1}, 18, draw.Right, col, text)
	c.Circle(draw.Point{X: right - 18, Y: row.Y + row.H/2}, 6, col)

	room := right - 34 - c.TextWidth(18, text) - 20 - base.X
	host := m.ID == l.room.state.Host
	if host {
		room -= 72
	}
	name := foyer.Called(m)
	if m.ID == l.room.room.Me().ID {
		name = words.F("%s (you)", name)
	}
	size := 24 * min(room/c.TextWidth(24, name), 1)
	end := base.X + c.Text(base, size, draw.Left, look.Paper, name)
	if host {
		tag := draw.Box{X: end + 14, Y: row.Y + row.H/2 - 13, W: 58, H: 26}
		c.RoundRect(tag, 8, look.Gold)
		c.Text(draw.Point{X: tag.X + 29, Y: tag.Y + 19}, 16, draw.Middle, look.Ink, words.T("HOST"))
	}
	return w
}

// memberState describes a member in a word or two.
func (l *lobby) memberState(m rooms.Member) (string, draw.Color) {
	link := foyer.Connection(l.room.room, m)
	switch {
	case m.Vacant:
		return words.T("gone, the place is free"), look.Gold
	case !m.Connected:
		return words.T("lost, may come back"), look.Red
	case m.Status == foyer.StatusAway:
		return words.T("away"), look.Gold
	case foyer.FailedBecause(l.room.room, m) != peers.NoReason:
		return words.T("no connection"), look.Red
	case m.Playing != 0:
		return words.T("plays"), look.Green
	case link == foyer.Self || link == foyer.None:
		return words.T("here"), look.Green
	case link == foyer.Connected:
		return words.T("connected"), look.Green
	case link == peers.Interrupted.String():
		return words.T("interrupted") + foyer.Dots(l.time), look.Gold
	}
	return words.T("connecting") + foyer.Dots(l.time), look.Gold
}

// drawEmpty draws a free seat, which can be taken.
func (l *lobby) drawEmpty(p *app.Picture, seat int, row draw.Box, base draw.Point) wish {
	text := words.T("free")
	if l.room.kind.bots(&l.room.terms) {
		text = words.F("%s, a bot, until somebody comes", app.BotNames[seat])
	}
	p.C.Text(base, 20, draw.Left, look.Dim, text)
	if l.room.state.Match != 0 && !l.room.open(seat) {
		return wish{}
	}
	b := draw.Box{X: row.X + row.W - 110, Y: row.Y + 4, W: 104, H: row.H - 8}
	// A button in the same position may just have been used to kick a member.
	p.UI.ID("seat", seat)
	switch {
	case !p.UI.Button(b, words.T("Sit here")) || !l.away.Rests():
		return wish{}
	case l.room.watching():
		return wish{verb: toTake, seat: seat}
	}
	return wish{verb: toSit, seat: seat}
}

// drawSeatButton draws a button with which members with a seat become spectators, and spectators take a seat.
func (l *lobby) drawSeatButton(p *app.Picture, watching bool) (w wish) {
	verb, label := toWatch, words.T("Watch instead")
	if watching {
		verb, label = toPlay, words.T("Take a seat")
	}
	if l.room.state.Match != 0 || watching && !l.room.free() {
		return w
	}
	p.UI.ID("sit", 0)
	if p.UI.Button(draw.Box{X: 670, Y: 636, W: 190, H: 58}, label) {
		w.verb = verb
	}
	return w
}

// drawSwap draws a button for the host to swap seats with the other member of a duel. With spectators there is no
// such button, since one of them might take the seat first.
func (l *lobby) drawSwap(p *app.Picture) (w wish) {
	if l.room.kind.id == duelID && len(l.room.state.Members) == 2 && p.UI.Button(draw.Box{X: 840, Y: 556, W: 200, H: 48}, words.T("Swap seats")) {
		w.verb = toSwap
	}
	return w
}

// drawVacant draws a button for the seat of an absent member, and returns where the rest of the row ends.
func drawVacant(p *app.Picture, m rooms.Member, row draw.Box) (w wish, end float32) {
	box := draw.Box{X: row.X + row.W - 136, Y: row.Y + 4, W: 130, H: row.H - 8}
	p.UI.ID("vacant", m.Seat)
	if p.UI.Button(box, words.T("Take it")) {
		w = wish{verb: toTake, seat: m.Seat}
	}
	return w, box.X
}

// drawKick draws a button for the host to kick a member, with a confirmation. It returns the end of the remaining
// part of the row.
func (l *lobby) drawKick(p *app.Picture, m rooms.Member, row draw.Box) (w wish, end float32) {
	const width = 110
	if m.Seat < l.room.room.Me().Seat && !m.Connected || l.kicks.has(m.ID) {
		return w, row.X + row.W
	}
	box := draw.Box{X: row.X + row.W - width - 6, Y: row.Y + 4, W: width, H: row.H - 8}
	return l.kickButton(p, box, m, words.T("Send away"), words.T("Sure?")), box.X
}

func (l *lobby) kickButton(p *app.Picture, box draw.Box, m rooms.Member, label, again string) (w wish) {
	if l.away.Button(p, box, int(m.ID), label, again) {
		w = wish{verb: toKick, member: m.ID}
	}
	return w
}

// drawWatchers lists the spectators; the host can kick each. at is where the text begins.
func (l *lobby) drawWatchers(p *app.Picture, at draw.Point) wish {
	var names []string
	var others []rooms.Member
	me := l.room.room.Me().ID
	for _, m := range l.room.state.Members {
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
	case l.room.room.IsHost():
		return l.drawKicks(p, at, others)
	default:
		for i, line := range app.Wrap(p.C, words.F("Watching: %s", strings.Join(names, ", ")), 18, 560) {
			if i < 2 {
				p.C.Text(at.Plus(draw.Point{Y: 22 * float32(i)}), 18, draw.Left, look.Dim, line)
			}
		}
	}
	return wish{}
}

// drawKicks draws spectators as buttons, as many as fit.
func (l *lobby) drawKicks(p *app.Picture, at draw.Point, watchers []rooms.Member) (w wish) {
	const most, width = 3, 122
	at.X += p.C.Text(at, 18, draw.Left, look.Dim, words.T("Watching:")) + 14
	box := draw.Box{X: at.X, Y: at.Y - 24, W: width, H: 36}
	for i, m := range watchers {
		if i == most {
			p.C.Text(draw.Point{X: box.X, Y: at.Y}, 18, draw.Left, look.Dim, words.N(len(watchers)-most, "and %d more", "and %d more"))
			break
		}
		w = cmp.Or(l.kickButton(p, box, m, foyer.Called(m), words.T("Send away?")), w)
		box.X += width + 6
	}
	return w
}

// forget forgets what was begun in the list of players, when it is opened again.
func (l *lobby) forget() {
	l.away.Forget()
	l.place = foyer.Copying{}
}

// moves reports whether a link can move our place to another machine.
func (l *lobby) moves() bool {
	return !l.room.watching() && l.way.says().moves && !l.room.noServer() && (l.machine.Copy != nil || l.machine.Share != nil)
}

// drawMove draws a button for a link to the player's own place, for another machine.
func (l *lobby) drawMove(p *app.Picture, box draw.Box) {
	said := ""
	switch l.place.Answer() {
	case foyer.Copied:
		said = words.T("Copied. Open it on the other device, and send it to nobody else.")
	case foyer.NotCopied:
		said = words.T("The clipboard cannot be used here.")
	case foyer.NoAnswer:
	}
	if said != "" {
		p.C.Mirror.Live(said)
		p.C.Text(draw.Point{X: app.Width / 2, Y: 106}, 18, draw.Middle, look.Gold, said)
	}
	if !l.moves() {
		return
	}
	p.UI.ID("move", 0)
	switch {
	case !p.UI.Button(box, words.T("Play on another device")):
	case l.machine.Share != nil:
		l.machine.Share(online.PlaceLink(l.room.room))
	default:
		l.place.Copy(l.machine, online.PlaceLink(l.room.room))
	}
}
