package app

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/words"
)

// LabOptions configure the lab.
type LabOptions struct {
	// Setup is the initial setup in text form, as a link contains it; see [lab.ParseSetup].
	Setup string
	// Link returns how to open a setup again: a link, or a command.
	Link func(setup string) string
	// Copy copies a text to the clipboard, and reports whether that worked; nil means that this is not possible.
	Copy func(text string, done func(ok bool))
}

// labScene is the netcode lab: two peers side by side, or rollback beside lockstep, and the controls.
type labScene struct {
	setup    lab.Setup
	panes    [2]pane
	beside   *lab.Lab        // the same lab in lockstep, for comparison
	director *sound.Director // plays what the first peer hears
	held     controls.Action
	clock    labClock
	preset   int // the number of the preset in the tour, from 1; 0 means none
	person   bool
	awake    bool   // the person has played: until then a bot does, since inputs that never change are never mispredicted
	large    bool   // for a projector
	note     string // about the link, or an invalid setup
}

// pane is one of the two pictures.
type pane struct {
	lab     *lab.Lab
	peer    int
	view    *duelview.View
	monitor *overlay.Monitor
	duels   int
}

func (q *pane) at() *lab.Peer { return q.lab.Peers()[q.peer] }

// labClock controls how time passes in the lab.
type labClock struct {
	paused bool
	slow   int // an index of labSpeeds
	steps  int // still to go in a pause
}

// labSpeeds are the divisors of the normal speed.
var labSpeeds = [...]int{1, 2, 4, 8, 16}

func newLab(a *App) Scene {
	s := &labScene{director: sound.NewDirector(a.Mixer, duel.TicksPerSecond, duelview.Cue), person: !a.Auto}
	s.setup.Settings = lab.Settings{Delay: 60 * time.Millisecond, Jitter: 10 * time.Millisecond, InputDelay: 1}
	if a.lab.Setup != "" {
		given, err := lab.ParseSetup(a.lab.Setup)
		if err == nil {
			s.setup = given
		} else {
			s.note = words.F("The link is wrong: %v", err)
		}
	}
	if s.setup.Seed == 0 {
		s.setup.Seed = a.NextSeed()
	}
	if err := s.reset(a); err != nil {
		return a.Fail(err)
	}
	return s
}

// reset starts the experiment again, with the same seed.
func (s *labScene) reset(a *App) error {
	s.director.Stop()
	first := s.setup.Settings
	first.Lockstep = first.Lockstep && !s.setup.Compare
	l, err := lab.New(s.setup.Seed, first, s.players())
	if err != nil {
		return err
	}
	s.panes, s.beside = [2]pane{{lab: l}, {lab: l, peer: 1}}, nil
	if s.setup.Compare {
		first.Lockstep = true
		if s.beside, err = lab.New(s.setup.Seed, first, s.players()); err != nil {
			return err
		}
		s.panes[1] = pane{lab: s.beside}
	}
	for i := range s.panes {
		s.panes[i].view, s.panes[i].monitor = duelview.New(a.Look()), new(overlay.Monitor)
	}
	if s.clock.paused {
		s.clock.steps = 1 // so that there is something to see
	}
	return nil
}

// players returns who plays at the peers.
func (s *labScene) players() [2]lab.Player {
	seed := uint64(s.setup.Seed)
	first, second := contest.Bot{Seed: seed, Skill: contest.Hard}.Input, contest.Bot{Seed: seed + 1, Skill: contest.Normal}.Input
	if s.person {
		bot := first
		first = func(p tickback.Player, f tickback.Frame, d *duel.State) duel.Input {
			if !s.awake {
				return bot(p, f, d)
			}
			return DuelInput(s.held)
		}
	}
	if s.setup.Players == lab.ScriptTwice {
		first = lab.Scripted
	}
	if s.setup.Players != lab.Bot || s.setup.Compare {
		second = lab.Scripted
	}
	return [2]lab.Player{first, second}
}

// plays reports whether a person plays at peer 1.
func (s *labScene) plays() bool { return s.person && s.setup.Players != lab.ScriptTwice }

// Name returns "lab", which is the mode in a [Status].
func (s *labScene) Name() string { return "lab" }

// Report adds the setup to the status.
func (s *labScene) Report(t *Status) {
	t.Playing, t.Message = !s.clock.paused, s.note
	t.Lab = s.setup.String()
}

// Labels returns the labels of the touch buttons.
func (s *labScene) Labels() map[controls.Action]string { return DuelLabels }

