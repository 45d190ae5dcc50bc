package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// Rule: a unit that is pushed to and fro passes through the others after two to six seconds, and one that makes
// progress in four of five decisions never does. Passing ends after four seconds with progress, and a unit that makes
// no progress even then gives up within three seconds.
func TestProgress(t *testing.T) {
	const second = TicksPerSecond / steerEvery
	run := func(t *Task, most int, came func(i int) bool, until func() bool) (decisions int) {
		for decisions < most && !until() {
			t.progress(came(decisions))
			decisions++
		}
		return decisions
	}
	never, always, toAndFro := func(int) bool { return false }, func(int) bool { return true }, func(i int) bool { return i%2 > 0 }
	for name, came := range map[string]func(int) bool{"stuck": never, "pushed to and fro": toAndFro} {
		u := Task{Verb: Move}
		if n := run(&u, 1000, came, u.passes); n < 2*second-1 || n > 6*second {
			t.Errorf("%s: it passes after %d decisions", name, n)
		}
		again := u
		if n := run(&u, 1000, always, func() bool { return !u.passes() }); n < 4*second || n > 5*second || u.Stuck != 0 {
			t.Errorf("%s: it passes for %d decisions, and then has a count of %d", name, n, u.Stuck)
		}
		if n := run(&again, 1000, never, func() bool { return again.Stuck == givesUp }); n < second || n > 3*second {
			t.Errorf("%s: it gives up after %d decisions", name, n)
		}
	}
	u := Task{Verb: March}
	if run(&u, 1000, func(i int) bool { return i%5 > 0 }, u.passes); u.passes() {
		t.Error("one that comes forward passes")
	}
	u = Task{Goal: Spot{64, 64}, Stuck: givesUp}
	if u.passes() || !u.Rests() {
		t.Error("one that rests passes")
	}
	if u = (Task{Verb: March, Goal: Spot{64, 64}}); u.Rests() || (&Task{}).Rests() {
		t.Error("one that walks, or has no goal, rests")
	}
}

// gate is open ground with a wall across it from north to south, which has a gap of one cell.
func gate(t *testing.T) *field {
	f := open(t)
	f.change(func(w *World) {
		for y := range 64 {
			if y != 24 {
				w.Costs.Set(30, y, Rock.Cost())
			}
		}
	})
	return f
}

// Rule: two streams of one side that meet in a gap of one cell pass through each other. Only walking units do, and in
// the end no unit stands in another one.
func TestStreamsPassInAGap(t *testing.T) {
	f := gate(t)
	var units []world.Entity
	for i := range int64(30) {
		units = append(units, f.unit(0, Spearman, half(20+i/6), half(21+i%6)), f.unit(0, Knight, half(36+i/6), half(21+i%6)))
	}
	f.order(0, Order{Verb: Select, Group: 1, At: at(0, 0), To: at(29, 63)}, Order{Verb: Select, Group: 2, At: at(31, 0), To: at(63, 63)},
		Order{Verb: Move, Group: 1, At: at(42, 24)}, Order{Verb: Move, Group: 2, At: at(18, 24)})
	f.run(1)
	passed := false
	f.until(60*TicksPerSecond, "all rest", func() bool {
		rest := 0
		for _, u := range units {
			task, _ := f.world().Units.Task.Get(u)
			passed = passed || task.passes()
			if task.Rests() {
				rest++
				if task.Stuck != 0 {
					t.Fatalf("one that rests has %d", task.Stuck)
				}
			}
		}
		return rest == len(units)
	})
	if !passed {
		t.Error("nobody has passed through the others: that is no test of it")
	}
	f.run(10 * TicksPerSecond) // units that came to rest inside others are pushed out
	for i, u := range units {
		if i%2 == 0 != (f.pos(u).X > fixed.FromInt(31)) {
			t.Errorf("unit %d rests at %v, on the wrong side", i, f.pos(u))
		}
	}
	if n := f.overlapping(); n > 0 {
		t.Errorf("%d stand in each other", n)
	}
}

// overlapping counts the pairs of units whose distance is less than half of the sum of their radii.
func (f *field) overlapping() (pairs int) {
	for u := range f.world().Units.All() {
		for v := range f.world().Units.All() {
			a, r, _ := f.world().target(u)
			b, s, _ := f.world().target(v)
			if u < v && within(a.Sub(b), (r+s)/2) {
				pairs++
			}
		}
	}
	return pairs
}

