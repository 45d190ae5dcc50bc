package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/orders"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/words"
	"github.com/tickback/tickback/world"
)

// SkirmishStage shows a skirmish, from any kind of session, with the hand and the panels of the player that commands
// there, and at the end with the result. Make one with [NewSkirmishStage], and give it a session with
// [SkirmishStage.Begin].
//
// The session's Sample must call [SkirmishStage.Sampled], and its Orders are those of [SkirmishStage.Orders].
type SkirmishStage struct {
	Show[skirmish.World]
	// Names are the players' names.
	Names [skirmish.MaxPlayers]string
	// Watched says that keys have other meanings here, as in a recording.
	Watched bool
	// Covered says that a menu covers the picture: the panels are only shown, not used.
	Covered bool

	view   *skirmishview.View
	hand   *orders.Hand
	hud    skirmishHud
	scale  float32 // the scale of the part of the picture that the stage covers
	corner draw.Point
	after  float32 // seconds since the end
}

// NewSkirmishStage returns a stage for a player, or for skirmish.Nobody.
func NewSkirmishStage(a *App, side uint8) *SkirmishStage {
	s := &SkirmishStage{view: skirmishview.New(a.Look(), side), scale: 1}
	s.View, s.Monitor, s.Checksum = s.view, new(overlay.Monitor), skirmishChecksum()
	s.hand = orders.New(s.view)
	s.hud = skirmishHud{view: s.view, hand: s.hand, names: &s.Names}
	s.hand.Minimap, s.hand.Covers = minimapBox, s.hud.covers
	return s
}

// Begin shows a match. A stage shows one match only.
func (s *SkirmishStage) Begin(a *App, session tickback.Session[skirmish.World]) {
	s.begin(session, sound.NewDirector(a.Mixer, skirmish.TicksPerSecond, skirmishview.Cue))
}

// skirmishChecksum returns a function that returns the low half of a state's hash, which it computes once for each
// tick.
func skirmishChecksum() func(*skirmish.World) string {
	var of uint64
	text := ""
	return func(w *skirmish.World) string {
		if h := world.Hash(w); h != of || text == "" { // pages that have not changed are not hashed again
			of, text = h, hex(uint32(h))
		}
		return text
	}
}

// Sampled records the state before the next frame runs, so that motion is drawn between states.
func (s *SkirmishStage) Sampled() {
	v := s.Session.View()
	s.view.Mark(v.Current, v.Frame)
}

// Orders returns what the player orders in the next frame, encoded. The result is valid until the next call.
func (s *SkirmishStage) Orders() []byte { return s.hand.Orders() }

// Ended returns how many seconds ago the match ended, and whether it has ended.
func (s *SkirmishStage) Ended() (seconds float32, ended bool) {
	_, over := s.Session.Outcome()
	return s.after, over
}

// Jumped must be called after a jump of the session, as in a recording: the presentation starts over.
func (s *SkirmishStage) Jumped() {
	s.after = 0
	s.Director.Stop()
	s.view.Jump()
}

// Command handles mouse, keys and fingers. A spectator can move the map.
func (s *SkirmishStage) Command(p *Picture) {
	if _, over := s.Session.Outcome(); over {
		return
	}
	d, pressed := *p.Devices, p.Pressed
	if s.Watched {
		d.Keys, pressed = nil, nil // they have other meanings
	}
	d.Pointer = s.inside(d.Pointer)
	if s.view.Side == skirmish.Nobody && !minimapBox.Has(d.Pointer) {
		d.Middle, d.Down, d.Right = d.Middle || d.Down, false, false
	}
	d.Touches = nil
	for _, t := range p.Devices.Touches {
		d.Touches = append(d.Touches, s.inside(t))
	}
	s.hand.Look(&d, pressed, p.DT)
}

// inside converts a point of the picture to one in the part that the stage covers.
func (s *SkirmishStage) inside(p draw.Point) draw.Point { return p.Minus(s.corner).Times(1 / s.scale) }

// Cancel cancels the action of the next click. It reports whether there was one.
func (s *SkirmishStage) Cancel() bool { return s.hand.Cancel() }

// Resign resigns the match.
func (s *SkirmishStage) Resign() { s.hand.Resign() }

// Menu reports whether the button of the menu was pressed in the last picture.
func (s *SkirmishStage) Menu() bool { return s.hud.menu }