// Picture runs the experiment, and applies what the panel has changed. Leaving and errors stop the sounds.
func (s *labScene) Picture(p *Picture) Scene {
	s.held = p.Held(0, false)
	s.awake = s.awake || DuelInput(s.held) != 0
	s.hotkeys(p)
	if err := s.advance(p); err != nil {
		s.director.Stop()
		return p.App.Fail(err)
	}
	s.draw(p)
	before := s.setup
	leave := s.panel(p)
	if err := s.change(p.App, before); err != nil {
		s.director.Stop()
		return p.App.Fail(err)
	}
	if leave || p.pressed("Escape") {
		s.director.Stop()
		return newTitle(p.App)
	}
	return s
}

// hotkeys handles the keys that do not control the duel.
func (s *labScene) hotkeys(p *Picture) {
	for _, k := range p.Pressed {
		switch k {
		case "KeyP":
			s.clock.paused = !s.clock.paused
		case "Period":
			s.clock.paused = true
			s.clock.steps++
		case "Minus", "NumpadSubtract":
			s.clock.slow = min(s.clock.slow+1, len(labSpeeds)-1)
		case "Equal", "NumpadAdd":
			s.clock.slow = max(s.clock.slow-1, 0)
		case "F3":
			s.project(p)
		}
	}
}

// change applies a change of the setup: a change of the network needs no new experiment.
func (s *labScene) change(a *App, before lab.Setup) error {
	now := s.setup
	if now == before {
		return nil
	}
	if now.Seed != before.Seed || now.Lockstep != before.Lockstep || now.Players != before.Players || now.Compare != before.Compare {
		return s.reset(a)
	}
	set := now.Settings
	set.Lockstep = set.Lockstep && !now.Compare
	if err := s.panes[0].lab.Set(set); err != nil || s.beside == nil {
		return err
	}
	set.Lockstep = true
	return s.beside.Set(set)
}

// advance runs the peers, and updates views and sounds.
func (s *labScene) advance(p *Picture) error {
	dt, game := p.DT/float32(labSpeeds[s.clock.slow]), p.elapsed/float32(labSpeeds[s.clock.slow])
	var err error
	switch {
	case !s.clock.paused:
		err = s.pass(p, time.Duration(float64(game)*float64(time.Second)))
	case s.clock.steps > 0:
		s.clock.steps--
		dt = 1.0 / duel.TicksPerSecond
		err = s.step(p)
	default:
		dt = 0
	}
	for i := range s.panes {
		q := &s.panes[i]
		seen := q.at().View()
		q.view.Advance(dt, seen)
		if dt > 0 {
			q.monitor.Look(p.elapsed, q.at().Stats(), hex(duel.Checksum(seen.Current)))
		}
	}
	s.observe(p.App)
	return err
}

// quantum is the time between two checks of the peers in a step.
const quantum = 4 * time.Millisecond

// step lets time pass until the first peer shows another frame, or would do so if it were not stalled.
func (s *labScene) step(p *Picture) error {
	before := s.panes[0].at().View().Frame
	for passed := time.Duration(0); passed < time.Second/duel.TicksPerSecond+quantum; passed += quantum {
		if err := s.pass(p, quantum); err != nil {
			return err
		}
		if s.panes[0].at().View().Frame != before {
			break
		}
	}
	return nil
}

// pass lets this much time pass in the labs, and updates the views.
func (s *labScene) pass(p *Picture, dt time.Duration) error {
	err := s.panes[0].lab.Advance(dt)
	if s.beside != nil && err == nil {
		err = s.beside.Advance(dt)
	}
	for i := range s.panes {
		s.hear(p.App, i)
	}
	return err
}

// hear passes events of a peer to its view.
func (s *labScene) hear(a *App, i int) {
	q, peer := &s.panes[i], s.panes[i].at()
	if n := peer.Counts().Duels; n != q.duels {
		q.duels = n
		if q.view.Reset(); i == 0 {
			s.director.Stop()
		}
	}
	q.view.Look = a.Look()
	q.view.Look.Names = s.names()
	for k := range peer.Effects {
		q.view.Hear(&peer.Effects[k])
		if i == 0 {
			s.director.Hear(&peer.Effects[k])
		}
	}
	for k := range peer.Wrong {
		q.view.Mispredicted(peer.Wrong[k].Player, &peer.Wrong[k].Was)
	}
}

// names returns the names of the fighters.
func (s *labScene) names() (names [8]string) {
	names[0], names[1] = words.T("BOT"), words.T("BOT")
	if s.plays() && s.awake {
		names[0] = words.T("YOU")
	}
	if s.setup.Players == lab.ScriptTwice {
		names[0] = words.T("SCRIPT")
	}
	if s.setup.Players != lab.Bot || s.setup.Compare {
		names[1] = words.T("SCRIPT")
	}
	return names
}

func (s *labScene) observe(a *App) {
	peer := s.panes[0].at()
	a.report.observe(s.panes[0].monitor, peer.Stats(), hex(duel.Checksum(peer.View().Current)))
	n := peer.Counts()
	a.report.predicted(n.Rollbacks, n.Resimulated, n.Mispredicted)
}
