package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/tanksview"
	"github.com/tickback/tickback/play/words"
)

// TanksStage shows a match of tanks, from any kind of session: with names, scores, and the winner. Make one with
// [NewTanksStage], and give it a session with [TanksStage.Begin].
type TanksStage struct {
	Show[tanks.State]
	// Names are the players' names.
	Names [tanks.MaxPlayers]string
	view  *tanksview.View
	hints hints
	after float32 // seconds since the end
}

// NewTanksStage returns a stage; mine are the players on this machine.
func NewTanksStage(a *App, mine tickback.PlayerSet) *TanksStage {
	s := &TanksStage{view: tanksview.New(a.Look(), mine)}
	s.View, s.Monitor, s.Checksum = s.view, new(overlay.Monitor), tanksChecksum()
	return s
}

// Begin shows another match. The caller must have closed the previous session.
func (s *TanksStage) Begin(a *App, session tickback.Session[tanks.State]) {
	s.begin(session, sound.NewDirector(a.Mixer, tanks.TicksPerSecond, s.view.Cue))
	s.after = 0
}

// SetMine sets which players are on this machine: a client of a server gets its place later.
func (s *TanksStage) SetMine(mine tickback.PlayerSet) { s.view.Mine = mine }

// Jumped must be called after a jump of the session, as in a recording: the presentation starts over.
func (s *TanksStage) Jumped() {
	s.after = 0
	s.Director.Stop()
	s.view.Jump(s.Session.View().Current)
}

// tanksChecksum returns a function that returns a state's hash as text, as the command line shows it.
func tanksChecksum() func(*tanks.State) string {
	plan, err := canon.PlanFor[tanks.State]()
	if err != nil {
		panic(err) // the state is plain
	}
	return func(s *tanks.State) string { return fmt.Sprintf("0x%016X", plan.Hash(s)) }
}

// Ended returns how many seconds ago the match ended, and whether it has ended.
func (s *TanksStage) Ended() (seconds float32, ended bool) {
	return s.after, s.over
}

// Advance lets time pass. An error comes from the session, and is final.
func (s *TanksStage) Advance(p *Picture) error {
	s.view.Look, s.view.Names = p.App.Look(), s.Names
	err := s.Show.Advance(p)
	if s.over {
		s.after += p.DT
	} else {
		s.after = 0
	}
	return err
}

// Draw draws the field, scores, and the winner.
func (s *TanksStage) Draw(p *Picture) {
	s.view.Around = p.Full
	s.view.Draw(p.C, p.Box)
	if p.App.Bare() {
		return
	}
	s.tell(p.C.Mirror)
	if !s.over {
		s.view.DrawHud(p.C, p.Box)
		s.Overlay(p)
		return
	}
	p.C.Rect(p.Full, look.Night.Alpha(min(s.after, 1)*0.55))
	title, col := s.verdict()
	head := p.Box
	head.H *= 0.42
	duelview.DrawBanner(p.C, head, title, "", s.after, col)
	s.view.DrawScores(p.C, draw.Box{X: p.Box.X, Y: p.Box.Y + 200, W: p.Box.W, H: 410})
	s.Overlay(p)
}

// Guide shows a player who is alone on this machine which keys have not been used yet; held has the actions held now.
func (s *TanksStage) Guide(p *Picture, held controls.Action) {
	if !s.over && s.view.Mine.Len() == 1 && !s.view.Destroyed() {
		s.hints.guide(p, held, below, tanksHints)
	}
}

// verdict returns a text that says who has won.
func (s *TanksStage) verdict() (string, draw.Color) {
	o, _ := s.Session.Outcome()
	result := o.Result
	if !o.Finished {
		result = s.Session.View().Current.Result() // it has ended by its length
	}
	p, won := tanks.WinnerOf(result)
	switch {
	case !won:
		return words.T("DRAW"), look.Gold
	case s.Names[p] == "":
		return words.T("TIME"), look.Gold
	}
	return words.F("%s WINS", s.Names[p]), s.view.Colour(int(p))
}
