package skirmish

import (
	"github.com/tickback/tickback/rng"
)

// firstGold is what each side begins with.
const firstGold = 300

// Begin returns what makes the first state of a match. The error is that of [Setup.Check].
func Begin(setup Setup) (func(w *World), error) {
	m, err := NewMap(setup)
	if err != nil {
		return nil, err
	}
	return func(w *World) { w.begin(setup, m) }, nil
}

// begin makes the first state, in a world that is empty.
func (w *World) begin(setup Setup, m *Map) {
	w.Match.Set(Match{Rng: rng.New(setup.Seed), Players: uint8(setup.Players)})
	w.Ground.Resize(m.Size, m.Size)
	w.Costs.Resize(m.Size, m.Size)
	for y := range m.Size {
		for x := range m.Size {
			w.Ground.Set(x, y, m.At(x, y))
			w.Costs.Set(x, y, m.At(x, y).Cost())
		}
	}
	w.Paths.Write().Meter.PerTick = pathWork
	s := &step{World: w}
	for p, at := range m.Starts {
		w.Sides.Write()[p].Gold = firstGold
		s.found(Place{X: at.X - 2, Y: at.Y - 2, Side: uint8(p), Structure: Keep}, 0)
	}
	for _, at := range m.Mines {
		s.found(Place{X: at.X, Y: at.Y, Side: Nobody, Structure: Mine}, 0)
	}
	for p, at := range m.Starts {
		s.muster(uint8(p), at, setup.Units)
	}
}

// muster puts the first units of a side around its keep: half of them spearmen, a quarter archers,
// the others knights, and a catapult for every twenty.
func (s *step) muster(side uint8, at Point, units int) {
	for n, spot := 0, 0; n < units && spot < 4*MaxUnits; spot++ {
		p := spiral(at, spot)
		if p.X < 1 || p.Y < 1 || !s.open(int(p.X), int(p.Y)) {
			continue
		}
		kind := [...]Kind{Spearman, Archer, Spearman, Knight}[n%4]
		if n%20 == 19 {
			kind = Catapult
		}
		s.raise(side, kind, p.Vec())
		n++
	}
}

// spiral returns the cells around a point, ring by ring.
func spiral(at Point, n int) Point {
	for ring := int16(3); ; ring++ {
		if n >= 8*int(ring) {
			n -= 8 * int(ring)
			continue
		}
		along := int16(n % (2 * int(ring)))
		switch n / (2 * int(ring)) {
		case 0:
			return Point{at.X - ring + along, at.Y - ring}
		case 1:
			return Point{at.X + ring, at.Y - ring + along}
		case 2:
			return Point{at.X + ring - along, at.Y + ring}
		default:
			return Point{at.X - ring, at.Y + ring - along}
		}
	}
}
