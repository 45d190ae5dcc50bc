package robots_test

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
)

func frames(t testing.TB) rollback.Frame {
	if testing.Short() {
		return 300
	}
	return 1000
}

// Inputs and orders that come late lead to the states that they would have led to in
// time, and to the same ends.
func TestRollbackEqualsAStraightRun(t *testing.T) {
	for players := 2; players <= robots.MaxPlayers; players++ {
		for seed := range script(3) {
			g := robots.Game(uint64(seed))
			e := start(t, g, config(players, rollback.SetOf(0), 8))
			sameHashes(t, "late and in time", late(t, e, seed, frames(t)), straight(t, g, players, seed, frames(t)))
			st := e.Stats()
			if st.Deepest < 4 || st.Mispredicted[1] == 0 {
				t.Errorf("too little was predicted wrongly: %+v", st)
			}
		}
	}
}

// In these matches everything happens that the rules know.
func TestTheScriptIsEventful(t *testing.T) {
	b := sandbox(t, robots.Game(1), 4, 0)
	var mines, bullets, heap, stack, faults, cycles, shared int
	for f := range rollback.Frame(3000) {
		run(t, b, 4, 1, f, f+1)
		w := b.Live()
		mines = max(mines, len(w.Mines))
		if w.Bullets != nil && w.Bullets.Next != nil {
			bullets++
		}
		for _, r := range w.Robots {
			heap, stack = max(heap, len(r.VM.Heap)), max(stack, len(r.VM.Stack))
			if r.VM.Fault != robots.Running {
				faults++
			}
			if r.Target != nil && r.Target.Target == r {
				cycles++
			}
			if r.Last != nil {
				shared++
			}
		}
	}
	for _, n := range []int{mines, bullets, heap, stack, faults, cycles, shared} {
		if n == 0 {
			t.Errorf("mines %d, bullets %d, heap %d, stack %d, faults %d, cycles %d, shared %d", mines, bullets, heap, stack, faults, cycles, shared)
			break
		}
	}
	if b.Live().Winner == 0 {
		t.Error("nobody has won")
	}
}

func TestSyncTest(t *testing.T) {
	for _, depth := range []int{1, 2, 7} {
		for seed := range script(3) {
			must(t, syncTest(t, robots.Game(1), depth, seed, frames(t)/2))
			must(t, syncTest(t, robots.Ported(1), depth, seed, frames(t)/2))
		}
	}
}

// A match that one engine has begun goes on in another one, from the bytes of a state.
func TestAStateGoesOnElsewhere(t *testing.T) {
	for name, g := range map[string]game{"game": robots.Game(3), "ported": robots.Ported(3)} {
		end := frames(t)
		half := end / 2
		whole := straight(t, g, 3, 5, end)
		here := start(t, g, config(3, everyone(3), 8))
		_, err := lone(t, here, 5, half)
		must(t, err)
		encoded, err := here.Marshal(nil, half)
		must(t, err)
		// A ported game ends here: the next engine takes the variable over.
		there := start(t, g, config(3, rollback.SetOf(0), 8))
		must(t, there.Load(half, encoded))
		sameHashes(t, name, late(t, there, 5, end), whole[half:])
	}
}

// Restart and Load use the memory of a world again: nothing of the last match is left.
func TestAMatchLeavesNothingBehind(t *testing.T) {
	e := start(t, robots.Game(3), config(4, everyone(4), 0))
	first, err := lone(t, e, 5, 300)
	must(t, err)
	fresh, err := canon.HashAny(sandbox(t, robots.Game(3), 4, 0).Live())
	must(t, err)
	e.Restart(nil)
	again, err := canon.HashAny(e.State())
	must(t, err)
	want(t, "a walk of state 0", again, fresh)
	second, err := lone(t, e, 5, 300)
	must(t, err)
	sameHashes(t, "restarted", second, first)
}

// Once an engine has met its largest state, a tick allocates nothing, rolled back or
// not.
func TestTicksDoNotAllocate(t *testing.T) {
	const end, lag = 2400, 6
	var in [2][end]robots.Action
	var orders [2][end][]byte
	for p := range in {
		for f := range in[p] {
			in[p][f], orders[p][f] = script(2).at(rollback.Player(p), rollback.Frame(f))
		}
	}
	for name, g := range map[string]game{"game": robots.Game(1), "ported": robots.Ported(1)} {
		e, f := start(t, g, config(2, rollback.SetOf(0), 8)), 0
		tick := func() {
			must(t, e.AddLocal(0, in[0][f], orders[0][f]))
			if f >= lag {
				must(t, e.AddInput(1, rollback.Frame(f-lag), in[1][f-lag], orders[1][f-lag]))
			}
			must(t, e.Tick())
			must(t, e.Agree(e.Confirmed()))
			for e.NextAgreed() != nil {
			}
			e.Effects()
			f++
		}
		for f < 1200 {
			tick()
		}
		want(t, name+": allocations a tick", testing.AllocsPerRun(end-f-1, tick), 0)
		if st := e.Stats(); st.Resimulated == 0 {
			t.Error("nothing was rolled back")
		}
	}
}

// The states that a seed and a script lead to, on every architecture.
func TestFrozenStates(t *testing.T) {
	for _, c := range []struct {
		players int
		want    uint64
	}{{2, 0xDC2820F964AEBB19}, {3, 0x8BDE5E1B279E74E3}, {4, 0xD80478F21F1965AA}} {
		hashes := straight(t, robots.Game(7), c.players, 7, 500)
		if got := hashes[len(hashes)-1]; got != c.want {
			t.Errorf("%d players: 0x%016X", c.players, got)
		}
	}
}
