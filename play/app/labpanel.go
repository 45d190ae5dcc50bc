package app

import (
	"fmt"
	"math"
	"time"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// panel draws the controls, and changes the setup. It reports whether to leave.
func (s *labScene) panel(p *Picture) (leave bool) {
	network := s.setup.Settings
	if !s.large {
		s.sliders(p)
	}
	if s.setup.Settings != network {
		s.preset = 0
	}
	leave = s.buttons(p)
	s.hint(p)
	return leave
}

// sliders draws the controls of the network and the players.
func (s *labScene) sliders(p *Picture) {
	set, u := &s.setup.Settings, p.UI
	lift := s.lift(p)
	place := func(column, row int) draw.Box {
		return draw.Box{X: 8 + float32(column)*424, Y: 496 - lift + float32(row)*(50+lift/3), W: 416, H: 44 + lift/3}
	}
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", v) }
	duration := func(b draw.Box, label string, d *time.Duration) {
		u.ID(label, 0) // a label with a figure changes
		label = words.F("%s, %.1f frames", label, d.Seconds()*duel.TicksPerSecond)
		v := u.Slider(b, label, math.Round(float64(*d)/1e6), 0, float64(lab.MaxDelay/1e6), 5, func(v float64) string { return words.F("%.0f ms", v) })
		*d = time.Duration(v) * time.Millisecond
	}
	duration(place(0, 0), words.T("Delay"), &set.Delay)
	duration(place(0, 1), words.T("Jitter"), &set.Jitter)
	duration(place(0, 2), words.T("Way back"), &set.Back)
	set.Loss = int(u.Slider(place(1, 0), words.T("Loss"), float64(set.Loss), 0, lab.MaxPercent, 1, percent))
	set.Bursts = u.Switch(place(1, 1), words.T("In bursts"), set.Bursts)
	set.Duplicate = int(u.Slider(place(1, 2), words.T("Duplication"), float64(set.Duplicate), 0, lab.MaxPercent, 1, percent))
	set.InputDelay = int(u.Slider(place(2, 0), words.T("Input delay, frames"), float64(set.InputDelay), 0, lab.MaxInputDelay, 1, func(v float64) string {
		return words.F("%.0f = %.0f ms", v, v*1000/duel.TicksPerSecond)
	}))
	set.Lockstep = !u.Switch(place(2, 1), words.T("Rollback"), !set.Lockstep)
	first := words.T("you")
	if !s.person {
		first = words.T("a bot")
	}
	s.setup.Players = u.Choice(place(2, 2), words.T("Players"), s.setup.Players, words.F("%s and a bot", first), words.F("%s and a script", first), words.T("the script twice"))
}

// buttons draws the lower row. It reports whether to leave.
func (s *labScene) buttons(p *Picture) (leave bool) {
	box := draw.Box{X: 8, Y: 650, H: 36}
	next := func(w float32) draw.Box {
		b := box
		b.W = w
		box.X += w + 8
		return b
	}
	names := []string{words.T("of your own")}
	for _, t := range lab.Tour {
		names = append(names, words.T(t.Name))
	}
	if chosen := p.UI.Choice(next(326), words.T("Tour"), s.preset, names...); chosen != s.preset {
		s.choose(chosen)
	}
	run := words.T("Pause")
	if s.clock.paused {
		run = words.T("Run")
	}
	p.UI.ID("run", 0)
	if p.UI.Button(next(90), run) {
		s.clock.paused = !s.clock.paused
	}
	if p.UI.Button(next(80), words.T("Step")) {
		s.clock.paused = true
		s.clock.steps++
	}
	speed := "1 x"
	if n := labSpeeds[s.clock.slow]; n > 1 {
		speed = fmt.Sprintf("1/%d x", n)
	}
	p.UI.ID("speed", 0)
	if p.UI.Button(next(80), speed) {
		s.clock.slow = (s.clock.slow + 1) % len(labSpeeds)
	}
	if p.UI.Button(next(80), words.T("Reset")) {
		if err := s.reset(p.App); err != nil {
			s.note = err.Error()
		}
	}
	compare := words.T("Compare")
	if s.setup.Compare {
		compare = words.T("Do not compare")
	}
	p.UI.ID("compare", 0)
	if p.UI.Button(next(190), compare) {
		s.setup.Compare = !s.setup.Compare
	}
	if p.UI.Button(next(80), words.T("Link")) {
		s.link(p.App)
	}
	large := words.T("Projector")
	if s.large {
		large = words.T("Everything")
	}
	p.UI.ID("large", 0)
	if p.UI.Button(next(124), large) {
		s.project(p)
	}
	return p.UI.Button(next(1272-box.X), words.T("Back"))
}

// project switches between the view for a projector and the one with everything.
func (s *labScene) project(p *Picture) {
	s.large = !s.large
	p.UI.FocusNext()
}

// choose selects a preset of the tour.
func (s *labScene) choose(preset int) {
	s.preset, s.note = preset, ""
	if preset == 0 {
		return
	}
	t := &lab.Tour[preset-1]
	s.setup.Settings, s.setup.Compare = t.Settings, t.Compare
}

// link copies the link to the setup, or shows it.
func (s *labScene) link(a *App) {
	text := s.setup.String()
	if a.lab.Link != nil {
		text = a.lab.Link(text)
	}
	s.note = text
	if a.lab.Copy == nil {
		return
	}
	a.lab.Copy(text, func(ok bool) {
		if ok {
			s.note = words.F("The link is in the clipboard: %s", text)
		}
	})
}

// hint draws the text at the bottom: what the preset shows, or general help.
func (s *labScene) hint(p *Picture) {
	text, col := words.T("White ghosts are fighters as they were predicted. P pauses, . steps, - and + change the speed, F1 has all figures, F3 is for a projector."), look.Dim
	if p.Devices.Touch { // there are no keys
		text = words.T("White ghosts are fighters as they were predicted.")
	}
	if s.preset > 0 {
		text, col = words.T(lab.Tour[s.preset-1].Shows), look.Paper
	}
	if s.note != "" {
		text, col = s.note, look.Gold
	}
	if s.large {
		hintLarge(p, text)
		return
	}
	const size = 17
	p.C.Text(draw.Point{X: 14, Y: 710}, size, draw.Left, col, fit(p.C, text, size, Width-24))
}

// hintLarge draws the text for a projector, in two lines.
func hintLarge(p *Picture, text string) {
	const width, most = 1250, 2
	size := float32(24)
	lines := Wrap(p.C, text, size, width)
	for ; len(lines) > most && size > 12; lines = Wrap(p.C, text, size, width) {
		size--
	}
	for i, line := range lines[:min(len(lines), most)] {
		p.C.Text(draw.Point{X: 14, Y: 612 + float32(i)*28}, size, draw.Left, white, line)
	}
}
