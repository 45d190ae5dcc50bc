package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// lake puts water in the middle of the map of open, three cells wide.
func (f *field) lake(from, to int) {
	f.change(func(w *World) {
		for y := from; y < to; y++ {
			for x := 30; x < 33; x++ {
				w.Ground.Set(x, y, Water)
				w.Costs.Set(x, y, Water.Cost())
			}
		}
	})
}

// Rule: a unit that marches past an enemy beyond water goes on, and does not stop at the shore.
func TestAnEnemyBeyondWater(t *testing.T) {
	f := open(t)
	f.lake(12, 48)
	f.unit(1, Spearman, half(34), half(30))
	u := f.unit(0, Spearman, half(28), half(14))
	f.group(0)
	f.order(0, Order{Verb: March, At: at(28, 44)})
	f.run(1)
	f.until(900, "it is at its goal", func() bool { return f.world().Idle(0) == 1 })
	if d := f.pos(u).Distance(at(28, 44).Vec()); d > 2*fixed.One {
		t.Errorf("it has stopped %v from its goal, at %v", d, f.pos(u))
	}
	if aim, _ := f.world().Units.Aim.Get(u); aim.Target != 0 {
		t.Errorf("it still wants to attack what it cannot reach: %+v", aim)
	}
}

// Rule: an idle unit attacks enemies that it sees and can reach, and none beyond water; archers shoot over water.
func TestWhoIsAttackedOverWater(t *testing.T) {
	for name, c := range map[string]struct {
		kind  Kind
		water bool
		fell  bool
	}{
		"a spearman on land":  {Spearman, false, true},
		"a spearman at water": {Spearman, true, false},
		"an archer at water":  {Archer, true, true},
	} {
		f := open(t)
		if c.water {
			f.lake(12, 48)
		}
		enemy := f.unit(1, Spearman, half(34), half(30))
		f.change(func(w *World) { w.Units.Health.Set(enemy, fixed.One) })
		u := f.unit(0, c.kind, half(28), half(30))
		from := f.pos(u)
		f.run(200)
		if fell := !f.world().Units.Alive(enemy); fell != c.fell {
			t.Errorf("%s: the enemy has fallen: %v", name, fell)
		}
		if !c.fell && f.pos(u).Distance(from) > fixed.Half {
			t.Errorf("%s: it has left its place for %v", name, f.pos(u))
		}
	}
}

// Rule: a unit that is ordered to attack an enemy beyond water goes around the water.
func TestAnOrderToAttackBeyondWater(t *testing.T) {
	f := open(t)
	f.lake(20, 40)
	enemy := f.unit(1, Spearman, half(34), half(30))
	f.unit(0, Knight, half(28), half(30))
	f.group(0)
	f.order(0, Order{Verb: Strike, Target: enemy, At: at(34, 30)})
	f.run(1)
	f.until(1200, "the enemy has fallen", func() bool { return !f.world().Units.Alive(enemy) })
}

// Rule: a keep can be attacked from all sides, and from its corners.
func TestAKeepIsAttackedFromItsCorners(t *testing.T) {
	for i := range int64(96) { // on a circle
		from := fixed.Vec2{X: fixed.FromInt(6)}.Rotate(fixed.TwoPi.Mul(fixed.FromRatio(i, 96))).Add(fixed.Vec2{X: fixed.FromInt(50), Y: fixed.FromInt(50)})
		f := open(t)
		var keep world.Entity
		for e := range f.world().Buildings.All() {
			if place, _ := f.world().Buildings.Place.Get(e); place.Side == 1 {
				keep = e
			}
		}
		health := func() fixed.Num {
			h, _ := f.world().Buildings.Health.Get(keep)
			return h
		}
		before := health()
		f.unit(0, Spearman, from.X, from.Y)
		f.run(300)
		if now := health(); now >= before {
			t.Errorf("from %v: the keep has %v, as before", from, now)
		}
	}
}
