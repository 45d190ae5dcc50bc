package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/play/words"
)

// controls draws the controls below the picture, and handles them. It reports whether to leave.
func (s *player) controls(p *Picture) (leave bool) {
	if p.UI.Back() {
		return true
	}
	if p.App.Bare() {
		return false
	}
	s.bar(p)
	box := draw.Box{X: 28, Y: 624, W: 56, H: 48}
	play, name := iconPlay, words.T("Play")
	if s.playing {
		play, name = iconPause, words.T("Pause")
	}
	for i, b := range [...]struct {
		width float32
		name  string // for a button with an icon
		label string
		icon  icon
		do    func()
	}{
		{56, words.T("Jump back"), "", iconBack, func() { s.skip(-leap) }},
		{56, words.T("One frame back"), "", iconStepBack, func() { s.step(-1) }},
		{84, name, "", play, s.toggle},
		{56, words.T("One frame on"), "", iconStep, func() { s.step(1) }},
		{56, words.T("Jump ahead"), "", iconForth, func() { s.skip(leap) }},
		{96, "", speeds[s.speed].String(), nil, func() { s.speed = (s.speed + 1) % len(speeds) }},
	} {
		box.W = b.width
		p.UI.ID("control", i)
		p.UI.Called(b.name)
		if p.UI.Button(box, b.label) {
			b.do()
		}
		if b.icon != nil {
			b.icon(p.C, box.Centre(), look.Paper)
		}
		box.X += box.W + 8
	}
	s.figures(p, box.X+12)
	leave = s.right(p)
	s.line(p)
	return leave
}

// right draws the buttons on the right.
func (s *player) right(p *Picture) (leave bool) {
	x := float32(1252)
	button := func(w float32, label string) bool {
		x -= w
		b := draw.Box{X: x, Y: 624, W: w, H: 48}
		x -= 8
		return p.UI.Button(b, label)
	}
	leave = button(110, words.T("Back"))
	if p.App.saveFile != nil && button(110, words.T("Save")) {
		s.save(p.App)
	}
	label := words.T("Verify")
	if s.verify != nil && !s.verify.Over() {
		label = words.T("Cancel")
	}
	p.UI.ID("verify", 0)
	if button(130, label) {
		s.check()
	}
	return leave
}

// figures draws the time, the frame and the state.
func (s *player) figures(p *Picture, x float32) {
	d, c := s.film.deck, p.C
	first := s.file.Reader.First()
	at, all := uint32(d.At())-first, s.file.Frames()
	rate := uint32(s.file.Header().TickRate)
	c.Text(draw.Point{X: x, Y: 645}, 24, draw.Left, look.Paper, clock(at, rate)+fmt.Sprintf(".%02d", at%rate*100/rate)+" / "+clock(all, rate))
	c.Text(draw.Point{X: x, Y: 668}, 17, draw.Left, look.Dim, words.F("frame %d of %d", d.At(), d.Next()))
	c.Text(draw.Point{X: x + 212, Y: 645}, 20, draw.Left, look.Paper, s.film.hash())
	health, col := s.health(d.At())
	c.Text(draw.Point{X: x + 212, Y: 668}, 17, draw.Left, col, health)
}

// health returns a text that says whether a state equals the recorded one, as far as the scan has compared
// hashes.
func (s *player) health(at tickback.Frame) (text string, col draw.Color) {
	compared, wrong := s.scan.Checked()
	switch {
	case at >= wrong:
		return words.T("not as recorded"), look.Red
	case s.scan.Until() < uint32(at):
		return words.T("not compared yet"), look.Dim
	case compared == 0:
		return words.T("no hashes"), look.Dim
	}
	return words.T("as recorded"), look.Green
}