// Advance lets time pass. An error comes from the session, and is final.
func (s *SkirmishStage) Advance(p *Picture) error {
	s.view.Look = p.App.Look()
	err := s.Show.Advance(p)
	if side := int(s.view.Side); side < skirmish.MaxPlayers {
		s.hand.Delay = s.Session.Stats().Delay[side]
	}
	s.after += p.DT
	if _, over := s.Session.Outcome(); !over {
		s.after = 0
	}
	return err
}

// Keep replaces the session by what remains of it; the last picture stays.
func (s *SkirmishStage) Keep(session tickback.Session[skirmish.World]) {
	s.view.Freeze()
	s.Show.Keep(session)
}

// Draw draws the match, with its panels while it is running, and then with the result.
func (s *SkirmishStage) Draw(p *Picture) {
	q, d := *p, *p.Devices
	s.scale, s.corner = p.Box.W/Width, draw.Point{X: p.Box.X, Y: p.Box.Y}
	q.Box = draw.Box{W: Width, H: Height}
	if d.Pointer = s.inside(d.Pointer); s.Covered {
		d.Pointer, d.Down = draw.Point{X: -Width}, false
	}
	q.Devices = &d
	p.C.Push()
	defer p.C.Pop()
	p.C.Translate(s.corner.X, s.corner.Y)
	p.C.Scale(s.scale, s.scale)
	s.view.Draw(q.C, q.Box)
	_, over := s.Session.Outcome()
	s.hud.menu = false
	switch {
	case p.App.Bare():
		return
	case over:
		s.drawResult(&q)
	default:
		s.hud.draw(&q, s.Watched)
	}
	s.Overlay(&q)
}

// drawResult draws who has won, and the statistics of each side.
func (s *SkirmishStage) drawResult(p *Picture) {
	c, t, me := p.C, s.view.Tally(), int(s.view.Side)
	c.Rect(p.Full, look.Night.Alpha(0.6))
	title, col := words.T("NOBODY WINS"), look.Paper
	if t.Over && t.Winner >= 0 {
		title, col = words.F("%s WINS", s.Names[t.Winner]), s.view.Look.Player(t.Winner)
		if t.Winner == me {
			title = words.T("VICTORY")
		} else if me < skirmish.MaxPlayers {
			title = words.F("DEFEAT: %s", title)
		}
	}
	size := float32(64)
	if w := c.TextWidth(size, title); w > Width-80 {
		size *= (Width - 80) / w
	}
	c.Text(draw.Point{X: Width / 2, Y: 150}, size, draw.Middle, col, title)
	s.table(c, t)
}

// table draws the statistics of each side.
func (s *SkirmishStage) table(c *draw.Canvas, t *skirmishview.Tally) {
	columns := [...]float32{Width/2 - 280, Width/2 + 20, Width/2 + 150, Width/2 + 280}
	c.RoundRect(draw.Box{X: columns[0] - 24, Y: 192, W: columns[3] - columns[0] + 48, H: 44 + 34*float32(t.Players)}, 12, look.Ink.Alpha(0.8))
	for i, head := range [...]string{"", words.T("trained"), words.T("felled"), words.T("fallen")} {
		c.Text(draw.Point{X: columns[i], Y: 220}, 18, draw.Right, look.Dim, head)
	}
	for p := range t.Players {
		y := 252 + float32(p)*34
		c.Text(draw.Point{X: columns[0], Y: y}, 22, draw.Left, s.view.Look.Player(p), fit(c, s.Names[p], 22, 230))
		for i, n := range [...]uint16{t.Of[p].Made, t.Of[p].Felled, t.Of[p].Fallen} {
			c.Text(draw.Point{X: columns[i+1], Y: y}, 22, draw.Right, look.Paper, fmt.Sprint(n))
		}
	}
}

// Report adds information for tests and tools.
func (s *SkirmishStage) Report(t *Status) {
	n := s.view.Tally()
	t.Skirmish = &SkirmishStatus{Gold: n.Gold, Units: n.Units, Idle: n.Idle, Selected: n.Selected, Groups: n.Groups, All: len(s.view.Units())}
}

// Close ends the sounds and the session, and releases its states.
func (s *SkirmishStage) Close() {
	s.Show.Close()
	s.view.Close()
}
