package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
)

// DuelStage shows a round of a duel, whoever's session it is, with what is around it: the
// countdown, the score, banners, the winner's cheer. Make it with [NewDuelStage], and give
// it a round with [DuelStage.Begin].
type DuelStage struct {
	Show[duel.State]
	// Names are those of the players.
	Names [8]string
	// Score is how the match stood before the round.
	Score contest.Score
	// Mine are who plays here: if they have lost, that is what is heard.
	Mine tickback.PlayerSet
	// Frames is how long the round is at most; 0 is contest.RoundFrames.
	Frames tickback.Frame
	// Silent plays no sounds.
	Silent bool

	view   *duelview.View
	ended  bool
	result uint64
	since  float32        // seconds since the end
	frame  tickback.Frame // that was shown last
}

// NewDuelStage returns a stage without a round.
func NewDuelStage(a *App) *DuelStage {
	s := &DuelStage{view: duelview.New(a.Look())}
	s.View, s.Monitor = s.view, new(overlay.Monitor)
	s.Checksum = func(d *duel.State) string { return hex(duel.Checksum(d)) }
	return s
}

// Begin shows another round. The session of the one before is the caller's to close.
func (s *DuelStage) Begin(a *App, session tickback.Session[duel.State]) {
	speaker := a.Mixer
	if s.Silent {
		speaker = sound.NewMixer()
	}
	s.begin(session, sound.NewDirector(speaker, duel.TicksPerSecond, duelview.Cue))
	s.ended, s.since, s.frame = false, 0, 0
	s.view.Reset()
}

// Jumped is after a jump of the session, as in a recording: what is shown begins anew.
func (s *DuelStage) Jumped() {
	v := s.Session.View()
	s.ended, s.since, s.frame = false, 0, v.Frame
	s.Director.Stop()
	s.view.Jump(v.Current)
}

// Standing returns how the match stands, with the round that is shown if it is over.
func (s *DuelStage) Standing() contest.Score {
	score := s.Score
	if s.ended {
		score.Count(s.result)
	}
	return score
}

// Ended returns for how many seconds the round has been over, and whether it is.
func (s *DuelStage) Ended() (seconds float32, ended bool) { return s.since, s.ended }

// Advance lets time pass. The error is the session's, and final.
func (s *DuelStage) Advance(p *Picture) error {
	s.view.Look = p.App.Look()
	s.view.Look.Names = s.Names
	err := s.Show.Advance(p)
	s.beep(p)
	o, over := s.Session.Outcome()
	switch {
	case over && !s.ended:
		s.end(o)
	case over:
		s.afterwards(p)
	default:
		s.ended = false // a replay has gone back
	}
	score := s.Standing()
	p.App.status.Wins, p.App.status.Rounds = score.Wins, score.Round
	return err
}

// beep counts down. It tells of the clock, not of the fight, so no journal is asked. Who
// comes in the midst hears nothing of what was before.
func (s *DuelStage) beep(p *Picture) {
	f, before := s.Session.View().Frame, s.frame
	s.frame = f
	if s.Silent || s.ended || f < before || f > before+duel.TicksPerSecond {
		return
	}
	for i, at := range [...]tickback.Frame{20, 60, contest.CountdownFrames} {
		switch {
		case before >= at || f < at:
		case i < 2:
			p.App.Mixer.Play(&sound.Tick, 0, 1, 0)
		default:
			p.App.Mixer.Play(&sound.Go, 0, 1, 0)
		}
	}
}

func (s *DuelStage) end(o tickback.Outcome) {
	s.ended, s.since = true, 0
	s.result = o.Result
	if !o.Finished {
		s.result = contest.Verdict(s.Session.View().Current)
	}
	s.Director.Stop()
}

// cheerAfter is when the winner of a round cheers, in seconds after its end.
const cheerAfter = 1.2

// afterwards lets the winner cheer.
func (s *DuelStage) afterwards(p *Picture) {
	before := s.since
	s.since += p.DT
	if before >= cheerAfter || s.since < cheerAfter || s.result == contest.Draw {
		return
	}
	winner := tickback.Player(s.result - contest.Won1)
	s.view.Cheer(int(winner))
	if s.Silent {
		return
	}
	jingle := &sound.Win
	if s.Mine != 0 && !s.Mine.Has(winner) {
		jingle = &sound.Lose
	}
	p.App.Mixer.Play(jingle, 0, 0.9, 0)
}

// DrawFight draws the fight alone.
func (s *DuelStage) DrawFight(p *Picture) {
	s.view.Look = p.App.Look()
	s.view.Look.Names = s.Names
	s.view.Draw(p.C, p.Box)
}

// Draw draws fight, score and banners.
func (s *DuelStage) Draw(p *Picture) {
	s.DrawFight(p)
	if p.App.Bare() {
		return
	}
	f, length := s.Session.View().Frame, s.Frames
	if length == 0 {
		length = contest.RoundFrames
	}
	left := (int(length) - max(int(f), contest.CountdownFrames) + duel.TicksPerSecond - 1) / duel.TicksPerSecond
	s.view.DrawHud(p.C, p.Box, duelview.Score{Wins: s.Standing().Wins, Needed: contest.WinsNeeded, Seconds: max(left, 0)})
	if title, sub, age, col := s.banner(int(f)); title != "" {
		duelview.DrawBanner(p.C, p.Box, title, sub, age, col)
	}
	s.Overlay(p)
}

// banner is what is written across the picture, and for how long.
func (s *DuelStage) banner(f int) (title, sub string, age float32, col draw.Color) {
	seconds := func(frames int) float32 { return float32(frames) / duel.TicksPerSecond }
	switch {
	case s.ended:
		return s.verdict()
	case f < contest.CountdownFrames-10:
		return fmt.Sprintf("ROUND %d", s.Score.Round+1), "", seconds(f), look.Paper
	case f < contest.CountdownFrames:
		return "", "", 0, look.Paper
	case f < contest.CountdownFrames+40:
		return "FIGHT!", "", seconds(f - contest.CountdownFrames), look.Gold
	}
	return "", "", 0, look.Paper
}

// verdict is what is said at the end.
func (s *DuelStage) verdict() (title, sub string, age float32, col draw.Color) {
	final, score := s.Session.View().Current, s.Standing()
	winner, over := score.Over()
	switch {
	case over && s.since > 1.7:
		if winner < 0 {
			return "DRAW", "nobody has won the match", s.since - 1.7, look.Paper
		}
		return s.Names[winner] + " WINS", fmt.Sprintf("%d : %d", score.Wins[0], score.Wins[1]), s.since - 1.7, s.view.Look.Player(winner)
	case final.P[0].Hp == 0 && final.P[1].Hp == 0:
		return "DOUBLE K.O.", "", s.since, look.Red
	case final.P[0].Hp == 0 || final.P[1].Hp == 0:
		sub := ""
		if final.P[0].Hp == duel.FullHp || final.P[1].Hp == duel.FullHp {
			sub = "without a scratch"
		}
		return "K.O.", sub, s.since, look.Red
	}
	return "TIME", "", s.since, look.Gold
}
