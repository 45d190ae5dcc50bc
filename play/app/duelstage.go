package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/words"
)

// DuelStage shows a round of a duel, from any kind of session, with the countdown, the score, banners, and the
// winner's cheer. Make one with [NewDuelStage], and give it a round with [DuelStage.Begin].
type DuelStage struct {
	Show[duel.State]
	// Names are the players' names.
	Names [8]string
	// Score is the score of the match before the round.
	Score contest.Score
	// Mine are the players on this machine: if they lose, the sound says so.
	Mine tickback.PlayerSet
	// Frames is the maximum number of frames of the round; 0 means contest.RoundFrames.
	Frames tickback.Frame
	// Untimed is for a round without a time limit.
	Untimed bool
	// Silent plays no sounds.
	Silent bool

	view   *duelview.View
	hints  hints
	ended  bool
	result uint64
	since  float32        // seconds since the end
	frame  tickback.Frame // the last one shown
}

// NewDuelStage returns a stage without a round.
func NewDuelStage(a *App) *DuelStage {
	s := &DuelStage{view: duelview.New(a.Look())}
	s.View, s.Monitor = s.view, new(overlay.Monitor)
	s.Checksum = func(d *duel.State) string { return hex(duel.Checksum(d)) }
	return s
}

// Begin shows another round. The caller must have closed the previous session.
func (s *DuelStage) Begin(a *App, session tickback.Session[duel.State]) {
	speaker := a.Mixer
	if s.Silent {
		speaker = sound.NewMixer()
	}
	s.begin(session, sound.NewDirector(speaker, duel.TicksPerSecond, duelview.Cue))
	s.ended, s.since, s.frame = false, 0, 0
	s.view.Reset()
}

// Jumped must be called after a jump of the session, as in a recording: the presentation starts over.
func (s *DuelStage) Jumped() {
	v := s.Session.View()
	s.ended, s.since, s.frame = false, 0, v.Frame
	s.Director.Stop()
	s.view.Jump(v.Current)
}

// Standing returns the score of the match, including the shown round if it is over.
func (s *DuelStage) Standing() contest.Score {
	score := s.Score
	if s.ended {
		score.Count(s.result)
	}
	return score
}

// Ended returns how many seconds ago the round ended, and whether it has ended.
func (s *DuelStage) Ended() (seconds float32, ended bool) { return s.since, s.ended }

// Advance lets time pass. An error comes from the session, and is final.
func (s *DuelStage) Advance(p *Picture) error {
	s.view.Look = p.App.Look()
	s.view.Look.Names, s.view.Over = s.Names, s.ended
	err := s.Show.Advance(p)
	s.beep(p)
	o, over := s.Session.Outcome()
	switch {
	case over && !s.ended:
		s.end(o)
	case over:
		s.afterwards(p)
	default:
		s.ended = false // a replay may have gone back
	}
	score := s.Standing()
	p.App.report.score(score.Wins, score.Round)
	return err
}

// beep plays the countdown. It follows the clock, not the fight, so it needs no journal. A spectator who joins in the
// middle does not hear earlier beeps.
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

// cheerAfter is how many seconds after the end of a round its winner cheers.
const cheerAfter = 1.2

// afterwards plays the winner's cheer.
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

// DrawFight draws only the fight.
func (s *DuelStage) DrawFight(p *Picture) {
	s.view.Look = p.App.Look()
	s.view.Look.Names = s.Names
	if s.view.Own = s.own(); s.ended {
		s.view.Own = -1 // the text is shown, and the fight is over
	}
	s.view.Around, s.view.Covered = p.Full, p.covered()
	s.view.Draw(p.C, p.Box)
	places := s.view.Places()
	p.App.report.draw(places[:])
}

