package app

import (
	"fmt"
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/words"
)

// TanksSetup says who plays with tanks on this machine, and how.
type TanksSetup struct {
	People  int // the number of people on this machine, who are the first players
	Players int // the number of all players: the others are bots
	Mood    tanks.Mood
	Endless bool
}

// tanksScene is a match of tanks on this machine.
type tanksScene struct {
	stage *TanksStage
	setup TanksSetup
	held  [controls.Seats]controls.Action
	pause pause
	// awake says that a player has done something: until then time does not pass.
	awake bool
	grace grace
}

// NewTanks begins a match on this machine.
func NewTanks(a *App, setup TanksSetup) Scene {
	s := &tanksScene{setup: setup}
	s.begin(a)
	return s
}

// TankNames are the names of bots; people get other names.
var TankNames = [tanks.MaxPlayers]string{
	"RIVET", "COG", "PISTON", "BOLT", "ROTOR", "VALVE", "CRANK", "DIESEL", "TORQUE", "CLUTCH", "GEAR", "SPRING", "FLINT", "RUST", "TURBO", "OTTO",
}

// begin begins a match.
func (s *tanksScene) begin(a *App) {
	if s.stage != nil {
		s.stage.Close()
	}
	s.awake, s.grace = s.setup.People == 0 || s.setup.People >= s.setup.Players, grace{}
	seed := uint64(a.NextSeed())
	s.stage = NewTanksStage(a, tickback.PlayerSet(1<<s.setup.People-1))
	names := slices.Clone(TankNames[:s.setup.Players])
	for i := range s.setup.People {
		names[i] = fmt.Sprintf("P%d", i+1)
	}
	if s.setup.People == 1 {
		names[0] = roleYou
	}
	callAll(s.stage.Names[:], names)
	bot := tanks.Bot{Seed: seed, Mood: s.setup.Mood}
	o := tickback.Options[tanks.State, tanks.Input]{
		Players: s.setup.Players, GameID: tanks.ID, Build: digest.Build(digest.Tanks), TickRate: tanks.TicksPerSecond, Match: tickback.Parameters{Seed: seed},
		Start:    StartTanks,
		Advanced: tickback.Advanced{Now: a.Now, Snapshots: 2},
		Sample: func(p tickback.Player) tanks.Input {
			if int(p) < s.setup.People {
				return TanksInput(s.held[p], 0)
			}
			if !s.awake {
				return tanks.Input{}
			}
			v := s.stage.Session.View()
			s.grace.look(v.Frame, v.Current, s.setup.People)
			return bot.Input(p, v.Frame, s.grace.seen(v.Frame, v.Current))
		},
	}
	if s.setup.Endless {
		o.Match.Data = []byte("endless")
	}
	o.Record, o.Recording = a.Record(recordings.About(s.mode(), names))
	m, err := tickback.Local(tanks.Game(0), o)
	if err != nil {
		panic(err) // the options are always valid
	}
	s.stage.Begin(a, m)
}

// mode returns who plays, for a recording.
func (s *tanksScene) mode() string {
	return [...]string{"bots", "versus-bot", "versus"}[min(s.setup.People, 2)]
}

// StartTanks makes state 0 of a match with these parameters.
func StartTanks(p tickback.Parameters) (func(*tanks.State), error) {
	return tanks.Start(p.Seed, p.Data)
}

// TanksInput converts the actions that a player holds to an input of the tanks; seen is the Seen field of the
// input, before it is limited to its range.
func TanksInput(held controls.Action, seen int) (in tanks.Input) {
	axis := func(less, more controls.Action) (v int8) {
		if held&less != 0 {
			v -= tanks.StickEnd
		}
		if held&more != 0 {
			v += tanks.StickEnd
		}
		return v
	}
	in.Turn, in.Throttle = axis(controls.Left, controls.Right), axis(controls.Down, controls.Up)
	if held&(controls.A|controls.B|controls.C) != 0 {
		in.Buttons = tanks.Fire
	}
	in.Seen = uint8(min(max(seen, 0), tanks.Rewind))
	return in
}

// space is the key that jumps in the duel, and shoots from a tank.
const space = controls.Key("Space")

// HeldInTank is like [Picture.Held] for a tank, with the space bar for shooting.
func (p *Picture) HeldInTank(seat int, alone bool) controls.Action {
	if seat != 0 || !p.Devices.Has(space) {
		return p.Held(seat, alone)
	}
	others := *p.Devices
	others.Keys = nil
	for _, k := range p.Devices.Keys {
		if k != space {
			others.Keys = append(others.Keys, k)
		}
	}
	q := *p
	q.Devices = &others
	return q.Held(seat, alone) | controls.A
}

// Name returns "tanks", which is the mode in a [Status].
func (s *tanksScene) Name() string { return "tanks" }

// TanksLabels are the labels of the touch buttons.
var TanksLabels = map[controls.Action]string{controls.A: words.K("FIRE")}

// Labels returns the labels of the touch buttons.
func (s *tanksScene) Labels() map[controls.Action]string { return TanksLabels }

// Picture runs the match, or shows the menu of a pause. Two seconds after the end it offers another match.
func (s *tanksScene) Picture(p *Picture) Scene {
	if next, goes := s.pause.run(p, s); !goes {
		return next
	}
	if since, ended := s.stage.Ended(); ended {
		if since > 2 {
			return s.ended(p)
		}
		return s // no tank is driven, so no touch control covers the text
	}
	p.Play()
	if s.setup.People == 1 {
		s.stage.Guide(p, s.held[0])
	}
	if !s.awake {
		p.label(words.T("The bots wait for you"))
	}
	return s
}

// allThere is a frame in which all tanks are shown: those of others are shown with a small delay.
const allThere = 4

func (s *tanksScene) draw(p *Picture) { s.stage.Draw(p) }

func (s *tanksScene) close() { s.stage.Close() }

func (s *tanksScene) advance(p *Picture) error {
	for seat := range s.setup.People {
		s.held[seat] = p.HeldInTank(seat, s.setup.People == 1)
		s.awake = s.awake || s.held[seat] != 0
	}
	if s.awake || s.stage.Session.View().Frame < allThere {
		p.Elapse()
	}
	return s.stage.Advance(p)
}

// ended draws the menu after a match.
func (s *tanksScene) ended(p *Picture) Scene {
	box := draw.Box{X: Width/2 - 320, Y: 630, W: 300, H: 58}
	if p.UI.Button(box, words.T("Once more")) || p.App.Auto {
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
