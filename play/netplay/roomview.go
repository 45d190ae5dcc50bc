package netplay

import (
	"cmp"
	"strings"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// lobby is the screen of a room. It changes nothing: what the player chooses on it is a wish.
type lobby struct {
	room    *roomInfo
	machine *foyer.Machine
	way     way
	kicks   *kicks

	time  float32
	link  foyer.Copying // the link to the room
	place foyer.Copying // the link to our place
	away  foyer.Twice   // the buttons that send members away
	sure  bool          // the button to leave was pressed once
	ready bool          // the host could start the match in the last picture
}

// advance lets time pass, in seconds.
func (l *lobby) advance(dt float32) {
	l.time += dt
	l.away.Advance(dt)
}

// draw draws the room while no match is shown. joins says that we are about to join its match.
func (l *lobby) draw(p *app.Picture, joins bool) wish {
	l.advance(p.DT)
	foyer.Backdrop(p, l.time)
	p.C.Text(draw.Point{X: 70, Y: 96}, 46, draw.Left, look.Paper, words.F("%s room", words.T(l.room.kind.title)))
	l.drawLink(p)
	seats, y := l.drawSeats(p, draw.Box{X: 70, Y: 232, W: 560})
	l.drawHelp(p, y+50)
	changes, bottom := l.drawTerms(p)
	begins := l.drawBegin(p, bottom, joins)
	label := words.T("Leave the room")
	if l.sure {
		label = words.T("Leave: are you sure?")
	}
	p.UI.ID("leave", 0)
	if p.UI.Button(draw.Box{X: 880, Y: 636, W: 330, H: 58}, label) || p.UI.Back() {
		if l.sure || len(l.room.state.Members) < 2 {
			return wish{verb: toLeave}
		}
		l.sure = true
	}
	return cmp.Or(seats, changes, begins)
}

// drawLink draws the link, and buttons for it.
func (l *lobby) drawLink(p *app.Picture) {
	c, m := p.C, l.machine
	hint, texts := l.way.invitation(l.room.room)
	link := strings.Join(texts, "   ")
	panel := draw.Box{X: 70, Y: 120, W: 1140, H: 92}
	c.RoundRect(panel, 14, look.Ink.Alpha(0.55))
	c.Text(draw.Point{X: 92, Y: 152}, 18, draw.Left, look.Dim, hint)
	size, room := float32(24), float32(700)
	if w := c.TextWidth(size, link); w > room {
		size *= room / w
	}
	c.Text(draw.Point{X: 92, Y: 190}, max(size, 11), draw.Left, look.Gold, link)
	box, answer := draw.Box{X: 830, Y: 142, W: 180, H: 50}, l.link.Answer()
	if m.Copy != nil && len(texts) > 0 {
		label := words.T("Copy")
		if answer == foyer.Copied {
			label = words.T("Copied")
		}
		p.UI.ID("copy", 0)
		if p.UI.Button(box, label) {
			l.link.Copy(m, texts[0])
		}
		box.X += 196
	}
	if m.Share != nil {
		if p.UI.Button(box, words.T("Share")) {
			m.Share(texts[0])
		}
	} else if answer == foyer.NotCopied {
		c.Text(draw.Point{X: 1194, Y: 152}, 15, draw.Right, look.Gold, words.T("Copy it from here, or from the address"))
	}
}

// drawHelp explains how the game is played, if there is room.
func (l *lobby) drawHelp(p *app.Picture, y float32) {
	at := max(y, 560) + 40
	for _, text := range l.room.kind.help {
		for _, line := range app.Wrap(p.C, words.T(text), 19, 570) {
			if at < app.Height-14 {
				p.C.Text(draw.Point{X: 74, Y: at}, 19, draw.Left, look.Paper.Alpha(0.7), line)
			}
			at += 28
		}
	}
}

// drawTerms draws the settings of the room, which the host can change, and returns where they end.
func (l *lobby) drawTerms(p *app.Picture) (w wish, bottom float32) {
	if !l.room.room.IsHost() || l.room.state.Match != 0 {
		return w, l.sayTerms(p)
	}
	rows, t := l.room.kind.rows(), l.room.terms
	const gap = 10
	box, bottom := draw.Box{X: 670, Y: 232, W: 540, H: 64}, float32(394)
	if len(rows) > 2 {
		box.H, bottom = 42, 526
	}
	next := p.Rows(box, len(rows), gap, box.Y, bottom)
	for _, r := range rows {
		box = next()
		n := p.UI.Choice(box, r.label, max(r.get(&t), 0), r.of...)
		r.set(&t, n)
	}
	if t != l.room.terms {
		if t.Seconds != l.room.terms.Seconds {
			t.Round, t.Wins = 0, [2]int{}
		}
		w = wish{verb: toChange, terms: t}
	}
	return w, box.Y + box.H + gap
}

// sayTerms draws the settings for members who cannot change them.
func (l *lobby) sayTerms(p *app.Picture) (bottom float32) {
	lines := make([]string, 0, 5)
	for _, r := range l.room.kind.rows() {
		lines = append(lines, r.label+": "+r.of[max(r.get(&l.room.terms), 0)])
	}
	if l.room.kind.id == duelID {
		lines = append(lines, words.T("Best of three rounds"))
	}
	box := draw.Box{X: 670, Y: 232, W: 540, H: 24 + 36*float32(len(lines))}
	p.C.RoundRect(box, 10, look.Ink.Alpha(0.5))
	for i, line := range lines {
		p.C.Text(draw.Point{X: 690, Y: 268 + 36*float32(i)}, 20, draw.Left, look.Paper, line)
	}
	return box.Y + box.H
}

// drawBegin draws what the match is waiting for, and the button to start or join it, below the settings.
func (l *lobby) drawBegin(p *app.Picture, y float32, joins bool) (w wish) {
	c, room := p.C, l.room
	y = max(y+24, 420)
	button := draw.Box{X: 760, Y: min(y+50, 562), W: 360, H: 62}
	say := func(text string, col draw.Color) {
		c.Mirror.Live(text)
		for i, line := range app.Wrap(c, text, 22, 520) {
			c.Text(draw.Point{X: 940, Y: y + 28*float32(i)}, 22, draw.Middle, col, line)
		}
	}
	watching := room.watching()
	sit, all := room.present()
	before := l.ready
	l.ready = room.state.Match == 0 && sit >= 2 && all && room.room.IsHost()
	switch {
	case room.state.Match != 0:
		say(words.T("A match is played")+foyer.Dots(l.time), look.Gold)
		label := words.T("Join it")
		if watching {
			label = words.T("Watch it")
		}
		if joins {
			break
		}
		p.UI.ID("join", 0)
		if p.UI.Button(button, label) {
			w = wish{verb: toJoin}
		}
	case sit < 2 && watching:
		say(words.T("Waiting for two players"), look.Gold)
	case sit < 2:
		say(words.T(l.way.says().call)+foyer.Dots(l.time), look.Gold)
	case !all:
		l.sayMissing(say)
	case room.room.IsHost():
		say(sayReady(sit), look.Green)
		if !before {
			p.UI.FocusNext() // to the most important button now
		}
		if p.UI.Button(button, words.T("Start")) {
			w = wish{verb: toStart}
		}
		w = cmp.Or(l.drawSwap(p), w)
	default:
		say(words.F("%s starts the match", room.hostName()), look.Paper)
	}
	return cmp.Or(l.drawSeatButton(p, watching), w)
}

// sayMissing says to which members there is no connection yet, and why.
func (l *lobby) sayMissing(say func(string, draw.Color)) {
	for _, m := range l.room.seated() {
		if why := foyer.FailedBecause(l.room.room, m); why != peers.NoReason {
			say(words.F("No connection to %s: %s. Still trying.", foyer.Called(m), words.T(reason(why))), look.Red)
			return
		}
		if !m.Connected {
			say(words.F("%s has lost the connection, and may come back", foyer.Called(m))+foyer.Dots(l.time), look.Gold)
			return
		}
	}
	say(words.F("Connecting to %s", l.room.unconnected())+foyer.Dots(l.time), look.Gold)
}

// reason returns a marked text that says why there is no connection.
func reason(r peers.Reason) string {
	switch r {
	case peers.Blocked:
		return words.K("a network between lets nothing through, so a TURN server is needed")
	case peers.Gone:
		return words.K("the connection was lost")
	case peers.Unsupported:
		return words.K("WebRTC does not work here")
	case peers.Firewalled:
		return words.K("a firewall may stand between you")
	}
	return words.K("no answer")
}

// sayReady returns a text that says how many members are ready.
func sayReady(sit int) string {
	if sit == 2 {
		return words.T("Both are ready")
	}
	return words.F("All %d are ready", sit)
}
