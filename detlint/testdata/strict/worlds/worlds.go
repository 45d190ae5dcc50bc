// Package worlds has worlds whose floats are strict, and what belongs to a game beside its step: how a match starts, and stored
// states.
package worlds

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

type units struct {
	world.Table
	Speed world.Column[float64]
}

type arena struct{ Units units }

type field struct{ Units units }

func define() (rollback.OwnMemory[arena, *world.Snapshot, byte], error) {
	g, err := world.Game[arena, byte]{Step: func(w *arena, t *rollback.Tick[byte]) { w.Units.Speed.Set(w.Units.At(0), sum(w.Units.Len())) }}.Definition()
	g.Floats = tickback.Strict
	return g, err
}

func sum(n int) float64 { return float64(n)*0.1 + 0.2 }

func plainly() (rollback.OwnMemory[field, *world.Snapshot, byte], error) {
	return world.Game[field, byte]{Step: func(w *field, t *rollback.Tick[byte]) { w.Units.Speed.Set(w.Units.At(0), loose(w.Units.Len())) }}.Definition()
}

func loose(n int) float64 { return float64(n)*0.1 + 0.2 } // want fusedfloat

type state struct{ x, y float64 }

type slot struct{ x, y float64 }

func own() rollback.OwnMemory[state, slot, byte] {
	return rollback.OwnMemory[state, slot, byte]{
		Step:    func(s *state, t *rollback.Tick[byte]) {},
		Save:    func(s *state, to *slot) { *to = slot{s.x, s.y} },
		Restore: func(s *state, from *slot) { *s = state{from.x, from.y} },
		Floats:  rollback.Strict,
		Slots:   rollback.Slots[slot]{Hash: func(v *slot) uint64 { return uint64(len("x")) + uint64(int32(len("y"))) + hash(v.x*v.y+1) + hash(v.y) }},
	}
}

func hash(x float64) uint64 {
	if x > 1 {
		return 7
	}
	return 9
}

func options() tickback.Options[state, byte] {
	return tickback.Options[state, byte]{
		Start: func(tickback.Parameters) (func(*state), error) { return func(s *state) { s.x = 3*s.y + 0.1 }, nil },
	}
}

type loosely struct{ x, y float64 }

var _ = rollback.Game[loosely, byte]{Step: func(s *loosely, t *rollback.Tick[byte]) {}, AllowFloats: true}

func looseOptions() tickback.Options[loosely, byte] {
	return tickback.Options[loosely, byte]{
		Start: func(tickback.Parameters) (func(*loosely), error) { return func(s *loosely) { s.x = 3*s.y + 0.1 }, nil }, // want fusedfloat
	}
}
