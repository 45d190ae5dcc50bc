package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/words"
)

// duelScene is a duel on this machine: its rounds, and the screens between them.
type duelScene struct {
	stage  *DuelStage
	people int // how many people play; the other players are bots
	skill  contest.Skill
	held   [2]controls.Action
	pause  pause
	series uint64 // the series of the recordings of its rounds
	// awake says that the player has done something: until then the bot waits.
	awake  bool
	lesson lesson
}

// newDuel returns a duel between this many people and bots, with its first round.
func newDuel(a *App, people int) *duelScene {
	s := makeDuel(a, people)
	s.begin(a)
	return s
}

// makeDuel returns a duel without a round.
func makeDuel(a *App, people int) *duelScene {
	s := &duelScene{people: people, skill: contest.Normal, stage: NewDuelStage(a)}
	if a.Auto {
		s.people, s.skill = 0, contest.Hard
	}
	callAll(s.stage.Names[:], s.names())
	if s.people == 1 {
		s.skill = contest.Easy
		s.stage.Mine = tickback.SetOf(0)
	}
	return s
}

// begin begins a new match.
func (s *duelScene) begin(a *App) {
	s.series, s.awake = a.NewSeries(), false
	s.next(a, contest.Score{})
}

// next begins the next round, with the score so far.
func (s *duelScene) next(a *App, score contest.Score) {
	s.stage.Close()
	s.stage.Score = score
	seed := a.NextSeed()
	game, err := contest.Round(seed)
	if err != nil {
		panic(err) // the seed is not 0
	}
	s.stage.Untimed = s.lesson.on
	length := tickback.Frame(contest.RoundFrames)
	if s.lesson.on {
		length = 0
	}
	o := tickback.Options[duel.State, duel.Input]{
		Players: 2, GameID: contest.GameID, Match: tickback.Parameters{Seed: uint64(seed), Frames: length},
		Advanced: tickback.Advanced{Now: a.Now, Snapshots: 2},
		Sample: func(p tickback.Player) duel.Input {
			v := s.stage.Session.View()
			if int(p) < s.people {
				return contest.Held(v.Frame, DuelInput(s.held[p]))
			}
			if s.waits() {
				return 0
			}
			bot := contest.Bot{Seed: uint64(seed) + uint64(p), Skill: s.skill}
			return contest.Held(v.Frame, bot.Input(p, v.Frame, v.Current))
		},
	}
	for p := range s.people {
		o.Delay[p] = a.Settings.Delay
	}
	if !s.stage.Silent && !s.lesson.on {
		o.Record, o.Recording = a.Record(s.about(score.Round + 1))
	}
	m, err := tickback.Local(game, o)
	if err != nil {
		panic(err) // the options are always valid
	}
	s.stage.Begin(a, m)
}

// about returns the description for the recording of a round.
func (s *duelScene) about(round int) *recordings.Info {
	mode := [...]string{"bots", "versus-bot", "versus"}[s.people]
	return recordings.About(mode, s.names()).InSeries(s.series, round)
}

// DuelInput converts the actions that a player holds to an input of the duel.
func DuelInput(held controls.Action) (in duel.Input) {
	for action, button := range map[controls.Action]duel.Input{
		controls.Left: duel.Left, controls.Right: duel.Right, controls.Up: duel.Jump, controls.A: duel.Attack,
	} {
		if held&action != 0 {
			in |= button
		}
	}
	return in
}

// Name returns "duel", which is the mode in a [Status], for people and for bots.
func (s *duelScene) Name() string { return "duel" }

// Labels returns the labels of the touch buttons.
func (s *duelScene) Labels() map[controls.Action]string { return DuelLabels }

// names returns the names of the players, as they are stored in recordings.
func (s *duelScene) names() []string {
	switch s.people {
	case 1:
		return []string{roleYou, roleBot}
	case 2:
		return rolePlayers[:]
	}
	return roleBots[:]
}

