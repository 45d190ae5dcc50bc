package hosted

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
)

// Rule: a plan survives being written to a file, and its text describes it.
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
		if n := strings.Count(p.String(), "\n"); n != 2+len(p.Clients)+len(p.Spectators)+len(p.Strangers)+len(p.Faults) {
			t.Errorf("seed %d: %d lines: %v", seed, n, p)
		}
	}
}

// Rule: impossible plans are refused by name.
func TestPlansThatCannotBe(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"Places":                  func(p *Plan) { p.Places = 17 },
		"TickRate":                func(p *Plan) { p.TickRate = 0 },
		"Frames":                  func(p *Plan) { p.Frames = 0 },
		"States":                  func(p *Plan) { p.States = 21 },
		"DropAfter":               func(p *Plan) { p.DropAfter = time.Millisecond },
		"Delay":                   func(p *Plan) { p.Delay = -1 },
		"clients":                 func(p *Plan) { p.Clients = nil },
		"watchers":                func(p *Plan) { p.Spectators = make([]SpectatorPlan, 5) },
		"PerTick":                 func(p *Plan) { p.Clients[0].PerTick = 5 },
		"Comes":                   func(p *Plan) { p.Clients[1].Comes = -1 },
		"Drift":                   func(p *Plan) { p.Spectators[0].Drift = 1e6 },
		"Loss":                    func(p *Plan) { p.Clients[0].Up.Loss = 2e6 },
		"does not happen":         func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Desync, Machine: 1}} },
		"for at most":             func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Hitch, For: time.Hour}} },
		"there are 7 machines":    func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Hitch, Machine: 7}} },
		"which has none":          func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Leave}} },
		"one of them has to be 0": func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.OneWay, Machine: 1, Other: 2}} },
		"a detour":                func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Detour, Machine: 1, Value: -1}} },
		"a restart of kind 1":     func(p *Plan) { p.Faults = []fleet.Fault{{Kind: fleet.Restart, Value: fleet.RestartAsBefore}} },
		"started again 9 times":   func(p *Plan) { p.Faults = slices.Repeat([]fleet.Fault{{Kind: fleet.Restart}}, 9) },
		"is not Guarded":          func(p *Plan) { p.Strangers = []Stranger{{Is: Guessing}} },
		`is "nobody"`:             func(p *Plan) { p.Strangers = []Stranger{{Is: "nobody"}} },
		"cannot watch":            func(p *Plan) { p.Strangers = []Stranger{{Is: Noise, Watches: true}} },
		"5 strangers":             func(p *Plan) { p.Strangers = make([]Stranger, 5) },
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

// Rule: a failing plan is shrunk to the smallest one that still fails in the same way.
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
	if len(least.Clients) != 1 || len(least.Faults)+len(least.Spectators) > 0 || least.Frames > 62 || !SameFailure(checkServer, run)(least) {
		t.Errorf("what is left:\n%v", least)
	}
}

// Rule: silence counts as bad luck only as long as a burst of the plan can plausibly last at the rate of what is sent, or
// as all of a few datagrams may be lost.
func TestWhatIsBadLuck(t *testing.T) {
	burst := netem.Link{Burst: netem.Burst{Begin: netem.Percent, End: 13 * netem.Percent, Loss: 76 * netem.Percent}}
	for _, c := range []struct {
		states int
		link   netem.Link
		silent time.Duration
		bad    bool
	}{
		{2, burst, 4 * time.Second, true},
		{2, burst, 10 * time.Second, false},
		{20, burst, 4 * time.Second, false},
		{20, burst, 1500 * time.Millisecond, true},
		{2, netem.Link{Loss: 10 * netem.Percent}, 4 * time.Second, false},
		{2, netem.Link{Loss: 10 * netem.Percent}, 2500 * time.Millisecond, true},
		{20, netem.Link{Loss: 10 * netem.Percent}, 500 * time.Millisecond, false},
	} {
		p := Plan{TickRate: 20, States: c.states, Clients: []Client{{Down: c.link}}}
		if r := (&run[board, uint8]{plan: &p}); r.lossExplains(1, c.silent) != c.bad {
			t.Errorf("%d states/s, %v, bursts %+v: bad luck is %v", c.states, c.silent, c.link.Burst, !c.bad)
		}
	}
}

