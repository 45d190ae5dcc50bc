package fleet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// watchedPlan is a calm plan with these spectators.
func watchedPlan(players int, frames session.Frame, who ...SpectatorPlan) Plan {
	p := calmPlan(players, frames)
	p.Hosting.Max = 8
	p.Spectators = who
	return p
}

// If nothing goes wrong, a spectator from the beginning sees every frame once and needs no state, a late one begins
// with a state, and both have the players' end.
func TestSpectatorsSeeTheMatch(t *testing.T) {
	p := watchedPlan(2, 1200, SpectatorPlan{Hosts: []int{0}}, SpectatorPlan{Hosts: []int{1}, Late: 10 * time.Second})
	res := playLedger(t, p)
	fine(t, p, res)
	first, late := res.Spectators[0], res.Spectators[1]
	if first.Frames != 1200 || first.Jumps != 0 || first.FailOvers != 0 {
		t.Errorf("from the beginning: %d frames, %d jumps, %d fail-overs", first.Frames, first.Jumps, first.FailOvers)
	}
	if late.Frames < 400 || late.Frames > 800 || late.Jumps != 1 {
		t.Errorf("late: %d frames, %d jumps", late.Frames, late.Jumps)
	}
	theirs := res.Machines[0].Outcomes[0]
	for i, w := range res.Spectators {
		if !errors.Is(w.Err, spectate.ErrEnd) || len(w.Outcomes) != 1 || w.Outcomes[0].Hash != theirs.Hash || w.Outcomes[0].Health != session.Healthy {
			t.Errorf("watcher %d: %v, %+v", i, w.Err, w.Outcomes)
		}
	}
	if res.Seen != first.Frames+late.Frames || res.Jumps != 1 || res.States == 0 {
		t.Errorf("%d frames, %d jumps, %d states", res.Seen, res.Jumps, res.States)
	}
}

// A spectator whose host is killed goes on at the next one, and one that moves comes back.
// One that sleeps or hangs does not blame its host, and has lost nothing.
func TestSpectatorsGoOn(t *testing.T) {
	p := watchedPlan(2, 1800, SpectatorPlan{Hosts: []int{1, 0}}, SpectatorPlan{Hosts: []int{0}}, SpectatorPlan{Hosts: []int{0}}, SpectatorPlan{Hosts: []int{0}})
	p.OnLeave = session.Continue
	p.Faults = []Fault{
		{Kind: Move, At: 5 * time.Second, Machine: 3},
		{Kind: Stall, At: 5 * time.Second, For: 4 * time.Second, Machine: 4},
		{Kind: Hitch, At: 5 * time.Second, For: time.Second, Machine: 5},
		{Kind: Kill, At: 12 * time.Second, Machine: 1},
	}
	res := playLedger(t, p)
	fine(t, p, res)
	for i, w := range res.Spectators {
		if len(w.Outcomes) != 1 || w.Outcomes[0].Frames != 1800 || w.Outcomes[0].Left != rollback.SetOf(1) {
			t.Errorf("watcher %d: %+v", i, w.Outcomes)
		}
		if want := uint64(btoi(i < 2)); w.FailOvers != want {
			t.Errorf("watcher %d: %d fail-overs, want %d", i, w.FailOvers, want)
		}
	}
}

// A spectator whose hosts are all gone notices it, even if it has never reached one.
func TestSpectatorsWithoutHostsAreOver(t *testing.T) {
	p := watchedPlan(2, 100_000, SpectatorPlan{Hosts: []int{0, 1}}, SpectatorPlan{Hosts: []int{1}, Late: 20 * time.Second})
	p.Until = 15 * time.Second
	p.Faults = []Fault{{Kind: Kill, At: 10 * time.Second, Machine: 0}, {Kind: Kill, At: 11 * time.Second, Machine: 1}}
	res := playLedger(t, p)
	fine(t, p, res)
	for i, w := range res.Spectators {
		var nobody *spectate.HostsError
		if !errors.As(w.Err, &nobody) {
			t.Errorf("watcher %d: %v", i, w.Err)
		}
	}
}

// A host that holds back the newest frames shows them when the match is over.
func TestSpectatorsAreKeptBehind(t *testing.T) {
	p := watchedPlan(2, 900, SpectatorPlan{Hosts: []int{0}}, SpectatorPlan{Hosts: []int{1}, Late: 8 * time.Second})
	p.Hosting.Delay = 300
	res := playLedger(t, p)
	fine(t, p, res)
	for i, w := range res.Spectators {
		if len(w.Outcomes) != 1 || w.Outcomes[0].Frames != 900 || w.Frames < 500 {
			t.Errorf("watcher %d: %d frames, %+v", i, w.Frames, w.Outcomes)
		}
	}
}

