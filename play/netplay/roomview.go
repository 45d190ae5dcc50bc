package netplay

import (
	"strings"
	"time"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// told is the answer of the clipboard.
type told uint8

const (
	nothingTold told = iota
	copied
	notCopied
)

// lobby is the state of the screen of a room.
type lobby struct {
	sitAt  time.Time // when a seat may be requested again
	copied chan bool // the answer of the clipboard
	told   told      // beside the link
	time   float32
	sure   bool    // the button to leave was pressed once
	kick   uint32  // the member whose kick was pressed once; 0: none
	asked  float32 // when that was, by time
	ready  bool    // the host can start the match
	sent   float32 // when a member was last kicked, by time
	places places
}

// drawRoom draws the room while nothing is played here.
func (v *stay) drawRoom(p *app.Picture) {
	c := p.C
	v.lobby.time += p.DT
	foyer.Backdrop(p, v.lobby.time)
	c.Text(draw.Point{X: 70, Y: 96}, 46, draw.Left, look.Paper, words.F("%s room", words.T(v.kind.title)))
	v.drawLink(p)
	v.drawMembers(p)
	v.drawBegin(p, v.drawTerms(p))
	v.notices.Advance(p.DT)
	v.notices.Draw(p, 24, "")
	box := draw.Box{X: 880, Y: 636, W: 330, H: 58}
	label := words.T("Leave the room")
	if v.lobby.sure {
		label = words.T("Leave: are you sure?")
	}
	p.UI.ID("leave", 0)
	if p.UI.Button(box, label) || p.UI.Back() {
		v.gone = v.lobby.sure || len(v.state.Members) < 2
		v.lobby.sure = true
	}
}

// drawLink draws the link, and buttons for it.
func (v *stay) drawLink(p *app.Picture) {
	c, m := p.C, &v.cfg.Machine
	hint, texts := v.cfg.way.invitation(v.room)
	link := strings.Join(texts, "   ")
	panel := draw.Box{X: 70, Y: 120, W: 1140, H: 92}
	c.RoundRect(panel, 14, look.Ink.Alpha(0.55))
	c.Text(draw.Point{X: 92, Y: 152}, 18, draw.Left, look.Dim, hint)
	size, room := float32(24), float32(700)
	if w := c.TextWidth(size, link); w > room {
		size *= room / w
	}
	c.Text(draw.Point{X: 92, Y: 190}, max(size, 11), draw.Left, look.Gold, link)
	select {
	case ok := <-v.lobby.copied:
		if v.lobby.told = copied; !ok {
			v.lobby.told = notCopied
		}
	default:
	}
	box := draw.Box{X: 830, Y: 142, W: 180, H: 50}
	if m.Copy != nil && len(texts) > 0 {
		label := words.T("Copy")
		if v.lobby.told == copied {
			label = words.T("Copied")
		}
		p.UI.ID("copy", 0)
		if p.UI.Button(box, label) {
			v.copy(texts[0])
		}
		box.X += 196
	}
	if m.Share != nil {
		if p.UI.Button(box, words.T("Share")) {
			m.Share(texts[0])
		}
	} else if v.lobby.told == notCopied {
		c.Text(draw.Point{X: 1194, Y: 152}, 15, draw.Right, look.Gold, words.T("Copy it from here, or from the address"))
	}
}

func (v *stay) copy(link string) {
	copied := make(chan bool, 1)
	v.lobby.copied = copied
	v.cfg.Machine.Copy(link, func(ok bool) {
		select {
		case copied <- ok:
		default: // a second answer is ignored
		}
	})
}

// drawHelp explains how the game is played, if there is room.
func (v *stay) drawHelp(p *app.Picture, y float32) {
	at := max(y, 560) + 40
	for _, text := range v.kind.help {
		for _, line := range app.Wrap(p.C, words.T(text), 19, 570) {
			if at < app.Height-14 {
				p.C.Text(draw.Point{X: 74, Y: at}, 19, draw.Left, look.Paper.Alpha(0.7), line)
			}
			at += 28
		}
	}
}

// drawTerms draws the settings of the room, which the host can change, and returns where they end.
func (v *stay) drawTerms(p *app.Picture) (bottom float32) {
	if !v.room.IsHost() || v.state.Match != 0 {
		return sayTerms(v, p)
	}
	rows, t := v.kind.rows(), v.terms
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
	if t != v.terms {
		if t.Seconds != v.terms.Seconds {
			t.Round, t.Wins = 0, [2]int{}
		}
		_ = v.change(t) // an event of the room confirms it
	}
	return box.Y + box.H + gap
}

// sayTerms draws the settings for members who cannot change them.
func sayTerms(v *stay, p *app.Picture) (bottom float32) {
	lines := make([]string, 0, 5)
	for _, r := range v.kind.rows() {
		lines = append(lines, r.label+": "+r.of[max(r.get(&v.terms), 0)])
	}
	if v.kind.id == duelID {
		lines = append(lines, words.T("Best of three rounds"))
	}
	box := draw.Box{X: 670, Y: 232, W: 540, H: 24 + 36*float32(len(lines))}
	p.C.RoundRect(box, 10, look.Ink.Alpha(0.5))
	for i, l := range lines {
		p.C.Text(draw.Point{X: 690, Y: 268 + 36*float32(i)}, 20, draw.Left, look.Paper, l)
	}
	return box.Y + box.H
}

// drawBegin draws what the match is waiting for, and the button to start or join it, below the settings.
func (v *stay) drawBegin(p *app.Picture, y float32) {
	c := p.C
	y = max(y+24, 420)
	button := draw.Box{X: 760, Y: min(y+50, 562), W: 360, H: 62}
	say := func(text string, col draw.Color) {
		c.Mirror.Live(text)
		for i, l := range app.Wrap(c, text, 22, 520) {
			c.Text(draw.Point{X: 940, Y: y + 28*float32(i)}, 22, draw.Middle, col, l)
		}
	}
	watching := v.room.Me().Seat == rooms.NoSeat
	sit, all := v.present()
	ready, before := v.state.Match == 0 && sit >= 2 && all && v.room.IsHost(), v.lobby.ready
	v.lobby.ready = ready
	switch {
	case v.state.Match != 0:
		say(words.T("A match is played")+foyer.Dots(v.lobby.time), look.Gold)
		label := words.T("Join it")
		if watching {
			label = words.T("Watch it")
		}
		if v.again {
			break
		}
		p.UI.ID("join", 0)
		v.again = p.UI.Button(button, label)
	case sit < 2 && watching:
		say(words.T("Waiting for two players"), look.Gold)
	case sit < 2:
		say(words.T(v.cfg.way.says().call)+foyer.Dots(v.lobby.time), look.Gold)
	case !all:
		v.sayMissing(say)
	case v.room.IsHost():
		say(sayReady(sit), look.Green)
		if !before {
			p.UI.FocusNext() // to the most important button now
		}
		if p.UI.Button(button, words.T("Start")) {
			v.start(time.Now())
		}
		v.drawSwap(p)
	default:
		say(words.F("%s starts the match", v.hostName()), look.Paper)
	}
	v.drawSeatButton(p, watching)
}

// sayMissing says to which members there is no connection yet, and why.
func (v *stay) sayMissing(say func(string, draw.Color)) {
	for _, m := range v.state.Members {
		if m.Seat == rooms.NoSeat {
			continue
		}
		if why := v.why(m); why != peers.NoReason {
			say(words.F("No connection to %s: %s. Still trying.", foyer.Called(m), words.T(reason(why))), look.Red)
			return
		}
		if !m.Connected {
			say(words.F("%s has lost the connection, and may come back", foyer.Called(m))+foyer.Dots(v.lobby.time), look.Gold)
			return
		}
	}
	say(words.F("Connecting to %s", v.unconnected())+foyer.Dots(v.lobby.time), look.Gold)
}

// reason says why there is no connection, as a marked text.
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

// sayReady says how many members are ready.
func sayReady(sit int) string {
	if sit == 2 {
		return words.T("Both are ready")
	}
	return words.F("All %d are ready", sit)
}
