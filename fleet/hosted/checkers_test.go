package hosted

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
)

// calmPlan is a plan in which all goes well.
func calmPlan(partial bool) Plan {
	p := Plan{Seed: 1, Places: 8, TickRate: 20, Frames: 200, Partial: partial, DropAfter: 5 * time.Second}
	link := netem.Link{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Distribution: netem.Exponential}
	for range 5 {
		p.Clients = append(p.Clients, Client{Up: link, Down: link})
	}
	p.Spectators = []SpectatorPlan{{Comes: time.Second, Up: link, Down: link}}
	return p
}

// slowPlan is a plan in which the first client is slow.
func slowPlan() Plan {
	p := calmPlan(false)
	p.Profile, p.Frames, p.Spectators = fleet.Slow, 400, nil
	for i := range p.Clients {
		p.Clients[i].Cost = fleet.Cost{Frame: time.Microsecond}
	}
	p.Clients[0].Cost = fleet.Cost{Frame: 60 * time.Millisecond, Again: 60 * time.Millisecond}
	return p
}

type (
	options = Options[tanks.State, tanks.Input]
	lies    = *run[tanks.State, tanks.Input]
)

func play(t *testing.T, p Plan, o options) Result {
	t.Helper()
	res, err := Play(tanksGame(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// after does something once, some time after the beginning.
func after(at time.Duration, do func(r lies)) options {
	done := false
	return options{watch: func(r lies) {
		if !done && r.now >= at {
			done = true
			do(r)
		}
	}}
}

// altered makes a client simulate something else in a tick.
func altered(machine int, do func(s *tanks.State, k *rollback.Tick[tanks.Input])) options {
	return options{alter: func(m int, g *rollback.Game[tanks.State, tanks.Input]) {
		if m != machine {
			return
		}
		step := g.Step
		g.Step = func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
			step(s, k)
			do(s, k)
		}
	}}
}

// Rule: a run without errors passes, with full sight and with partial sight, and everything is examined.
func TestACalmRunPasses(t *testing.T) {
	for _, partial := range []bool{false, true} {
		res := play(t, calmPlan(partial), options{})
		s := res.Sum()
		if !res.OK() || s.States < 500 || s.Predictions < 500 || s.Effects < 10 || s.Finals != 5 || !res.Spectators[0].Ended {
			t.Errorf("partial %v: %v, %+v, %+v", partial, res.Violations, s, res.Spectators)
		}
	}
}

// Rule: a client whose ticks take longer than their period plays on, and shows as much as its machine has
// time for.
func TestASlowRunPasses(t *testing.T) {
	if res := play(t, slowPlan(), options{}); !res.OK() {
		t.Error(res.Violations)
	}
}

// Every checker can fail. Each of these runs contains an error that is not in the plan, and the checker for
// it complains.
func TestEveryCheckerCanFail(t *testing.T) {
	first := func(do func(e effects.Event) []effects.Event) options {
		done := false
		return options{retell: func(m int, e effects.Event) []effects.Event {
			if done || m != 1 || e.Frame < 60 {
				return []effects.Event{e}
			}
			list := do(e)
			done = len(list) != 1 || list[0] != e
			return list
		}}
	}
	seen := func(do func(a *rollback.Agreed[tanks.Input])) options {
		return options{witness: func(_ int, a *rollback.Agreed[tanks.Input]) {
			if a.Frame == 70 {
				do(a)
			}
		}}
	}
	full, partial := calmPlan(false), calmPlan(true)
	guarded := guardedPlan()
	again := calmPlan(false)
	again.Faults = []fleet.Fault{{Kind: fleet.Restart, At: 3 * time.Second, For: 300 * time.Millisecond}}
	for _, c := range []struct {
		checker, how string
		plan         Plan
		options      options
	}{
		{checkServer, "a state is another one", full, altered(0, func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
			if k.Frame() == 50 {
				s.Tanks[0].Kills++
			}
		})},
		{checkStates, "a bit of a state is another one", full, after(3*time.Second, func(r lies) { r.truth.at(r.truth.newest).state.Tanks[0].Kills ^= 1 })},
		{checkStates, "the same with partial sight", partial, after(3*time.Second, func(r lies) { r.truth.at(r.truth.newest).state.Tanks[0].Kills ^= 1 })},
		{checkPace, "the work of a machine takes longer than the plan says", slowPlan(), after(5*time.Second, func(r lies) {
			r.guests[0].labour = fleet.NewLabour(fleet.Cost{Frame: 800 * time.Millisecond}, 50*time.Millisecond)
		})},
		{checkPace, "a machine shows nothing any more", slowPlan(), after(12*time.Second, func(r lies) { r.guests[1].labour.Pictures -= 200 })},
		{checkPrediction, "what is predicted is another thing than what is so", full, altered(2, func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
			if k.Frame() >= 100 && k.Status(0) == rollback.Predicted {
				s.Tanks[7].Deaths++
			}
		})},
		{checkPrediction, "the naive client knows another input", partial, after(3*time.Second, func(r lies) {
			g := r.guests[0]
			g.known.last[g.naive.player].Turn ^= 64
			g.naive.deeds.forget(0)
		})},
		{checkCorrections, "what was shown is another thing", full, options{watch: func(r lies) {
			if g := r.guests[0]; r.now > 3*time.Second && g.shows.any {
				g.shows.state.Tanks[g.naive.player].Pos.X++
			}
		}}},
		{checkCorrections, "the same with partial sight", partial, options{watch: func(r lies) {
			if g := r.guests[0]; r.now > 3*time.Second && g.shows.any {
				g.shows.state.Tanks[g.naive.player].Pos.X++
			}
		}}},
		{checkEffects, "one is left out", full, first(func(e effects.Event) []effects.Event {
			if e.What == effects.Started {
				return nil
			}
			return []effects.Event{e}
		})},
		{checkEffects, "one is shown twice", full, first(func(e effects.Event) []effects.Event {
			if e.What == effects.Started {
				return []effects.Event{e, e}
			}
			return []effects.Event{e}
		})},
		{checkEffects, "one has not happened", full, after(3*time.Second, func(r lies) {
			for i := range r.truth.ring {
				r.truth.ring[i].effects = nil
			}
		})},
		{checkEffects, "one is left over", partial, after(3*time.Second, func(r lies) {
			b := &r.guests[0].bill
			b.show(shownKey{9, 9, b.judged + 10}, "")
		})},
		{checkEntry, "nothing gets through", full, options{watch: func(r lies) { r.net.Cut(0, 1, true) }}},
		{checkLosses, "a way is cut", full, after(2*time.Second, func(r lies) { r.net.Cut(1, 0, true) })},
		{checkProgress, "a way is cut", full, after(3*time.Second, func(r lies) { r.net.Cut(0, 2, true) })},
		{checkBounds, "nobody takes what is sent", full, after(3900*time.Millisecond, func(r lies) {
			for i := range time.Duration(100) {
				r.server.server.Update(r.now + i*50*time.Millisecond)
			}
		})},
		{checkErrors, "a client leaves", full, after(3*time.Second, func(r lies) { r.guests[0].client.Leave("") })},
		{checkErrors, "the server is closed", full, after(3*time.Second, func(r lies) { r.server.server.Leave("no more") })},
		{checkEnds, "the match is too short", full, after(3*time.Second, func(r lies) { r.plan.Frames++ })},
		{checkEnds, "a client is not there at the end", full, options{watch: func(r lies) {
			if r.over {
				r.machines[3].deaf = 1
			}
		}}},
		{checkSpectators, "an input is another one", full, seen(func(a *rollback.Agreed[tanks.Input]) { a.Inputs[0].Turn ^= 1 })},
		{checkSpectators, "a state is another one", full, seen(func(a *rollback.Agreed[tanks.Input]) { a.Hash++ })},
		{checkSpectators, "a frame comes again", full, seen(func(a *rollback.Agreed[tanks.Input]) { a.Frame-- })},
		{checkSpectators, "it is not held back", full, after(2*time.Second, func(r lies) { r.plan.Delay = 100 })},
		{checkSecrets, "a sight leaves the generator", partial, after(3*time.Second, func(r lies) {
			r.secrets.sight = func(s *tanks.State, p Player) PlayerSet {
				generator := s.Rng
				told := tanks.Sight(s, p)
				s.Rng = generator
				return told
			}
		})},
		{checkSecrets, "a client is told the seed", partial, after(3*time.Second, func(r lies) {
			_, _ = r.guests[0].startAt(session.Parameters{Seed: 9})
		})},
		{checkRestarts, "a server that was started again seems to be the one that it was", again, options{twins: true}},
		{checkRestarts, "the answer of a server that was started again is lost", again, after(3200*time.Millisecond, func(r lies) { r.net.Cut(0, 2, true) })},
		{checkRestarts, "a client takes a server for another one", again, after(3310*time.Millisecond, func(r lies) { r.guests[0].naive.truth = r.truth })},
		{checkRestarts, "a client gets another place than it had", again, after(3200*time.Millisecond, func(r lies) { r.guests[0].in.last = 7 })},
		{checkStates, "a client goes on with the match of the server before", again, after(4500*time.Millisecond, func(r lies) { r.guests[0].naive.truth = r.truths[0] })},
		{checkSpectators, "so does a spectator", again, after(5500*time.Millisecond, func(r lies) { r.watchers[0].truth = r.truths[0] })},
		{checkStrangers, "no token is looked at", guarded, options{open: true}},
		{checkStrangers, "a stranger is told nothing", guarded, after(0, func(r lies) { r.net.Cut(0, 7, true) })},
		{checkStrangers, "one that wants to watch is told nothing", guarded, after(0, func(r lies) { r.net.Cut(0, 9, true) })},
		{checkStrangers, "one ends for another reason", guarded, after(20*time.Millisecond, func(r lies) { r.strangers[1].program.(*playing[tanks.State, tanks.Input]).Leave("") })},
		{checkStrangers, "one is told something else", guarded, after(20*time.Millisecond, func(r lies) { r.strangers[1].plan.Is = OtherBuild })},
		{checkPanics, "a step panics", full, altered(1, func(_ *tanks.State, k *rollback.Tick[tanks.Input]) {
			if k.Frame() == 60 {
				panic("a step")
			}
		})},
	} {
		res := play(t, c.plan, c.options)
		if !slices.ContainsFunc(res.Violations, func(v fleet.Violation) bool { return v.Checker == c.checker }) {
			t.Errorf("%s, %s: %v", c.checker, c.how, res.Violations)
		}
	}
}
