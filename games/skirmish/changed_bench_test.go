package skirmish

import (
	"testing"

	"github.com/tickback/tickback/world"
)

// Measures what an order for a squad changes in a fight of 10,000 units: the rows of units that differ, seven frames
// later, from a fight without the order. A resimulation would have to compute at least these.
func BenchmarkWhatAnOrderChanges10000(b *testing.B) {
	with, without := newFight(b, 1), newFight(b, 1)
	ordered, first, last, places := 0, 0, 0, 0
	for b.Loop() {
		with.again()
		without.again()
		if with.stepper.Frame()+lateBy > with.first+fightTicks {
			check(b, with.stepper.Load(with.first, with.state))
			check(b, without.stepper.Load(without.first, without.state))
		}
		x, y := int64(20+37*places%200), int64(20+61*places%200)
		with.order(0, Order{Verb: Select, Group: 9, At: at(x, y), To: at(x+14, y+14)}, Order{Verb: Move, Group: 9, At: at(x+20, y)})
		for frame := range lateBy {
			with.run(1)
			without.run(1)
			n := differing(with.world(), without.world())
			if frame == 0 {
				first += n
			}
			if frame == lateBy-1 {
				last += n
			}
		}
		for e := range with.world().Units.All() {
			if u, _ := with.world().Units.Who.Get(e); u.Side == 0 && u.Groups>>9&1 != 0 {
				ordered++
			}
		}
		places++
		state := world.Save(without.world())
		world.Restore(with.world(), state)
		state.Release()
	}
	b.ReportMetric(float64(ordered)/float64(places), "ordered")
	b.ReportMetric(float64(first)/float64(places), "differ-at-1")
	b.ReportMetric(float64(last)/float64(places), "differ-at-7")
}

// differing counts the rows of units that differ in any field, or exist in one world only.
func differing(a, b *World) (rows int) {
	for row := range 2 * fightUnits {
		e, f := a.Units.At(row), b.Units.At(row)
		if e != f || e != 0 && !sameUnit(a, b, e) {
			rows++
		}
	}
	return rows
}

func sameUnit(a, b *World, e world.Entity) bool {
	return same(&a.Units.Pos, &b.Units.Pos, e) && same(&a.Units.Vel, &b.Units.Vel, e) && same(&a.Units.Health, &b.Units.Health, e) &&
		same(&a.Units.Who, &b.Units.Who, e) && same(&a.Units.Task, &b.Units.Task, e) && same(&a.Units.Aim, &b.Units.Aim, e)
}

func same[T comparable](a, b *world.Column[T], e world.Entity) bool {
	x, _ := a.Get(e)
	y, _ := b.Get(e)
	return x == y
}
