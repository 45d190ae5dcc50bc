package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// Rule: a group goes where it is sent, around obstacles, and stops there.
func TestUnitsGoAroundWalls(t *testing.T) {
	f := open(t)
	for y := int16(15); y < 40; y++ {
		f.building(0, Wall, 30, y)
	}
	var units []world.Entity
	for i := range int64(5) {
		units = append(units, f.unit(0, Spearman, half(26), half(25+i)))
	}
	f.group(0)
	f.order(0, Order{Verb: Move, At: at(35, 27)})
	f.run(1)
	f.until(1200, "all are idle", func() bool {
		for _, u := range units {
			p := f.pos(u)
			if !f.world().open(int(p.X.Int()), int(p.Y.Int())) {
				t.Fatalf("a unit stands in a wall, at %v", p)
			}
		}
		return f.world().Idle(0) == len(units)
	})
	for _, u := range units {
		if d := f.pos(u).Distance(at(35, 27).Vec()); d > 3*fixed.One {
			t.Errorf("a unit has stopped %v from its goal", d)
		}
	}
}

// Rule: units in a wood are half as fast.
func TestWoodIsSlow(t *testing.T) {
	f := open(t)
	f.change(func(w *World) {
		for x := range 64 {
			w.Costs.Set(x, 30, Wood.Cost())
		}
	})
	slow, fast := f.unit(0, Knight, half(10), half(30)), f.unit(0, Knight, half(10), half(40))
	f.group(0)
	f.order(0, Order{Verb: Halt}, Order{Verb: Select, To: Spot{1<<16 - 1, 1<<16 - 1}})
	f.run(1)
	from := [2]fixed.Vec2{f.pos(slow), f.pos(fast)}
	f.change(func(w *World) {
		w.Units.Task.Set(slow, Task{Verb: Move, Goal: at(50, 30)})
		w.Units.Task.Set(fast, Task{Verb: Move, Goal: at(50, 40)})
	})
	f.run(60)
	s, q := f.pos(slow).Distance(from[0]), f.pos(fast).Distance(from[1])
	if s*2 < q-q/10 || s*2 > q+q/10 {
		t.Errorf("%v in a wood, %v outside", s, q)
	}
}

// Rule: an idle unit attacks enemies that come into its sight, and a moving one does not.
func TestWhoAttacks(t *testing.T) {
	for verb, fights := range map[Verb]bool{0: true, March: true, Move: false} {
		f := open(t)
		u, foe := f.unit(0, Spearman, half(20), half(30)), f.unit(1, Archer, half(25), half(30))
		f.group(1)
		f.order(1, Order{Verb: Move, At: at(25, 30)}) // it stays
		if verb != 0 {
			f.group(0)
			f.order(0, Order{Verb: verb, At: at(20, 50)})
		}
		f.run(150)
		if left, ok := f.world().Units.Health.Get(foe); (ok && left == Archer.Of().Health) == fights {
			t.Errorf("%v: the other has %v, and is there: %v", verb, left, ok)
		}
		if verb == Move && !f.world().Units.Alive(u) {
			t.Error("it was shot on its way")
		}
	}
}

// Rule: the strength of a unit depends on its kind: its damage, once per cool-down.
func TestBlows(t *testing.T) {
	for _, kind := range []Kind{Spearman, Knight, Archer} {
		f := open(t)
		f.unit(0, kind, half(20), half(30))
		foe := f.unit(1, Knight, half(21), half(30))
		f.change(func(w *World) {
			w.Units.Health.Set(foe, fixed.FromInt(10000))
			w.Units.Task.Set(foe, Task{Verb: Move, Goal: at(21, 30)})
		})
		for range 600 {
			f.run(1)
			f.change(func(w *World) { w.Units.Aim.Set(foe, Aim{Cooldown: fixed.FromInt(100)}) }) // it does not strike back
		}
		left, _ := f.world().Units.Health.Get(foe)
		done := fixed.FromInt(10000) - left
		blows := done.Div(kind.Of().Damage).Int()
		if most := int64(600/kind.Of().Cooldown.Int() + 1); blows < most-3 || blows > most || done%kind.Of().Damage != 0 {
			t.Errorf("%v: %d blows in 600 ticks, at most %d", kind, blows, most)
		}
	}
}

