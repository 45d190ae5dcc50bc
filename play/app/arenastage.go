package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/arenaview"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/words"
)

// ArenaStage shows a match in the arena, from any kind of session, with names and banners. Make one with
// [NewArenaStage], and give it a session with [ArenaStage.Begin].
type ArenaStage struct {
	Show[arena.State]
	// Names are the fighters' names.
	Names [8]string
	mine  tickback.PlayerSet
	view  *arenaview.View
	hints hints
	phase arena.Phase
	since float32 // seconds since the beginning of the phase
	after float32 // seconds since the end
}

// NewArenaStage returns a stage for this many fighters; mine are those that play on this machine.
func NewArenaStage(a *App, players int, mine tickback.PlayerSet) *ArenaStage {
	s := &ArenaStage{mine: mine, view: arenaview.New(a.Look(), players, mine)}
	s.View, s.Monitor, s.Checksum = s.view, new(overlay.Monitor), arenaChecksum()
	return s
}

// Begin shows another match. The caller must have closed the previous session.
func (s *ArenaStage) Begin(a *App, session tickback.Session[arena.State]) {
	s.begin(session, sound.NewDirector(a.Mixer, arena.TicksPerSecond, arenaview.Cue))
	s.since, s.phase, s.after = 0, arena.Countdown, 0
}

// Jumped must be called after a jump of the session, as in a recording: the presentation starts over.
func (s *ArenaStage) Jumped() {
	now := s.Session.View().Current
	s.phase, s.since, s.after = now.Phase, float32(now.PhaseTicks)/arena.TicksPerSecond, 0
	s.Director.Stop()
	s.view.Jump(now)
}

// arenaChecksum returns a function that returns the low half of a state's hash.
func arenaChecksum() func(*arena.State) string {
	plan, err := canon.PlanFor[arena.State]()
	if err != nil {
		panic(err) // the state is plain
	}
	return func(s *arena.State) string { return hex(uint32(plan.Hash(s))) }
}

// Ended returns how many seconds ago the match ended, and whether it has ended.
func (s *ArenaStage) Ended() (seconds float32, ended bool) {
	_, over := s.Session.Outcome()
	return s.after, over
}

// Advance lets time pass. An error comes from the session, and is final.
func (s *ArenaStage) Advance(p *Picture) error {
	s.view.Look = p.App.Look()
	s.view.Look.Names = s.Names
	err := s.Show.Advance(p)
	now := s.Session.View().Current
	if s.since += p.DT; now.Phase != s.phase {
		s.phase, s.since = now.Phase, 0
	}
	if _, over := s.Session.Outcome(); over {
		s.after += p.DT
	} else {
		s.after = 0
	}
	return err
}

// Draw draws the fight, names and banners.
func (s *ArenaStage) Draw(p *Picture) {
	s.view.Around = p.Full
	s.view.Draw(p.C, p.Box)
	if p.App.Bare() {
		return
	}
	s.tell(p.C.Mirror)
	s.view.DrawHud(p.C, p.Box)
	if title, sub, col := s.banner(); title != "" {
		duelview.DrawBanner(p.C, p.Full, title, sub, s.since, col)
	}
	s.Overlay(p)
}

// Guide shows a player who is alone on this machine which keys have not been used yet; held has the actions held now.
func (s *ArenaStage) Guide(p *Picture, held controls.Action) {
	if _, over := s.Session.Outcome(); !over && s.mine.Len() == 1 {
		s.hints.guide(p, held, below, arenaHints)
	}
}

// banner returns the text across the picture.
func (s *ArenaStage) banner() (title, sub string, col draw.Color) {
	now := s.Session.View().Current
	name := func(winner uint8) (string, draw.Color) {
		if winner == 0 || int(winner) > len(s.Names) {
			return words.T("NOBODY"), look.Paper
		}
		return s.Names[winner-1], s.view.Look.Player(int(winner - 1))
	}
	if _, over := s.Session.Outcome(); over && now.Phase != arena.MatchOver {
		return words.T("TIME"), "", look.Gold
	}
	switch now.Phase {
	case arena.Countdown:
		left := (arena.CountdownTicks - int(now.PhaseTicks)) / arena.TicksPerSecond
		return fmt.Sprint(left + 1), words.F("round %d", now.Round+1), look.Paper
	case arena.Fighting:
		if now.PhaseTicks < 45 {
			return words.T("FIGHT!"), "", look.Gold
		}
	case arena.RoundOver:
		who, col := name(now.RoundWinner)
		if s.alone(now.RoundWinner) {
			return words.T("YOU"), words.T("win the round"), col
		}
		return who, words.T("wins the round"), col
	case arena.MatchOver:
		who, col := name(now.Winner)
		if s.alone(now.Winner) {
			return words.T("YOU WIN"), words.T("the match"), col
		}
		return words.F("%s WINS", who), words.T("the match"), col
	}
	return "", "", look.Paper
}

// alone reports whether a winner, counted from 1 as in the rules, is the only player on this machine.
func (s *ArenaStage) alone(winner uint8) bool {
	return winner > 0 && s.mine == tickback.SetOf(tickback.Player(winner-1))
}
