package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// migration is a match in which large groups of units are sent across the map.
type migration struct {
	*field
	units, each int
}

// migrate puts groups of that many units on a map, each around its own place, and sends each to another place, all
// drawn from the seed. All groups belong to one side, so that no unit falls, and have its buildings in their way.
func migrate(t *testing.T, seed uint64, size, groups, each int) *migration {
	m := &migration{field: play(t, Setup{Seed: seed, Size: size, Players: 2, Endless: true}, 0), each: each}
	r := rng.New(seed + 77)
	free := func() Point {
		for {
			p := Point{int16(r.Next() % uint64(size)), int16(r.Next() % uint64(size))}
			if m.world().open(int(p.X), int(p.Y)) {
				return p
			}
		}
	}
	m.change(func(w *World) {
		s := &step{World: w}
		check(t, w.Buildings.Kill(firstOf(m.field, 1))) // otherwise units that rest near it attack it
		for i := range size / 2 {
			p := free()
			if place := (Place{X: p.X, Y: p.Y, Structure: [...]Structure{Wall, Barracks}[i%2]}); s.free(place) {
				s.found(place, 0)
			}
		}
		taken := make(map[Point]bool)
		for g := range groups {
			at := free()
			for n, spot := 0, 0; n < each && spot < 40*each; spot++ {
				p := spiral(at, spot)
				if !w.open(int(p.X), int(p.Y)) || taken[p] {
					continue
				}
				taken[p] = true
				u := s.raise(0, Kind(1+n%Kinds), p.Vec())
				who, _ := w.Units.Who.Get(u)
				who.Groups = 1 << g
				w.Units.Who.Set(u, who)
				n++
			}
		}
	})
	m.units = m.world().Units.Len()
	for g := range groups {
		to := free()
		m.order(0, Order{Verb: Move, Group: uint8(g), At: SpotOf(to.Vec())})
		m.run(1) // one order each, as a tick has room for five
	}
	return m
}

// count returns how many units still walk, and how many have given up.
func (m *migration) count() (walk, elsewhere int) {
	w := m.world()
	for e := range w.Units.All() {
		task, _ := w.Units.Task.Get(e)
		if task.Verb != 0 {
			walk++
		} else if !task.Rests() {
			elsewhere++
		}
	}
	return walk, elsewhere
}

// far returns how many units are clearly farther from their goal than a crowd reaches: others have pushed them away.
func (m *migration) far() (n int) {
	w := m.world()
	most := 3*(&Task{Near: crowd(m.each)}).radius() + 4*fixed.One
	for e := range w.Units.All() {
		if task, _ := w.Units.Task.Get(e); !within(m.pos(e).Sub(task.Goal.Vec()), most) {
			n++
		}
	}
	return n
}

// Rule: however large a crowd is, each unit comes to rest at its goal, or in the crowd around it: no unit walks
// forever, and none gives up. The time limit is three times what a catapult, the slowest unit, needs for the way along
// two sides of the map.
func TestNobodyIsStuck(t *testing.T) {
	matches := []struct {
		seed               uint64
		size, groups, each int
	}{{0, 256, 10, 1000}, {1, 256, 2, 5000}, {32, 128, 5, 1000}, {37, 128, 5, 1000}}
	if testing.Short() {
		matches = matches[:1]
		matches[0].size, matches[0].groups, matches[0].each = 64, 3, 100
	}
	for _, c := range matches {
		m := migrate(t, c.seed, c.size, c.groups, c.each)
		most := int(fixed.FromInt(3 * 2 * int64(c.size)).Div(Catapult.Of().Speed).Int())
		const look = 10 * TicksPerSecond
		walk, elsewhere := m.count()
		for ticks := 0; walk > 0 && ticks < most; ticks += look {
			m.run(look)
			walk, elsewhere = m.count()
		}
		far := m.far()
		t.Logf("seed %d: after %d s, of %d units %d walk, %d have given up, %d are far from their goals",
			c.seed, m.world().Match.Get().Frame/TicksPerSecond, m.units, walk, elsewhere, far)
		if walk > 0 || elsewhere > 0 || far > m.units/20 || m.units < c.groups*c.each*9/10 {
			t.Errorf("seed %d: of %d units %d walk, %d have given up, and %d are far from their goals", c.seed, m.units, walk, elsewhere, far)
		}
		if err := m.world().checkCrowds(); err != nil {
			t.Error(err)
		}
	}
}
