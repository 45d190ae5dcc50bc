package app

import (
	"fmt"
	"math"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
)

// labScene is the netcode lab: two peers side by side, and sliders.
type labScene struct {
	lab      *lab.Lab
	views    [2]*duelview.View
	monitors [2]*overlay.Monitor
	director *sound.Director // plays what the first peer hears
	held     controls.Action
	duels    int
	person   bool
}

func newLab(a *App) Scene {
	s := &labScene{director: sound.NewDirector(a.Mixer, duel.TicksPerSecond, duelview.Cue), person: !a.Auto}
	seed := a.NextSeed()
	bots := [2]contest.Bot{{Seed: uint64(seed), Skill: contest.Hard}, {Seed: uint64(seed) + 1, Skill: contest.Normal}}
	first := bots[0].Input
	if s.person {
		first = func(tickback.Player, tickback.Frame, *duel.State) duel.Input { return DuelInput(s.held) }
	}
	start := lab.Settings{Delay: 60 * time.Millisecond, Jitter: 10 * time.Millisecond, InputDelay: 1}
	l, err := lab.New(seed, start, [2]lab.Player{first, bots[1].Input})
	if err != nil {
		return a.Fail(err)
	}
	s.lab = l
	for i := range s.views {
		s.views[i], s.monitors[i] = duelview.New(a.Look()), new(overlay.Monitor)
	}
	return s
}

func (s *labScene) Name() string { return "lab" }

// Labels names the touch buttons.
func (s *labScene) Labels() map[controls.Action]string { return DuelLabels }

func (s *labScene) Picture(p *Picture) Scene {
	s.held = p.Held(0, false)
	if err := s.advance(p); err != nil {
		s.director.Stop()
		return p.App.Fail(err)
	}
	c := p.C
	c.Shade(p.Box, draw.RGB(0x1A1F3D), look.Ink)
	for i := range s.views {
		s.drawPeer(p, i)
	}
	if err := s.sliders(p); err != nil {
		return p.App.Fail(err)
	}
	if p.UI.Button(draw.Box{X: 1100, Y: 654, W: 164, H: 50}, "Back") || p.pressed("Escape") {
		s.director.Stop()
		return newTitle(p.App)
	}
	return s
}

// advance lets the peers play, and updates views and sounds.
func (s *labScene) advance(p *Picture) error {
	err := s.lab.Advance(time.Duration(float64(p.elapsed) * float64(time.Second)))
	for i, peer := range s.lab.Peers() {
		if n := peer.Counts().Duels; i == 0 && n != s.duels {
			s.duels = n
			s.director.Stop()
			s.views[0].Reset()
			s.views[1].Reset()
		}
		v := s.views[i]
		v.Look = p.App.Look()
		v.Look.Names = [8]string{"BOT", "BOT"}
		if s.person {
			v.Look.Names[0] = "YOU"
		}
		for k := range peer.Effects {
			v.Hear(&peer.Effects[k])
			if i == 0 {
				s.director.Hear(&peer.Effects[k])
			}
		}
		for k := range peer.Wrong {
			v.Mispredicted(peer.Wrong[k].Player, &peer.Wrong[k].Was)
		}
		seen, stats := peer.View(), peer.Stats()
		v.Advance(p.DT, seen)
		s.monitors[i].Look(p.elapsed, stats, hex(duel.Checksum(seen.Current)))
	}
	s.observe(p.App)
	return err
}

func (s *labScene) observe(a *App) {
	peer := s.lab.Peers()[0]
	a.observe(s.monitors[0], peer.Stats(), hex(duel.Checksum(peer.View().Current)))
	n := peer.Counts()
	a.status.Rollbacks, a.status.Resimulated, a.status.Mispredicted = n.Rollbacks, n.Resimulated, n.Mispredicted
}

// drawPeer draws the picture of a peer, and its figures.
func (s *labScene) drawPeer(p *Picture, i int) {
	c := p.C
	box := draw.Box{X: 8 + float32(i)*636, Y: 40, W: 628, H: 353}
	title := [2]string{"Peer 1 - you play here", "Peer 2 - a bot plays here"}[i]
	if !s.person {
		title = [2]string{"Peer 1 - a bot plays here", "Peer 2 - a bot plays here"}[i]
	}
	c.Text(draw.Point{X: box.X + 6, Y: 29}, 20, draw.Left, s.views[i].Look.Player(i), title)
	c.Clip(box)
	s.views[i].Draw(c, box)
	if !p.App.Bare() {
		s.views[i].DrawHud(c, box, duelview.Score{Seconds: -1})
	}
	c.Clip(p.Box)
	c.Frame(draw.Box{X: box.X - 2, Y: box.Y - 2, W: box.W + 4, H: box.H + 4}, 4, 2, s.views[i].Look.Player(i))
	m, n := s.monitors[i], s.lab.Peers()[i].Counts()
	stats := s.lab.Peers()[i].Stats()
	text := fmt.Sprintf("frame %d   rollbacks %d   deepest %d   again %d   ghosts %d   stalls %d",
		stats.Frame, n.Rollbacks, n.Deepest, n.Resimulated, n.Mispredicted, stats.Stalls)
	c.Text(draw.Point{X: box.X + 6, Y: 416}, 16, draw.Left, look.Paper, text)
	m.DrawDepth(c, draw.Box{X: box.X, Y: 426, W: 310, H: 58})
	m.DrawLag(c, draw.Box{X: box.X + 318, Y: 426, W: 310, H: 58})
}

// sliders draws the controls of the network.
func (s *labScene) sliders(p *Picture) error {
	set := s.lab.Settings()
	place := func(column, row int) draw.Box {
		return draw.Box{X: 8 + float32(column)*530, Y: 496 + float32(row)*52, W: 514, H: 46}
	}
	ms := func(v float64) string { return fmt.Sprintf("%.0f ms", v) }
	percent := func(v float64) string { return fmt.Sprintf("%.0f %%", v) }
	duration := func(b draw.Box, label string, d time.Duration) time.Duration {
		v := p.UI.Slider(b, label, math.Round(float64(d)/1e6), 0, float64(lab.MaxDelay/1e6), 5, ms)
		return time.Duration(v) * time.Millisecond
	}
	set.Delay = duration(place(0, 0), "Delay, one way", set.Delay)
	set.Jitter = duration(place(0, 1), "Jitter", set.Jitter)
	set.Loss = int(p.UI.Slider(place(0, 2), "Loss", float64(set.Loss), 0, lab.MaxPercent, 1, percent))
	set.Duplicate = int(p.UI.Slider(place(1, 0), "Duplication", float64(set.Duplicate), 0, lab.MaxPercent, 1, percent))
	set.InputDelay = int(p.UI.Slider(place(1, 1), "Input delay", float64(set.InputDelay), 0, lab.MaxInputDelay, 1, func(v float64) string { return fmt.Sprintf("%.0f frames", v) }))
	set.Lockstep = !p.UI.Switch(place(1, 2), "Rollback", !set.Lockstep)
	p.C.Text(draw.Point{X: 14, Y: 680}, 17, draw.Left, look.Dim, "White ghosts are fighters as they were predicted, and never were. Without rollback every")
	p.C.Text(draw.Point{X: 14, Y: 702}, 17, draw.Left, look.Dim, "frame waits for the network. A, D run, Space jumps, J strikes; the arrows are for the sliders.")
	if set == s.lab.Settings() {
		return nil
	}
	return s.lab.Set(set)
}
