package hosted

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// Rule: a plan survives its file, and says what it is.
func TestPlansAreFiles(t *testing.T) {
	for seed := range uint64(50) {
		p, err := Draw(seed, fleet.All, tanksRules, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParsePlan(p.JSON())
		if err != nil || !again.Equal(&p) || again.String() != p.String() {
			t.Fatalf("seed %d: %v\n%v\n%v", seed, err, p, again)
		}
		if n := strings.Count(p.String(), "\n"); n != 2+len(p.Clients)+len(p.Watchers)+len(p.Faults) {
			t.Errorf("seed %d: %d lines: %v", seed, n, p)
		}
	}
}

// Rule: what cannot be is refused by name.
func TestPlansThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"Places":                  func(p *Plan) { p.Places = 17 },
		"TickRate":                func(p *Plan) { p.TickRate = 0 },
		"Frames":                  func(p *Plan) { p.Frames = 0 },
		"States":                  func(p *Plan) { p.States = 21 },
		"DropAfter":               func(p *Plan) { p.DropAfter = time.Millisecond },
		"Delay":                   func(p *Plan) { p.Delay = -1 },
		"clients":                 func(p *Plan) { p.Clients = nil },
		"watchers":                func(p *Plan) { p.Watchers = make([]Watcher, 5) },
		"PerTick":                 func(p *Plan) { p.Clients[0].PerTick = 5 },
		"Comes":                   func(p *Plan) { p.Clients[1].Comes = -1 },
		"Drift":                   func(p *Plan) { p.Watchers[0].Drift = 1e6 },
		"Loss":                    func(p *Plan) { p.Clients[0].Up.Loss = 2e6 },
		"does not happen":         func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Desync, Machine: 1}} },
		"for at most":             func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Hitch, For: time.Hour}} },
		"there are 7 machines":    func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Hitch, Machine: 7}} },
		"which has none":          func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Leave}} },
		"one of them has to be 0": func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.OneWay, Machine: 1, Other: 2}} },
		"a detour":                func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Detour, Machine: 1, Value: -1}} },
		"a Side":                  func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Hitch, Side: 1}} },
	} {
		p := calmPlan(false)
		if change(&p); !errors.Is(p.Validate(), fleet.ErrPlan) || !strings.Contains(p.Validate().Error(), want) {
			t.Errorf("%s: %v", want, p.Validate())
		}
	}
	p := calmPlan(true)
	blind := tanksGame()
	blind.Sight = nil
	if _, err := Play(blind, p, options{}); !errors.Is(err, fleet.ErrPlan) {
		t.Errorf("without a Sight: %v", err)
	}
}

// Rule: of a plan that fails, as little is left as fails in the same way.
func TestShrink(t *testing.T) {
	p, err := Draw(5, Ways, tanksRules, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	spoilt := altered(0, func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
		if k.Frame() == 30 {
			s.Tanks[0].Kills++
		}
	})
	run := func(p Plan) (Result, error) { return Play(tanksGame(), p, spoilt) }
	least := Shrink(p, 60, SameFailure(checkServer, run))
	if len(least.Clients) != 1 || len(least.Faults)+len(least.Watchers) > 0 || least.Frames > 62 || !SameFailure(checkServer, run)(least) {
		t.Errorf("what is left:\n%v", least)
	}
}
