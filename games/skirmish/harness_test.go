package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// field is a match that is run step by step, without an engine.
type field struct {
	t       testing.TB
	game    Definition
	stepper *rollback.Stepper[World, Input]
	players int
	orders  [MaxPlayers][]byte
	gone    rollback.PlayerSet
}

// play begins a match.
func play(t testing.TB, setup Setup, workers int) *field {
	t.Helper()
	game, err := New(setup, workers)
	if err != nil {
		t.Fatal(err)
	}
	f := &field{t: t, game: game, players: setup.Players}
	if f.stepper, err = rollback.NewStepper(game, setup.Players, MaxOrderBytes); err != nil {
		t.Fatal(err)
	}
	return f
}

// open begins a match of two on open ground, without units or mines: the keeps are at (8, 8) and
// (48, 48), with their north-western cells.
func open(t testing.TB) *field {
	t.Helper()
	f := play(t, Setup{Seed: 1, Size: 64, Players: 2}, 1)
	f.change(func(w *World) {
		for e := range w.Buildings.All() {
			if err := w.Buildings.Kill(e); err != nil {
				t.Fatal(err)
			}
		}
		for y := range 64 {
			for x := range 64 {
				w.Ground.Set(x, y, Grass)
				w.Costs.Set(x, y, Grass.Cost())
			}
		}
		s := step{World: w}
		s.found(Place{X: 8, Y: 8, Side: 0, Structure: Keep}, 0)
		s.found(Place{X: 48, Y: 48, Side: 1, Structure: Keep}, 0)
	})
	return f
}

// world returns the state.
func (f *field) world() *World { return f.stepper.State() }

// change changes the state between two ticks.
func (f *field) change(do func(w *World)) { world.Update(f.world(), do) }

// unit puts a unit on the map.
func (f *field) unit(side uint8, kind Kind, x, y fixed.Num) (e world.Entity) {
	f.change(func(w *World) { e = (&step{World: w}).raise(side, kind, fixed.Vec2{X: x, Y: y}) })
	return e
}

// building puts a finished building on the map.
func (f *field) building(side uint8, what Structure, x, y int16) (e world.Entity) {
	f.change(func(w *World) {
		e = (&step{World: w}).found(Place{X: x, Y: y, Side: side, Structure: what}, 0)
	})
	return e
}

// order adds orders of a player for the next tick.
func (f *field) order(p rollback.Player, orders ...Order) {
	for i := range orders {
		f.orders[p] = orders[i].Append(f.orders[p])
	}
}

// group makes a player select all of its units as group 0, for the orders that follow.
func (f *field) group(p rollback.Player) {
	f.order(p, Order{Verb: Select, To: Spot{1<<16 - 1, 1<<16 - 1}})
}

// run runs ticks.
func (f *field) run(ticks int) {
	f.t.Helper()
	for range ticks {
		if err := f.stepper.Step(make([]Input, f.players), f.orders[:f.players], f.gone); err != nil {
			f.t.Fatal(err)
		}
		for p := range f.orders {
			f.orders[p] = f.orders[p][:0]
		}
	}
}

// until runs ticks until a condition holds, at most the given number.
func (f *field) until(most int, what string, so func() bool) (ticks int) {
	f.t.Helper()
	for ticks = range most {
		if so() {
			return ticks
		}
		f.run(1)
	}
	f.t.Fatalf("after %d ticks not yet: %s", most, what)
	return most
}

// pos returns where a unit is.
func (f *field) pos(e world.Entity) fixed.Vec2 {
	f.t.Helper()
	p, ok := f.world().Units.Pos.Get(e)
	if !ok {
		f.t.Fatalf("%v is not there", e)
	}
	return p
}

// at returns a spot in the middle of a cell.
func at(x, y int64) Spot {
	return SpotOf(fixed.Vec2{X: fixed.FromInt(x) + fixed.Half, Y: fixed.FromInt(y) + fixed.Half})
}

// half returns the coordinate in the middle of a cell.
func half(n int64) fixed.Num { return fixed.FromInt(n) + fixed.Half }

// bots has bots play for all.
func (f *field) bots() {
	for p := range rollback.Player(f.players) {
		f.orders[p] = Bot{Seed: uint64(p)}.Orders(f.orders[p], p, f.world())
	}
}