// line draws the line of text at the bottom.
func (s *player) line(p *Picture) {
	c, at := p.C, draw.Point{X: 30, Y: 702}
	switch {
	case s.verify != nil && !s.verify.Over():
		c.Text(at, 19, draw.Left, look.Gold, words.F("Verifying: %s", s.verify.Text()))
		return
	case s.verify != nil && s.verify.Text() == theatre.Verified:
		c.Circle(draw.Point{X: 38, Y: 696}, 9, look.Green)
		c.Text(draw.Point{X: 56, Y: 702}, 19, draw.Left, look.Green, words.F("Verified: %s", s.verify.Details()))
		return
	case s.verify != nil && s.verify.Text() == theatre.Unhashed:
		c.Circle(draw.Point{X: 38, Y: 696}, 9, look.Gold)
		c.Text(draw.Point{X: 56, Y: 702}, 19, draw.Left, look.Gold, words.F("Neither right nor wrong: %s", s.verify.Details()))
		return
	case s.verify != nil:
		c.Circle(draw.Point{X: 38, Y: 696}, 9, look.Red)
		c.Text(draw.Point{X: 56, Y: 702}, 19, draw.Left, look.Red.Mix(look.Paper, 0.3), fit(c, words.F("Not verified: %s", s.verify.Text()), 19, 1190))
		return
	case s.trouble != "":
		c.Text(at, 19, draw.Left, look.Red.Mix(look.Paper, 0.3), fit(c, s.trouble, 19, 1216))
		return
	case s.note != "":
		c.Text(at, 19, draw.Left, look.Gold, fit(c, s.note, 19, 1216))
		return
	}
	c.Text(at, 17, draw.Left, look.Dim, words.T("Space plays   , and . step   arrows jump 1 s and 5 s   - and + speed   V verifies   S saves   F2 picture only"))
}

// bar draws the time bar with its marks, and handles the pointer on it.
func (s *player) bar(p *Picture) {
	c, d, in := p.C, s.film.deck, p.UIInput
	first, all := s.file.Reader.First(), float32(max(s.file.Frames(), 1))
	place := func(f uint32) float32 { return barBox.X + barBox.W*float32(f-first)/all }
	reach := barBox.Inset(-14)
	if in.Down && (s.drag || reach.Has(in.Pointer) && !p.App.input.before.Down) {
		s.drag = true
		share := min(max((in.Pointer.X-barBox.X)/barBox.W, 0), 1)
		s.seek(int64(first) + int64(share*all+0.5))
	} else {
		s.drag = false
	}
	c.RoundRect(barBox, 7, look.Dim.Alpha(0.35))
	if until := s.scan.Until(); until > first && s.scan.Err() != nil {
		c.RoundRect(draw.Box{X: place(until), Y: barBox.Y, W: barBox.X + barBox.W - place(until), H: barBox.H}, 7, look.Red.Alpha(0.5))
	}
	at := uint32(d.At())
	if to, on := s.seeker.Active(); on {
		at = uint32(to)
	}
	if w := place(at) - barBox.X; w > 1 {
		c.RoundRect(draw.Box{X: barBox.X, Y: barBox.Y, W: max(w, barBox.H), H: barBox.H}, 7, look.Gold.Alpha(0.45))
	}
	s.marks(p, place)
	knob := draw.Point{X: place(at), Y: barBox.Y + barBox.H/2}
	c.Circle(knob, 12, look.Paper)
	c.Circle(knob, 7, look.Gold)
}

// marks draws the events, at most one of each kind at each position on the bar.
func (s *player) marks(p *Picture, place func(f uint32) float32) {
	var last [theatre.Join + 1]float32
	for _, m := range s.scan.Marks() {
		x := place(m.Frame)
		if x-last[m.What] < 2.5 {
			continue
		}
		last[m.What] = x
		col := s.film.colour(m.Player)
		switch m.What {
		case theatre.Hit:
			p.C.Rect(draw.Box{X: x - 1, Y: barBox.Y + 1, W: 2, H: barBox.H - 2}, col.Mix(look.Paper, 0.25))
		case theatre.KnockOut:
			y := barBox.Y - 8
			p.C.Poly([]draw.Point{{X: x, Y: y - 7}, {X: x + 6, Y: y}, {X: x, Y: y + 7}, {X: x - 6, Y: y}}, col)
		case theatre.Round:
			p.C.Rect(draw.Box{X: x - 1.5, Y: barBox.Y - 4, W: 3, H: barBox.H + 8}, look.Paper)
		case theatre.Leave, theatre.Join:
			y, turn := barBox.Y+barBox.H+3, float32(8)
			if m.What == theatre.Join {
				y, turn = y+8, -8
			}
			p.C.Poly([]draw.Point{{X: x - 5, Y: y}, {X: x + 5, Y: y}, {X: x, Y: y + turn}}, col)
		}
	}
}
