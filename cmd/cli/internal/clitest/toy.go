package clitest

import (
	"errors"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// Toy is the state of a game with unusual types: it combines all inputs into one number.
type Toy struct{ Sum uint64 }

// Press is the input of a player.
type Press uint16

// Add adds the inputs of two players to the state.
func (t *Toy) Add(a, b Press) { t.Sum = t.Sum*31 + uint64(a) + uint64(b) }

// Step runs a frame. A player who presses stop ends the match.
func (t *Toy) Step(k *rollback.Tick[Press]) {
	t.Add(k.Input(0), k.Input(1))
	if k.Input(0) == stop {
		k.Finish(42)
	}
}

// stop is the input that ends a match.
const stop Press = 999

// ToyGame is the game of [ToySpec].
func ToyGame() cli.Game { return cli.NewGame(ToySpec()) }

// ToySpec describes the toy game: it refuses the seed 13.
func ToySpec() cli.Spec[Toy, Press] {
	return cli.Spec[Toy, Press]{
		ID: "toy", About: "adds up what is pressed", Build: "test", TickRate: 50, MaxPlayers: 3,
		Game: rollback.Game[Toy, Press]{Step: (*Toy).Step},
		Start: func(p tickback.Parameters) (func(*Toy), error) {
			if p.Seed == 13 {
				return nil, errors.New("13 is bad luck")
			}
			return func(t *Toy) { t.Sum = p.Seed }, nil
		},
		Checksum: func(t *Toy) uint32 { return uint32(t.Sum) },
		Bots: []cli.Bot[Toy, Press]{
			toyBot("fidget", func(f tickback.Frame) Press { return Press(f % 7) }),
			toyBot("quitter", func(f tickback.Frame) Press {
				if f < 60 {
					return 1
				}
				return stop
			}),
			toyBot("crasher", func(f tickback.Frame) Press {
				if f == 30 {
					panic("out of fuel")
				}
				return 0
			}),
		},
		StandIns: []string{"fidget"},
		Scripts:  []cli.Script[Press]{toyScript("count"), toyScript("random")},
		Classic: &cli.Classic[Toy, Press]{
			Buttons: func(p Press) uint16 { return uint16(p) },
			Input:   func(b uint16) Press { return Press(b) },
			Play: func(t *Toy, frames []rplk.Inputs) {
				for _, f := range frames {
					t.Add(Press(f[0]), Press(f[1]))
				}
			},
		},
		Served: &cli.Served[Toy, Press]{Check: func(_ *Toy, _ tickback.Player, in Press) bool { return in < 1000 }},
		Screen: &cli.Screen[Toy, Press]{
			View: func(*Toy, int) []string { return nil },
			Keys: func(func(string) bool) Press { return 0 },
			Help: "any key",
		},
	}
}

func toyBot(name string, does func(tickback.Frame) Press) cli.Bot[Toy, Press] {
	return cli.Bot[Toy, Press]{Name: name, New: func(uint64) func(tickback.Player, tickback.Frame, *Toy) Press {
		return func(_ tickback.Player, f tickback.Frame, _ *Toy) Press { return does(f) }
	}}
}

func toyScript(name string) cli.Script[Press] {
	return cli.Script[Press]{Name: name, New: func(uint64) (func(tickback.Frame, []Press), error) {
		return func(f tickback.Frame, in []Press) { in[0], in[1] = Press(f%500), 1 }, nil
	}}
}

type (
	// ToyRules is the rollback game of Toy, without the description for the command line.
	ToyRules = rollback.Game[Toy, Press]
	// ToyTick is a tick of the toy game.
	ToyTick = rollback.Tick[Press]
)

var toyPlan = func() *canon.Plan[Toy] {
	p, err := canon.PlanFor[Toy]()
	if err != nil {
		panic(err)
	}
	return p
}()

// Hash returns the engine's hash of the state.
func (t *Toy) Hash() uint64 { return toyPlan.Hash(t) }