// Rule: units of other sides, and units that rest at the goal, also block a unit that passes.
func TestWhoIsInTheWay(t *testing.T) {
	f := open(t)
	goal := at(30, 30)
	f.unit(0, Knight, half(30), half(30))
	f.change(func(w *World) { w.Units.Task.Set(w.Units.At(0), Task{Goal: goal}) })
	f.unit(1, Knight, half(40), half(30))
	f.unit(0, Knight, half(50), half(30))
	f.run(1)
	f.change(func(w *World) {
		n := &w.memo.crowd
		push := func(x int64, goal, through uint32) pressure {
			return n.push(&body{fixed.Vec2{X: half(x) + fixed.Half, Y: half(30)}, fixed.Vec2{X: -fixed.One}, Knight.Of().Radius, 99, goal, through})
		}
		for name, c := range map[string]struct {
			got             pressure
			pushed, resting bool
		}{
			"an own one":                       {push(50, nowhere, nobody), true, false},
			"an own one, passing":              {push(50, resting(goal), 0), false, false},
			"another one, passing":             {push(40, resting(goal), 0), true, false},
			"one that rests there, passing":    {push(30, resting(goal), 0), true, true},
			"one that rests there":             {push(30, resting(goal), nobody), true, true},
			"one that rests elsewhere":         {push(30, resting(at(31, 30)), nobody), true, false},
			"one that rests elsewhere, passed": {push(30, resting(at(31, 30)), 0), false, false},
		} {
			if (c.got.x > 0) != c.pushed || c.got.ahead != c.pushed || c.got.there != c.resting || c.got.y != 0 {
				t.Errorf("%s: %+v", name, c.got)
			}
		}
	})
}

// Rule: a unit does not pass through others if that could make a pile that no state may have.
func TestPilesEnd(t *testing.T) {
	f := open(t)
	for range passable {
		f.unit(0, Archer, half(30), half(30))
	}
	pushed := func() bool {
		f.change(func(w *World) { (&step{World: w}).crowd() })
		p := f.world().memo.crowd.push(&body{fixed.Vec2{X: half(30) + fixed.One/8, Y: half(30)}, fixed.Vec2{}, Archer.Of().Radius, 9999, nowhere, 0})
		return p.x != 0
	}
	f.run(1)
	f.change(func(w *World) {
		for e := range w.Units.All() {
			w.Units.Pos.Set(e, fixed.Vec2{X: half(30), Y: half(30)})
		}
	})
	if pushed() {
		t.Errorf("%d push it", passable)
	}
	if f.unit(0, Archer, half(30), half(30)); !pushed() {
		t.Errorf("nobody pushes it, of %d", passable+1)
	}
	if 2*passable > mostInCell {
		t.Error("a state could be refused")
	}
}

// Rule: a group with an unreachable goal stops as near to it as possible.
func TestUnreachableGoals(t *testing.T) {
	f := open(t)
	f.change(func(w *World) {
		for y := range 64 {
			for x := 30; x < 40; x++ {
				w.Costs.Set(x, y, Water.Cost())
			}
		}
	})
	u, v := f.unit(0, Spearman, half(20), half(30)), f.unit(0, Spearman, half(20), half(32))
	f.group(0)
	f.order(0, Order{Verb: Move, At: at(44, 30)})
	f.run(1)
	f.until(20*TicksPerSecond, "both rest", func() bool { return f.world().Idle(0) == 2 })
	for _, u := range []world.Entity{u, v} {
		if task, _ := f.world().Units.Task.Get(u); !task.Rests() || f.pos(u).X < fixed.FromInt(28) {
			t.Errorf("%+v, at %v", task, f.pos(u))
		}
	}
}

// Rule: an order to attack follows a path, too.
func TestStrikingAround(t *testing.T) {
	f := open(t)
	f.change(func(w *World) {
		for y := 5; y < 60; y++ {
			for x := 20; x < 24; x++ {
				w.Costs.Set(x, y, Water.Cost())
			}
		}
	})
	wall := f.building(1, Wall, 44, 30)
	f.unit(0, Knight, half(14), half(30))
	f.group(0)
	f.order(0, Order{Verb: Strike, Target: wall})
	f.until(80*TicksPerSecond, "the wall falls", func() bool { return !f.world().Buildings.Alive(wall) })
}

// Rule: a unit that has rested, and has left for a fight, no longer counts as resting: others pass it.
func TestAFightEndsRest(t *testing.T) {
	f := open(t)
	u := f.unit(0, Spearman, half(20), half(30))
	f.change(func(w *World) { w.Units.Task.Set(u, Task{Goal: at(20, 30)}) })
	f.run(lookEvery)
	if task, _ := f.world().Units.Task.Get(u); !task.Rests() {
		t.Fatal("it rests no longer, and has seen nobody")
	}
	f.unit(1, Spearman, half(24), half(30))
	f.run(lookEvery)
	if task, _ := f.world().Units.Task.Get(u); task.Rests() {
		t.Error("it rests while it fights")
	}
}

// Rule: a crowd is at rest soon after it has arrived: units at its edge rest as soon as they touch resting units,
// instead of pushing for long.
func TestCrowdsPack(t *testing.T) {
	f := open(t)
	for i := range int64(200) {
		f.unit(0, Archer, half(20+i%20), half(20+i/20))
	}
	f.group(0)
	f.order(0, Order{Verb: Move, At: at(45, 24)})
	f.run(1)
	if ticks := f.until(60*TicksPerSecond, "all rest", func() bool { return f.world().Idle(0) == 200 }); ticks > 350 { // 290 of the way
		t.Errorf("that took %d ticks", ticks)
	}
}