// Picture runs the round, or shows the menu of a pause. 3.2 seconds after the last round it offers a rematch.
func (s *duelScene) Picture(p *Picture) Scene {
	if next, goes := s.pause.run(p, s); !goes {
		return next
	}
	score, since := s.stage.Standing(), s.stage.since
	if _, over := score.Over(); over && since > 3.2 {
		return s.over(p)
	}
	p.Play()
	if s.people == 1 && !p.App.Bare() && !s.stage.ended {
		s.guide(p)
	}
	return s
}

// waits reports whether the bot waits: until the player does something, and during the lesson.
func (s *duelScene) waits() bool { return s.people == 1 && (!s.awake || s.lesson.on) }

// stands reports whether the clock of the round is stopped, as it is while the bot waits.
func (s *duelScene) stands() bool {
	return s.waits() && !s.lesson.on && s.stage.Session.View().Frame >= contest.CountdownFrames-1
}

// guide shows a player which keys to press. While the bot waits, the player can select how well it plays, and start
// the lesson.
func (s *duelScene) guide(p *Picture) {
	if s.lesson.on {
		if s.stage.frame >= bannerGone && s.lesson.draw(p, s.stage.hints.pad) {
			s.lesson.on = false
			s.begin(p.App)
		}
		return
	}
	s.stage.Guide(p, s.held[0])
	if s.waits() {
		offers := append(words.Each(contest.Skills), words.T("Lesson"))
		if chosen := p.chips(words.T("The bot waits for you. It is"), int(s.skill), offers); chosen == len(contest.Skills) {
			s.teach(p.App)
		} else {
			s.skill = contest.Skill(chosen)
		}
	}
}

func (s *duelScene) draw(p *Picture) { s.stage.Draw(p) }

func (s *duelScene) close() { s.stage.Close() }

// attract makes bots fight behind a menu.
func (s *duelScene) attract(p *Picture) {
	if err := s.advance(p); err != nil {
		p.App.Note(err)
	}
	s.stage.DrawFight(p)
}

// nextAfter is how many seconds after a round the next one begins.
const nextAfter = 3.4

// advance lets time pass, in the round and after it.
func (s *duelScene) advance(p *Picture) error {
	for seat := range s.people {
		s.held[seat] = p.Held(seat, s.people == 1)
	}
	if s.people == 1 {
		s.awake = s.awake || s.held[0]&(controls.Left|controls.Right|controls.Up|controls.A) != 0
	}
	if !s.stands() {
		p.Elapse()
	}
	if err := s.stage.Advance(p); err != nil {
		return err
	}
	s.learn(p)
	since, ended := s.stage.Ended()
	if !ended || since < nextAfter {
		return nil
	}
	score := s.stage.Standing()
	if _, over := score.Over(); !over {
		s.next(p.App, score)
	} else if s.stage.Silent || p.App.Auto {
		s.begin(p.App)
	}
	return nil
}

// over draws the menu after a match.
func (s *duelScene) over(p *Picture) Scene {
	box := draw.Box{X: Width/2 - 320, Y: 630, W: 300, H: 62} // below the fighters
	if s.people == 1 {
		box.X = 70
	}
	if p.UI.Button(box, words.T("Rematch")) {
		s.begin(p.App)
		return s
	}
	box.X += 340
	if p.UI.Button(box, words.T("To the title")) || p.UI.Back() {
		s.stage.Close()
		return newTitle(p.App)
	}
	if s.people == 1 {
		box = draw.Box{X: box.X + 340, Y: box.Y, W: 460, H: box.H}
		s.skill = contest.Skill(p.UI.Choice(box, words.T("The bot is"), int(s.skill), words.Each(contest.Skills)...))
	}
	return s
}

// DuelLabels are the labels of the touch buttons.
var DuelLabels = map[controls.Action]string{controls.A: words.K("HIT"), controls.Up: words.K("JUMP")}
