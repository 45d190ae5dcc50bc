package skirmish

import (
	"github.com/tickback/tickback/rng"
)

// firstGold is the gold with which each side begins.
const firstGold = 300

// Begin returns a function that makes the first state of a match. If the setup has no number of
// players, the first tick makes the map, for the number of players in the match. The error is that of
// [Setup.Check].
func Begin(setup Setup) (func(w *World), error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	return func(w *World) {
		w.Match.Set(Match{Rng: rng.New(setup.Seed), Seed: setup.Seed, Size: uint16(setup.Size), Units: uint16(setup.Units)})
		w.Match.Write().Winner = setup.unended()
		w.Paths.Write().Meter.PerTick = pathWork
		if setup.Players > 0 {
			w.settle(setup.Players)
		}
	}, nil
}

// settle makes the map, and puts all sides on it.
func (w *World) settle(players int) {
	m := w.Match.Write()
	m.Players = uint8(players)
	setup := Setup{Seed: m.Seed, Size: int(m.Size), Players: players, Units: min(int(m.Units), MaxAll/players)}
	plan := w.memo.plan(setup)
	w.Ground.Resize(plan.Size, plan.Size)
	w.Costs.Resize(plan.Size, plan.Size)
	for y := range plan.Size {
		for x := range plan.Size {
			w.Ground.Set(x, y, plan.At(x, y))
			w.Costs.Set(x, y, plan.At(x, y).Cost())
		}
	}
	s := &step{World: w}
	for p, at := range plan.Starts {
		w.Sides.Write()[p].Gold = firstGold
		s.found(Place{X: at.X - 2, Y: at.Y - 2, Side: uint8(p), Structure: Keep}, 0)
	}
	for _, at := range plan.Mines {
		s.found(Place{X: at.X, Y: at.Y, Side: Nobody, Structure: Mine}, 0)
	}
	for p, at := range plan.Starts {
		s.placeArmy(uint8(p), at, setup.Units)
	}
}

// plan returns the map of a setup. A rollback to the first tick does not make it again.
func (m *memo) plan(setup Setup) *Map {
	if m.planned != setup {
		made, err := NewMap(setup)
		if err != nil {
			panic(err) // a setup was checked before it was stored in a state
		}
		m.planned, m.made = setup, made
	}
	return m.made
}

// placeArmy puts the first units of a side around its keep: half of them spearmen, a quarter archers,
// the others knights, and a catapult for every twenty.
func (s *step) placeArmy(side uint8, at Point, units int) {
	for n, spot := 0, 0; n < units && spot < 8*MaxUnits; spot++ {
		p := spiral(at, spot)
		if !s.open(int(p.X), int(p.Y)) {
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