// Rule: a plan may have the maximum length, and no more.
func TestTheLengthOfAPlan(t *testing.T) {
	for length, ok := range map[time.Duration]bool{
		time.Second - 1: false, time.Second: true, fleet.MaxPlanTime / 4: true, fleet.MaxPlanTime/4 + 1: false,
	} {
		if _, err := Draw(1, Ways, tanksRules, length); (err == nil) != ok || err != nil && !errors.Is(err, fleet.ErrPlan) {
			t.Errorf("%v: %v", length, err)
		}
	}
	p := calmPlan(false)
	p.Faults = []fleet.Fault{{Kind: fleet.Hitch, Machine: 1, At: -1}}
	if err := p.Validate(); !errors.Is(err, fleet.ErrPlan) {
		t.Errorf("a fault before the begin: %v", err)
	}
}

// Rule: machines are told apart by their numbers: the server is 0, then come clients, then spectators.
func TestThePlanNumbersMachines(t *testing.T) {
	p := calmPlan(false)
	p.Spectators = append(p.Spectators, p.Spectators[0])
	for _, want := range []string{"machine 1: plays", "machine 5: plays", "machine 6: watches", "machine 7: watches"} {
		if strings.Count(p.String(), want) != 1 {
			t.Errorf("no %q in\n%v", want, p)
		}
	}
}

// Rule: links are shrunk, too: to a mere delay, or to what the failure needs.
func TestShrinkMakesLinksPlain(t *testing.T) {
	p, err := Draw(5, Ways, tanksRules, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Clients {
		l := &p.Clients[i].Up
		l.Bandwidth, l.Queue, l.Loss, l.Corrupt, l.Duplicate = 1e6, 1e5, netem.Percent, netem.Percent, netem.Percent
	}
	lossy := func(p Plan) bool { return p.Clients[0].Up.Loss > 0 }
	for name, c := range map[string]struct {
		fails func(p Plan) bool
		want  netem.Link
	}{
		"all":   {func(Plan) bool { return true }, netem.Link{Delay: 20 * time.Millisecond}},
		"lossy": {lossy, netem.Link{Delay: 20 * time.Millisecond, Loss: netem.Percent, Bandwidth: 1e6, Queue: 1e5}},
	} {
		if got := Shrink(p, 1000, c.fails).Clients[0].Up; got != c.want {
			t.Errorf("%s: what is left is %+v, want %+v", name, got, c.want)
		}
	}
}

// Rule: strangers have links of their own, like clients.
func TestStrangersHaveWays(t *testing.T) {
	strangers := 0
	for seed := range uint64(40) {
		p, err := Draw(seed, Ways, tanksRules, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Strangers {
			if strangers++; s.Up.Delay == 0 || s.Down.Delay == 0 {
				t.Errorf("seed %d: %+v", seed, s)
			}
		}
	}
	if strangers == 0 {
		t.Error("there are none")
	}
}

// Rule: a client counts as playing from its beginning until its stay is over, or the match is.
func TestHowLongAClientHasPlayed(t *testing.T) {
	for _, c := range []struct {
		stay stay
		over bool
		want time.Duration
	}{
		{stay{}, false, 0},
		{stay{inAt: time.Second}, false, 0},
		{stay{in: true, inAt: time.Second}, false, 9 * time.Second},
		{stay{in: true, inAt: time.Second, closed: true, until: 4 * time.Second}, false, 3 * time.Second},
		{stay{in: true, inAt: time.Second}, true, 6 * time.Second},
		{stay{in: true, inAt: 8 * time.Second}, true, 0},
	} {
		r, g := &run[tanks.State, tanks.Input]{}, &clientRun[tanks.State, tanks.Input]{stay: c.stay}
		r.now, r.over, r.overAt = 10*time.Second, c.over, 7*time.Second
		if got := played(r, g); got != c.want {
			t.Errorf("%+v, over %v: %v, want %v", c.stay, c.over, got, c.want)
		}
	}
}
