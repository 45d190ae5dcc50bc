package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/words"
)

// arenaSetup is the screen on which the player selects who plays.
type arenaSetup struct {
	people, players int
	skill           int
}

func newArenaSetup(a *App) Scene {
	if a.Auto {
		return newArena(a, arenaSetup{people: 0, players: 8, skill: int(arena.Hard)})
	}
	return &arenaSetup{people: 1, players: 4, skill: int(arena.Easy)}
}

// Name returns "arena setup", which is the mode in a [Status].
func (s *arenaSetup) Name() string { return "arena setup" }

// Picture draws the choices, and opens the match, or the title.
func (s *arenaSetup) Picture(p *Picture) Scene {
	p.C.Shade(p.Full, draw.RGB(0x232B57), look.Ink)
	DrawLogo(p.C, draw.Point{X: 70, Y: 130}, 0, true)
	p.C.Text(draw.Point{X: 76, Y: 180}, 26, draw.Left, look.Dim, words.T("Arena"))
	next := p.Rows(draw.Box{X: 70, Y: 220, W: 620, H: 62}, 5, 12, 200, Height-10)
	s.people = 1 + p.UI.Choice(next(), words.T("People at this machine"), s.people-1, "1", "2", "3", "4")
	s.players = max(s.players, s.people, 2)
	s.players = 2 + p.UI.Choice(next(), words.T("Fighters in all"), s.players-2, "2", "3", "4", "5", "6", "7", "8")
	s.players = max(s.players, s.people)
	s.skill = p.UI.Choice(next(), words.T("Bots are"), s.skill, words.T("easy"), words.T("normal"), words.T("hard"))
	fight, back := next(), next()
	back.W = 300
	switch {
	case p.UI.Button(fight, words.T("Fight")):
		return newArena(p.App, *s)
	case p.UI.Button(back, words.T("Back")), p.UI.Back():
		return newTitle(p.App)
	}
	for i, line := range []string{
		words.T("Run with the stick or the keys."), words.T("Hold attack to charge a shot, let go to fire."),
		words.T("Dash through shots, and into others."), words.T("The shield costs energy. Three rounds win."),
	} {
		p.C.Text(draw.Point{X: 740, Y: 260 + float32(i)*40}, 24, draw.Left, look.Paper.Alpha(0.85), line)
	}
	return s
}

// arenaScene is a match in the arena, on this machine.
type arenaScene struct {
	stage *ArenaStage
	setup arenaSetup
	held  [controls.Seats]controls.Action
	pause pause
	awake bool // a player has done something: until then the countdown does not end
}

// BotNames are the names of bots.
var BotNames = [...]string{"ADA", "BO", "CY", "DOT", "EVE", "FLO", "GUS", "HAL"}

func newArena(a *App, setup arenaSetup) *arenaScene {
	s := &arenaScene{setup: setup}
	s.begin(a)
	return s
}

// begin begins a match.
func (s *arenaScene) begin(a *App) {
	if s.stage != nil {
		s.stage.Close()
	}
	s.awake = s.setup.people == 0 || s.setup.people == s.setup.players
	seed := uint64(a.NextSeed())
	s.stage = NewArenaStage(a, s.setup.players, tickback.PlayerSet(1<<s.setup.people-1))
	s.stage.Names = BotNames
	for i := range s.setup.people {
		s.stage.Names[i] = fmt.Sprintf("P%d", i+1)
	}
	o := tickback.Options[arena.State, arena.Input]{
		Players: s.setup.players, GameID: arena.ID, Match: tickback.Parameters{Seed: seed},
		Advanced: tickback.Advanced{Now: a.Now, Snapshots: 2},
		Sample: func(p tickback.Player) arena.Input {
			if int(p) < s.setup.people {
				return ArenaInput(s.held[p])
			}
			v := s.stage.Session.View()
			return arena.Bot{Seed: seed, Skill: arena.Skill(s.setup.skill)}.Input(p, v.Frame, v.Current)
		},
	}
	for p := range s.setup.people {
		o.Delay[p] = a.Settings.Delay
	}
	o.Record, o.Recording = a.Record(recordings.About("arena", s.stage.Names[:]))
	m, err := tickback.Local(arena.Game(seed), o)
	if err != nil {
		panic(err) // the options are always valid
	}
	s.stage.Begin(a, m)
}

// ArenaInput converts the actions that a player holds to an input of the arena.
func ArenaInput(held controls.Action) (in arena.Input) {
	axis := func(less, more controls.Action) (v int8) {
		if held&less != 0 {
			v -= arena.StickEnd
		}
		if held&more != 0 {
			v += arena.StickEnd
		}
		return v
	}
	in.X, in.Y = axis(controls.Left, controls.Right), axis(controls.Up, controls.Down)
	for action, button := range map[controls.Action]arena.Buttons{controls.A: arena.Shoot, controls.B: arena.Dash, controls.C: arena.Shield} {
		if held&action != 0 {
			in.Buttons |= button
		}
	}
	return in
}

// Name returns "arena", which is the mode in a [Status].
func (s *arenaScene) Name() string { return "arena" }

// Labels returns the labels of the touch buttons.
func (s *arenaScene) Labels() map[controls.Action]string { return ArenaLabels }

// ArenaLabels are the labels of the touch buttons.
var ArenaLabels = map[controls.Action]string{controls.A: words.K("SHOOT"), controls.B: words.K("DASH"), controls.C: words.K("SHIELD")}

// Picture runs the match, or shows the menu of a pause. Two seconds after the end it offers a rematch.
func (s *arenaScene) Picture(p *Picture) Scene {
	if next, goes := s.pause.run(p, s); !goes {
		return next
	}
	if since, ended := s.stage.Ended(); ended && since > 2 {
		return s.ended(p)
	}
	p.Play()
	if s.setup.people == 1 {
		s.stage.Guide(p, s.held[0])
	}
	if s.stands() {
		p.label(words.T("The bots wait for you"))
	}
	return s
}

func (s *arenaScene) draw(p *Picture) { s.stage.Draw(p) }

func (s *arenaScene) close() { s.stage.Close() }

func (s *arenaScene) advance(p *Picture) error {
	for seat := range s.setup.people {
		s.held[seat] = p.Held(seat, s.setup.people == 1)
		s.awake = s.awake || s.held[seat] != 0
	}
	if !s.stands() {
		p.Elapse()
	}
	return s.stage.Advance(p)
}

// stands reports whether the match waits at the end of its first countdown.
func (s *arenaScene) stands() bool {
	now := s.stage.Session.View().Current
	return !s.awake && now.Phase == arena.Countdown && now.PhaseTicks >= arena.CountdownTicks
}

// ended draws the menu after a match.
func (s *arenaScene) ended(p *Picture) Scene {
	box := draw.Box{X: Width/2 - 320, Y: 500, W: 300, H: 64}
	if p.UI.Button(box, words.T("Rematch")) || p.App.Auto {
		s.begin(p.App)
		return s
	}
	box.X += 340
	if p.UI.Button(box, words.T("To the title")) || p.UI.Back() {
		s.stage.Close()
		return newTitle(p.App)
	}
	return s
}