// Rule: a stone breaks buildings, and hits all enemies around the place where it comes down, but no units of its own
// side.
func TestCatapults(t *testing.T) {
	f := open(t)
	f.unit(0, Catapult, half(20), half(30))
	var near []world.Entity
	for _, side := range []uint8{1, 1, 0} {
		near = append(near, f.unit(side, Knight, half(28), half(30)+fixed.Num(len(near))*fixed.One))
	}
	f.change(func(w *World) {
		for _, u := range near {
			w.Units.Task.Set(u, Task{Verb: Move, Goal: SpotOf(f.pos(u)), Near: 8})
			w.Units.Aim.Set(u, Aim{Cooldown: fixed.FromInt(1000)})
		}
	})
	f.until(200, "a stone comes down", func() bool {
		left, _ := f.world().Units.Health.Get(near[0])
		return left < Knight.Of().Health
	})
	second, _ := f.world().Units.Health.Get(near[1])
	own, _ := f.world().Units.Health.Get(near[2])
	if second != Knight.Of().Health-Catapult.Of().Damage || own != Knight.Of().Health {
		t.Errorf("beside it %v are left, and of the own unit %v", second, own)
	}

	f = open(t)
	wall := f.building(1, Wall, 30, 30)
	f.unit(0, Catapult, half(22), half(30))
	f.group(0)
	f.order(0, Order{Verb: Strike, Target: wall})
	f.until(1500, "the wall is broken", func() bool { return !f.world().Buildings.Alive(wall) })
	if !f.world().open(30, 30) {
		t.Error("the wall still stands in the way")
	}
}

// Rule: training takes gold and time, a queue has room for five, and cancelling gives the gold back.
func TestTraining(t *testing.T) {
	f := open(t)
	keep := f.world().Buildings.At(int(firstOf(f, 0).Row()))
	f.change(func(w *World) { w.Sides.Write()[0].Gold = 1000 })
	for range 6 {
		f.order(0, Order{Verb: Train, What: Spearman, Target: keep})
		f.run(1)
	}
	works, _ := f.world().Buildings.Works.Get(keep)
	if gold := f.world().Sides.Get()[0].Gold; works.Queued != QueueLen || gold != 1000-5*50 {
		t.Errorf("%d in the queue, %d gold", works.Queued, gold)
	}
	f.order(0, Order{Verb: Cancel, Target: keep}, Order{Verb: Rally, Target: keep, At: at(30, 30)})
	f.run(1)
	if gold := f.world().Sides.Get()[0].Gold; gold != 1000-4*50 {
		t.Errorf("%d gold after cancelling", gold)
	}
	f.order(1, Order{Verb: Train, What: Spearman, Target: keep}) // of another one
	f.until(5*151, "four are trained", func() bool { return f.world().Units.Len() == 4 })
	f.until(900, "they are at the place to gather", func() bool { return f.world().Idle(0) == 4 })
	for u := range f.world().Units.All() {
		if d := f.pos(u).Distance(at(30, 30).Vec()); d > 4*fixed.One {
			t.Errorf("a unit gathers %v from the place", d)
		}
	}
	if s := f.world().Sides.Get(); s[0].Made != 4 || s[1].Made != 0 {
		t.Errorf("%+v", s[:2])
	}
}

// firstOf returns the first building of a side.
func firstOf(f *field, side uint8) world.Entity {
	for e := range f.world().Buildings.All() {
		if p, _ := f.world().Buildings.Place.Get(e); p.Side == side {
			return e
		}
	}
	f.t.Fatalf("side %d has no building", side)
	return 0
}

// Rule: a building needs open ground near one of the side's own, without units on it, and costs gold.
func TestBuilding(t *testing.T) {
	f := open(t)
	f.change(func(w *World) { w.Sides.Write()[0].Gold = 1000 })
	f.unit(0, Spearman, half(18), half(9))
	for name, c := range map[string]struct {
		at Spot
		ok bool
	}{
		"near":             {at(14, 9), true},
		"far away":         {at(40, 40), false},
		"on the keep":      {at(9, 9), false},
		"on a unit":        {at(18, 9), false},
		"beyond the map":   {at(0, 63), false},
		"beside the other": {at(50, 54), false},
	} {
		before, gold := f.world().Buildings.Len(), f.world().Sides.Get()[0].Gold
		f.order(0, Order{Verb: Build, Plan: Barracks, At: c.at})
		f.run(1)
		built, paid := f.world().Buildings.Len() > before, f.world().Sides.Get()[0].Gold <= gold-200
		if built != c.ok || paid != c.ok {
			t.Errorf("%s: built %v, paid %v", name, built, paid)
		}
	}
	// It does not train units while it is being built.
	var barracks world.Entity
	for e := range f.world().Buildings.All() {
		if p, _ := f.world().Buildings.Place.Get(e); p.Structure == Barracks {
			barracks = e
		}
	}
	f.order(0, Order{Verb: Train, What: Spearman, Target: barracks})
	f.run(1)
	if works, _ := f.world().Buildings.Works.Get(barracks); works.Queued != 0 || works.Left == 0 {
		t.Errorf("%+v", works)
	}
	f.run(int(Barracks.Of().Work))
	f.order(0, Order{Verb: Train, What: Spearman, Target: barracks})
	f.run(1)
	if works, _ := f.world().Buildings.Works.Get(barracks); works.Queued != 1 {
		t.Errorf("%+v once it is finished", works)
	}
}

