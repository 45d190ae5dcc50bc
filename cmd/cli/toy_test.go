package cli_test

import (
	"errors"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// toy is the state of somebody else's game: it adds up what is pressed.
type toy struct{ Sum uint64 }

// press is what a player of it presses.
type press uint16

func (t *toy) add(a, b press) { t.Sum = t.Sum*31 + uint64(a) + uint64(b) }

func (t *toy) step(k *rollback.Tick[press]) {
	t.add(k.Input(0), k.Input(1))
	if k.Input(0) == stop {
		k.Finish(42)
	}
}

// stop is what ends a match.
const stop press = 999

func toyGame() cli.Game { return cli.NewGame(toySpec()) }

func toySpec() cli.Spec[toy, press] {
	return cli.Spec[toy, press]{
		ID: "toy", About: "adds up what is pressed", Build: "test", TickRate: 50, MaxPlayers: 3,
		Game: rollback.Game[toy, press]{Step: (*toy).step},
		Start: func(p tickback.Parameters) (func(*toy), error) {
			if p.Seed == 13 {
				return nil, errors.New("13 is bad luck")
			}
			return func(t *toy) { t.Sum = p.Seed }, nil
		},
		Checksum: func(t *toy) uint32 { return uint32(t.Sum) },
		Bots: []cli.Bot[toy, press]{
			toyBot("fidget", func(f tickback.Frame) press { return press(f % 7) }),
			toyBot("quitter", func(f tickback.Frame) press {
				if f < 60 {
					return 1
				}
				return stop
			}),
			toyBot("crasher", func(f tickback.Frame) press {
				if f == 30 {
					panic("out of fuel")
				}
				return 0
			}),
		},
		StandIns: []string{"fidget"},
		Scripts:  []cli.Script[press]{toyScript("count"), toyScript("random")},
		Classic: &cli.Classic[toy, press]{
			Buttons: func(p press) uint16 { return uint16(p) },
			Input:   func(b uint16) press { return press(b) },
			Play: func(t *toy, frames []rplk.Inputs) {
				for _, f := range frames {
					t.add(press(f[0]), press(f[1]))
				}
			},
		},
		Screen: &cli.Screen[toy, press]{
			View: func(*toy, int) []string { return nil },
			Keys: func(func(string) bool) press { return 0 },
			Help: "any key",
		},
	}
}

func toyBot(name string, does func(tickback.Frame) press) cli.Bot[toy, press] {
	return cli.Bot[toy, press]{Name: name, New: func(uint64) func(tickback.Player, tickback.Frame, *toy) press {
		return func(_ tickback.Player, f tickback.Frame, _ *toy) press { return does(f) }
	}}
}

func toyScript(name string) cli.Script[press] {
	return cli.Script[press]{Name: name, New: func(uint64) (func(tickback.Frame, []press), error) {
		return func(f tickback.Frame, in []press) { in[0], in[1] = press(f%500), 1 }, nil
	}}
}

type (
	toyRules = rollback.Game[toy, press]
	toyTick  = rollback.Tick[press]
)

var toyPlan = func() *canon.Plan[toy] {
	p, err := canon.PlanFor[toy]()
	if err != nil {
		panic(err)
	}
	return p
}()

func (t *toy) hash() uint64 { return toyPlan.Hash(t) }
