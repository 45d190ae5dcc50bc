package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// A plan with everything, which fails because of two faults on two machines, is shrunk
// to these, and everything else is as ordinary as possible.
func TestShrinkFindsWhatMatters(t *testing.T) {
	p := drawn(t, 6, Swarm, 8, time.Minute)
	p.Faults = append(p.Faults,
		Fault{Kind: Kill, At: 20 * time.Second, Machine: 5},
		Fault{Kind: Partition, At: 21 * time.Second, For: 4 * time.Second, Side: 0b10010})
	runs := 0
	fails := func(p Plan) bool {
		runs++
		has := func(kind FaultKind) bool {
			return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == kind })
		}
		return has(Kill) && has(Partition) && p.Frames >= 100 && len(p.Machines) >= 3
	}
	least := Shrink(p, 1000, fails)
	want := Plan{
		Seed: p.Seed, Profile: p.Profile, Matches: 1, TickRate: 60, HashEvery: 1, ChainEvery: 60, DropAfter: 5 * time.Second,
		Until: time.Second, Link: netem.Link{Delay: 20 * time.Millisecond},
	}
	t.Logf("%d runs\n%v", runs, least)
	if !fails(least) || least.Validate() != nil {
		t.Fatal("what was found does not fail")
	}
	if len(least.Machines) != 3 || len(least.Faults) != 2 || least.Frames >= 200 || least.Link != want.Link || len(least.Links) > 0 ||
		least.Until != want.Until || least.Matches != 1 || least.TickRate != 60 || least.HashEvery != 1 || least.MaxOrders != 0 {
		t.Errorf("there is more to leave out:\n%v", least)
	}
	for i, m := range least.Machines {
		if m != (Machine{Players: 1 << i, Window: 8}) {
			t.Errorf("machine %d: %+v", i, m)
		}
	}
}

// A search is bounded, and does not change the given plan.
func TestShrinkIsBounded(t *testing.T) {
	p := drawn(t, 3, All, 8, time.Minute)
	before := p.Clone()
	runs := 0
	Shrink(p, 50, func(Plan) bool { runs++; return runs%3 == 0 })
	if runs > 50 || !p.Equal(&before) {
		t.Errorf("%d runs", runs)
	}
	if least := Shrink(p, 50, func(Plan) bool { return false }); !least.Equal(&p) {
		t.Errorf("what does not fail was kept: %v", least)
	}
}

// Removing a machine also removes everything about it, and renumbers the rest.
func TestRemovingAMachine(t *testing.T) {
	p := calmPlan(4, 60)
	p.Links = []Way{{0, 1, p.Link}, {2, 3, p.Link}}
	p.Faults = []Fault{{Kind: Kill, Machine: 1}, {Kind: Stall, Machine: 3}, {Kind: OneWay, Machine: 0, Other: 1}, {Kind: Partition, Side: 0b1011}}
	p.remove(1)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(p.Links) != 1 || p.Links[0].From != 1 || p.Links[0].To != 2 {
		t.Errorf("links %+v", p.Links)
	}
	if len(p.Faults) != 2 || p.Faults[0].Machine != 2 || p.Faults[1].Side != 0b101 {
		t.Errorf("faults %+v", p.Faults)
	}
}

// A spectator is removed if it has no part in a failure, and kept if it has.
func TestShrinkTakesSpectatorsAway(t *testing.T) {
	p := watchedPlan(3, 900, SpectatorPlan{Hosts: []int{0, 1}, Delay: 7}, SpectatorPlan{Hosts: []int{2}, Late: time.Second, Drift: 5})
	p.Hosting.Rate, p.Hosting.Delay = 50_000, 30
	p.Faults = []Fault{{Kind: Stall, Machine: 4, At: time.Second, For: time.Second}, {Kind: Talk, Value: 10}}
	talks := Shrink(p, DefaultShrinks, func(p Plan) bool { return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == Talk }) })
	if len(talks.Spectators) != 0 || talks.Hosting != (SpectatorHosting{}) || len(talks.Faults) != 1 {
		t.Errorf("left is %v", talks)
	}
	stalls := Shrink(p, DefaultShrinks, func(p Plan) bool {
		return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == Stall && p.watches(f.Machine) })
	})
	if len(stalls.Spectators) != 1 || len(stalls.Faults) != 1 || len(stalls.Spectators[0].Hosts) != 1 || stalls.Spectators[0].Late != 0 || stalls.Hosting.Delay != 0 {
		t.Errorf("left is %v", stalls)
	}
}