// Rule: a mine belongs to the last side that had units near it while no other side had, and brings gold.
func TestMines(t *testing.T) {
	f := open(t)
	mine := f.building(Nobody, Mine, 30, 30)
	holder := func() uint8 { p, _ := f.world().Buildings.Place.Get(mine); return p.Side }
	u := f.unit(0, Knight, half(33), half(31))
	f.run(2 * TicksPerSecond)
	if holder() != 0 {
		t.Errorf("%d holds it", holder())
	}
	gold := f.world().Sides.Get()[0].Gold
	f.run(TicksPerSecond)
	if got := f.world().Sides.Get()[0].Gold - gold; got != Keep.Of().Income+Mine.Of().Income {
		t.Errorf("%d gold in a second", got)
	}
	f.change(func(w *World) { // the other unit comes near, and both only stand
		v := (&step{World: w}).raise(1, Knight, fixed.Vec2{X: half(27), Y: half(31)})
		for _, e := range []world.Entity{u, v} {
			w.Units.Health.Set(e, fixed.FromInt(100000))
		}
	})
	f.run(TicksPerSecond)
	if holder() != 0 {
		t.Error("a contested mine has changed hands")
	}
	f.change(func(w *World) { (&step{World: w}).kill(u) })
	f.run(2 * TicksPerSecond)
	if holder() != 1 {
		t.Errorf("%d holds it after the other has fallen", holder())
	}
}

// Rule: a side without a keep has lost, with everything that it has, and the last one wins.
func TestVictory(t *testing.T) {
	f := open(t)
	f.unit(1, Knight, half(20), half(50))
	mine := f.building(1, Mine, 30, 30)
	f.change(func(w *World) { (&step{World: w}).found(Place{X: 55, Y: 55, Side: 1, Structure: Wall}, 0) })
	keep := firstOf(f, 1)
	f.change(func(w *World) { w.Buildings.Health.Set(keep, fixed.One) })
	f.unit(0, Knight, half(47), half(49))
	f.until(100, "the match is over", func() bool { _, over := f.stepper.Result(); return over })
	r, _ := f.stepper.Result()
	if p, ok := WinnerOf(r.Result); p != 0 || !ok {
		t.Errorf("the result is %d", r.Result)
	}
	w := f.world()
	if w.Units.Len() != 1 || w.Buildings.Len() != 2 { // the keep of the winner, and the mine
		t.Errorf("%d units and %d buildings are left", w.Units.Len(), w.Buildings.Len())
	}
	if p, _ := w.Buildings.Place.Get(mine); p.Side != Nobody {
		t.Errorf("%d holds the mine", p.Side)
	}
	before, _ := f.stepper.Hash()
	f.run(5)
	if after, _ := f.stepper.Hash(); after != before {
		t.Error("something moves after the end")
	}
}

// Rule: a player that resigns has lost; a player that has left has not.
func TestResigning(t *testing.T) {
	f := open(t)
	f.gone = rollback.SetOf(1)
	f.run(10)
	if _, over := f.stepper.Result(); over {
		t.Fatal("the match ends when a player is gone")
	}
	f.order(0, Order{Verb: Resign})
	f.run(1)
	r, over := f.stepper.Result()
	if p, ok := WinnerOf(r.Result); !over || p != 1 || !ok {
		t.Errorf("over %v, result %d", over, r.Result)
	}
}

// Rule: orders that the state does not allow, and bytes that are not orders, change nothing.
func TestOrdersThatDoNothing(t *testing.T) {
	f := open(t)
	u := f.unit(0, Spearman, half(20), half(20))
	f.run(1)
	twin := open(t)
	twin.unit(0, Spearman, half(20), half(20))
	twin.run(1)
	keep := firstOf(f, 1)
	for _, g := range []*field{f, twin} { // in the same groups
		g.group(0)
		g.run(1)
	}
	f.order(0, Order{Verb: Strike, Target: u}, Order{Verb: Strike, Target: firstOf(f, 0)}) // its own
	f.run(1)
	twin.run(1)
	f.order(0, Order{Verb: Move, Group: 5, At: at(1, 1)}) // nobody is in it
	f.order(0, Order{Verb: Strike, Target: 1<<56 | 99<<32 | 7}, Order{Verb: Train, What: Knight, Target: keep}, Order{Verb: Rally, Target: u})
	f.orders[0] = append(f.orders[0], 0xFF, 1, 2)
	f.orders[1] = append(make([]byte, OrderSize), (&Order{Verb: Resign}).Append(nil)...) // after bytes that are not an order
	f.run(1)
	twin.run(1)
	a, _ := f.stepper.Hash()
	if b, _ := twin.stepper.Hash(); a != b {
		t.Error("the states differ")
	}
}