// Draw draws fight, score and banners.
func (s *DuelStage) Draw(p *Picture) {
	title, sub, age, col := s.banner(int(s.Session.View().Frame))
	s.view.Untagged = sub != "" && !p.App.Bare()
	s.DrawFight(p)
	if p.App.Bare() {
		return
	}
	f, length := s.Session.View().Frame, s.Frames
	if length == 0 {
		length = contest.RoundFrames
	}
	left := max((int(length)-max(int(f), contest.CountdownFrames)+duel.TicksPerSecond-1)/duel.TicksPerSecond, 0)
	if s.Untimed {
		left = -1
	}
	s.tell(p.C.Mirror)
	s.view.DrawHud(p.C, p.Box, duelview.Score{Wins: s.Standing().Wins, Needed: contest.WinsNeeded, Seconds: left})
	if title != "" {
		at := above(p.Full, s.cheers())
		if p.pauseEnd > 0 { // there may be chips below the button, where the text would otherwise be
			at.Y += 70
		}
		duelview.DrawBanner(p.C, at, title, sub, age, col)
	}
	s.Overlay(p)
}

// cheers reports whether the winner of the match is being announced, who raises the sword below the text.
func (s *DuelStage) cheers() bool {
	score := s.Standing()
	_, over := score.Over()
	return s.ended && over && s.since > cheersFrom
}

// cheersFrom is how many seconds after the last round the winner of the match is announced.
const cheersFrom = 1.7

// above returns the box of a banner on a screen. While the figures are shown, it is moved up, so that they do not
// cover the banner.
func above(full draw.Box, figures bool) draw.Box {
	if figures {
		full.Y -= Height * 0.17
	}
	return full
}

// bannerGone is the frame in which the banner at the beginning of a round disappears.
const bannerGone = contest.CountdownFrames + 40

// Guide shows a player who is alone on this machine, below the fighter, which keys have not been used yet. held has
// the actions held now.
func (s *DuelStage) Guide(p *Picture, held controls.Action) {
	if own := s.own(); own >= 0 && !s.ended {
		feet := s.view.Feet(own, p.Box)
		s.hints.guide(p, held, draw.Point{X: feet.X, Y: feet.Y + 56}, duelHints)
	}
}

// banner returns the text across the picture, and for how long it has been shown.
func (s *DuelStage) banner(f int) (title, sub string, age float32, col draw.Color) {
	seconds := func(frames int) float32 { return float32(frames) / duel.TicksPerSecond }
	switch {
	case s.ended:
		return s.verdict()
	case f < contest.CountdownFrames-10:
		return words.F("ROUND %d", s.Score.Round+1), "", seconds(f), look.Paper
	case f < contest.CountdownFrames:
		return "", "", 0, look.Paper
	case f < bannerGone:
		return words.T("FIGHT!"), "", seconds(f - contest.CountdownFrames), look.Gold
	}
	return "", "", 0, look.Paper
}

// own returns the player on this machine, or -1 if there is none, or more than one.
func (s *DuelStage) own() int {
	for p := range 2 {
		if s.Mine == tickback.SetOf(tickback.Player(p)) {
			return p
		}
	}
	return -1
}

// winner returns a text that says who has won. It is addressed to the player on this machine, if there is one.
func (s *DuelStage) winner(p int) string {
	if s.own() == p {
		return words.T("YOU WIN")
	}
	return words.F("%s WINS", s.Names[p])
}

// verdict returns the text at the end.
func (s *DuelStage) verdict() (title, sub string, age float32, col draw.Color) {
	final, score := s.Session.View().Current, s.Standing()
	winner, over := score.Over()
	switch {
	case over && s.since > cheersFrom:
		if winner < 0 {
			return words.T("DRAW"), words.T("nobody has won the match"), s.since - cheersFrom, look.Paper
		}
		return s.winner(winner), fmt.Sprintf("%d : %d", score.Wins[0], score.Wins[1]), s.since - cheersFrom, s.view.Look.Player(winner)
	case final.P[0].Hp == 0 && final.P[1].Hp == 0:
		return words.T("DOUBLE K.O."), "", s.since, look.Red
	case final.P[0].Hp == 0 || final.P[1].Hp == 0:
		sub := ""
		unhurt := 0
		if final.P[1].Hp > 0 {
			unhurt = 1
		}
		if final.P[unhurt].Hp == duel.FullHp && (s.own() < 0 || s.own() == unhurt) { // to the loser it would be mockery
			sub = words.T("without a scratch")
		}
		return "K.O.", sub, s.since, look.Red
	}
	return words.T("TIME"), "", s.since, look.Gold
}