// A game that cannot encode its state is watched from frame 0, however late.
func TestSpectatorsReplayTheLog(t *testing.T) {
	p := watchedPlan(2, 1500, SpectatorPlan{Hosts: []int{0}, Late: 15 * time.Second}, SpectatorPlan{Hosts: []int{1, 0}, Late: 3 * time.Second, CatchUp: 3})
	g := ledgerGame(nil)
	own := rollback.OwnMemory[ledger, ledger, note]{
		New:  func() *ledger { return new(ledger) },
		Step: g.Step,
		Save: func(s, v *ledger) { *v = *s }, Restore: func(s, v *ledger) { *s = *v },
		Hash: func(v *ledger) uint64 { return v.Mix[0]*prime ^ v.Mix[1] ^ uint64(v.Frame) },
	}
	res, err := Play(own, p, Options[ledger, note]{})
	if err != nil {
		t.Fatal(err)
	}
	fine(t, p, res)
	for i, w := range res.Spectators {
		if w.Frames != 1500 || w.Jumps != 0 || len(w.Outcomes) != 1 || res.States != 0 {
			t.Errorf("watcher %d: %d frames, %d jumps, %+v", i, w.Frames, w.Jumps, w.Outcomes)
		}
	}
}

// The players do not notice spectators: what they send each other is the same, bit by bit
// and at the same times, and so are their stalls, whatever else happens.
func TestPlayersDoNotNoticeWhoWatches(t *testing.T) {
	seeds, watched := uint64(60), 0
	if testing.Short() {
		seeds = 20
	}
	first := seedOf(t, 1)
	for seed := first; seed < first+seeds; seed++ {
		for _, players := range few(2, 4, 8, 16) {
			p := drawn(t, seed, All, players, 10*time.Second)
			if p.OnLeave == session.Continue { // the silence of a machine that vanishes also counts, and the others then go on
				p.Faults = slices.DeleteFunc(p.Faults, func(f Fault) bool { return f.Kind == Kill || f.Kind == Crash })
			}
			if p = separate(p); len(p.Spectators) == 0 || p.network().mayLose() < never {
				continue // a machine that is called more often notices silence up to 50 ms earlier
			}
			if slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == Clock || f.Kind == Desync || f.Kind == Restart }) {
				// So is a clock that has jumped; a desync is investigated, and a machine that was started again is queried,
				// with the next datagram, whichever that is.
				continue
			}
			if slices.ContainsFunc(p.Machines, func(m Machine) bool { return m.Joins }) {
				continue // a newcomer is served together with the spectators, with the states that they get
			}
			watched++
			with, without := playLedger(t, p), playLedger(t, p.Unwatched())
			if with.Played != without.Played {
				t.Errorf("seed %d, %d players: %016x with who watches, %016x without\n%v", seed, players, with.Played, without.Played, with.Violations)
			}
		}
	}
	if watched < int(seeds)/10 {
		t.Errorf("only %d runs have somebody who watches", watched)
	}
	// The negative control: the players' actions are in the digest.
	p := calmPlan(2, 200)
	a := playLedger(t, p)
	p.Seed++
	if b := playLedger(t, p); a.Played == b.Played {
		t.Error("other inputs, and the same digest")
	}
}

// separate is a plan whose players share nothing with the spectators: a machine that hangs has one socket for all, one
// that only looks when it is due is woken more often by spectators, before and after a match, and the sleep of a
// suspended machine is counted from its last look.
func separate(p Plan) Plan {
	p.Framed = false
	p.Faults = slices.DeleteFunc(p.Faults, func(f Fault) bool { return f.Kind == Suspend || f.Kind == Hitch && !p.watches(f.Machine) })
	return p
}

// containsText reports whether the text of a value has this in it.
func containsText(v any, want string) bool { return strings.Contains(fmt.Sprint(v), want) }

