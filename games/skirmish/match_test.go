package skirmish

import (
	"runtime"
	"testing"

	"github.com/tickback/tickback/tickbacktest"
	"github.com/tickback/tickback/world"
	"pgregory.net/rapid"
)

// Rule: bots fight each other until one has won, within a reasonable time.
func TestBotsPlayToTheEnd(t *testing.T) {
	seeds := 6
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		f := play(t, Setup{Seed: uint64(seed), Size: 96 + 32*(seed%2), Players: 2 + seed%3, Units: 8}, 1)
		for range 45 * 60 * TicksPerSecond {
			f.bots()
			f.run(1)
			if _, over := f.stepper.Result(); over {
				break
			}
		}
		r, over := f.stepper.Result()
		p, ok := WinnerOf(r.Result)
		w := f.world()
		t.Logf("seed %d: over %v after %d s, player %d, %d units", seed, over, w.Match.Get().Frame/TicksPerSecond, p, w.Units.Len())
		if !over || !ok {
			t.Errorf("seed %d: %d players have not come to an end", seed, f.players)
		}
	}
}

// Rule: the state does not depend on the number of workers, nor on the number of processors.
func TestWorkersDoNotMatter(t *testing.T) {
	ticks := 1000
	if testing.Short() {
		ticks = 150
	}
	setup := Setup{Seed: 9, Size: 64, Players: 2, Units: 400}
	var fields []*field
	for _, workers := range []int{1, 2, 3, 8} {
		fields = append(fields, play(t, setup, workers))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for tick := range ticks {
		runtime.GOMAXPROCS(1 + tick%5)
		var want uint64
		for i, f := range fields {
			f.bots()
			f.run(1)
			got, err := f.stepper.Hash()
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = got
			} else if got != want {
				t.Fatalf("tick %d: the states of field %d differ", tick, i)
			}
		}
	}
}

// Rule: a battle is the same on every machine, and in every version of the game.
func TestFrozenBattle(t *testing.T) {
	f := play(t, Setup{Seed: 2, Size: 64, Players: 3, Units: 60}, 0)
	for range 20 * TicksPerSecond {
		f.bots()
		f.run(1)
	}
	got, err := f.stepper.Hash()
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(0xe890611003e53491); got != want {
		t.Errorf("%#x, want %#x, with %d units", got, want, f.world().Units.Len())
	}
}

// Rule: the game passes the tests for all games.
func TestDeterminism(t *testing.T) {
	game, err := New(Setup{Seed: 4, Size: 64, Players: 2, Units: 20}, 2)
	if err != nil {
		t.Fatal(err)
	}
	tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: 2, MaxOrders: MaxOrderBytes, Orders: rapid.Custom(drawOrders)})
}

// drawOrders draws a player's orders in a tick: mostly none, otherwise orders that could make sense.
func drawOrders(t *rapid.T) (b []byte) {
	if rapid.IntRange(0, 7).Draw(t, "idle") > 0 {
		return nil
	}
	place := func(name string) Spot {
		return Spot{rapid.Uint16Range(0, 64*64).Draw(t, name+" x"), rapid.Uint16Range(0, 64*64).Draw(t, name+" y")}
	}
	for range rapid.IntRange(1, MaxOrders).Draw(t, "orders") {
		o := Order{
			Verb: Verb(rapid.IntRange(1, verbs-1).Draw(t, "verb")), Group: rapid.Uint8Range(0, 2).Draw(t, "group"), Only: Only(rapid.Uint8Range(0, 31).Draw(t, "only")),
			What: Kind(rapid.Uint8Range(1, Kinds).Draw(t, "what")), Plan: Structure(rapid.Uint8Range(2, 3).Draw(t, "plan")),
			At: place("at"), To: place("to"), Target: world.Entity(rapid.Uint64Range(1, 3).Draw(t, "table")<<56 | rapid.Uint64Range(0, 8).Draw(t, "row")<<32 | 1),
		}
		b = o.Append(b)
	}
	return b
}

// Rule: a tick of a battle allocates nothing.
func TestTicksAllocateNothing(t *testing.T) {
	f := play(t, Setup{Seed: 4, Size: 64, Players: 2, Units: 300}, 1)
	in, orders := make([]Input, 2), make([][]byte, 2)
	run := func() {
		if err := f.stepper.Step(in, orders, 0); err != nil {
			t.Fatal(err)
		}
	}
	f.group(0)
	f.group(1)
	f.order(0, Order{Verb: March, At: at(32, 32)})
	f.order(1, Order{Verb: March, At: at(32, 32)})
	f.run(450)
	if n := testing.AllocsPerRun(200, run); n != 0 {
		t.Errorf("%v allocations a tick, with %d units and %d shots", n, f.world().Units.Len(), f.world().Shots.Len())
	}
}