// Spectators are drawn in about half of the plans, and the players of a seed are the same with and without them.
func TestSpectatorsAreDrawn(t *testing.T) {
	var watched, failing, narrow, delayed, rated, late int
	befallen := map[FaultKind]int{}
	for seed := range uint64(400) {
		p := drawn(t, seed, All, 2+int(seed)%7, time.Minute)
		watched += btoi(len(p.Spectators) > 0)
		delayed += btoi(p.Hosting.Delay > 0)
		rated += btoi(p.Hosting.Rate > 0)
		for _, v := range p.Spectators {
			failing += btoi(len(v.Hosts) > 1)
			late += btoi(v.Late > 2*time.Second)
		}
		for _, w := range p.Links {
			narrow += btoi(p.watches(w.To) && w.Link.Bandwidth > 0)
		}
		for _, f := range p.Faults {
			if p.aside(f) {
				befallen[f.Kind]++
			}
		}
		if u := p.Unwatched(); u.Validate() != nil || len(u.Spectators) > 0 || slices.ContainsFunc(u.Faults, u.aside) {
			t.Fatalf("seed %d: %v", seed, u)
		}
	}
	if watched < 120 || watched > 240 || failing < 50 || narrow < 50 || delayed < 30 || rated < 30 || late < 50 {
		t.Errorf("%d are watched, %d by several hosts, %d on narrow ways, %d behind, %d at another rate, %d late", watched, failing, narrow, delayed, rated, late)
	}
	for _, kind := range []FaultKind{OneWay, Stall, Hitch, Detour, Move, Leave, Kill} {
		if befallen[kind] < 10 {
			t.Errorf("%d times %v", befallen[kind], kind)
		}
	}
}

// Invalid spectators are refused by name, and text and files contain everything about spectators.
func TestPlansOfSpectators(t *testing.T) {
	for want, change := range map[string]func(p *Plan){
		"Audience.Max is 0":         func(p *Plan) { p.Hosting.Max = 0 },
		"Audience: Spectators.Max":  func(p *Plan) { p.Hosting.Max = 1000 },
		"Rate is 3":                 func(p *Plan) { p.Hosting.Rate = 3 },
		"there are 33 watchers":     func(p *Plan) { p.Spectators = make([]SpectatorPlan, 33) },
		"watcher 0 has no hosts":    func(p *Plan) { p.Spectators[0].Hosts = nil },
		"watcher 0: Hosts is [2]":   func(p *Plan) { p.Spectators[0].Hosts = []int{2} },
		"watcher 0: Hosts is [1 1]": func(p *Plan) { p.Spectators[0].Hosts = []int{1, 1} },
		"watcher 0: Late":           func(p *Plan) { p.Spectators[0].Late = -1 },
		"watcher 0: Drift":          func(p *Plan) { p.Spectators[0].Drift = 1 << 40 },
		"watcher 0: Delay":          func(p *Plan) { p.Spectators[0].Delay = 1 << 20 },
		"watcher 0: CatchUp":        func(p *Plan) { p.Spectators[0].CatchUp = -1 },
		"which is a spectator":      func(p *Plan) { p.Faults = []Fault{{Kind: Talk, Machine: 2, Value: 3}} },
		"about machines 3 and 0":    func(p *Plan) { p.Faults = []Fault{{Kind: Kill, Machine: 3}} },
	} {
		p := watchedPlan(2, 60, SpectatorPlan{Hosts: []int{0}})
		change(&p)
		if err := p.Validate(); !errors.Is(err, ErrPlan) || !containsText(err, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	p := watchedPlan(3, 60, SpectatorPlan{Hosts: []int{2, 0}, Late: time.Second, Drift: -7, Delay: 3, CatchUp: 5})
	p.Hosting.Delay, p.Hosting.Rate = 9, 20_000
	p.Links = []Way{{From: 2, To: 3, Link: netem.Link{Delay: time.Second}}}
	for _, want := range []string{"machine 3 watches machines [2 0], 3 frames in hand, catches up by 5, 1s late, clock -7 ppm", "audience of each machine: 8, 9 frames behind, 20000 bytes/s", "link 2 to 3"} {
		if !containsText(p, want) {
			t.Errorf("no %q in\n%v", want, p)
		}
	}
	again, err := ParsePlan(p.JSON())
	if err != nil || !again.Equal(&p) {
		t.Fatalf("%v\n%v", err, again)
	}
	again.Spectators[0].Hosts[0] = 1
	if again.Equal(&p) {
		t.Error("another host, and equal")
	}
	if c := p.Clone(); !c.Equal(&p) {
		t.Error("a clone is not equal")
	}
	p.Faults = []Fault{{Kind: Stall, Machine: 3}, {Kind: Kill, Machine: 1}}
	p.remove(1)
	if err := p.Validate(); err != nil || !slices.Equal(p.Spectators[0].Hosts, []int{1, 0}) || p.Faults[0].Machine != 2 || len(p.Faults) != 1 || p.Links[0].From != 1 {
		t.Errorf("without machine 1: %v, %v", err, p)
	}
}
