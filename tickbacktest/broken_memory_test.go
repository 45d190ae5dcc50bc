package tickbacktest

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
)

var withOrders = Options[pad]{MaxOrders: 8}

// Negative control: a snapshot shares a slice with the game.
func TestFindsSharedSlice(t *testing.T) {
	game := worlds()
	game.Save = func(w *world, v *worldSlot) { *v = worldSlot{w.Tick, w.Units, w.Score, w.Last} }
	game.Restore = func(w *world, v *worldSlot) { w.Tick, w.Units, w.Score, w.Last = v.tick, v.units, v.score, v.last }
	caught(t, game, withOrders, map[string][]string{
		"SyncTest": {"frame ", "shares memory", "Buttons:1"},
		"Purity":   {"Units[0].", "does not bring back what was saved", "Save stores a slice", "Buttons:1"},
	})
}

// Negative control: a snapshot lacks a field.
func TestFindsFieldForgottenInSave(t *testing.T) {
	game := worlds()
	game.Save = func(w *world, v *worldSlot) { w.save(v); v.score = [2]int32{} }
	game.Restore = func(w *world, v *worldSlot) { s := w.Score; w.restore(v); w.Score = s }
	game.Equal = nil
	caught(t, game, withOrders, map[string][]string{
		"SyncTest": {"Score[0]", "missing in Save or Restore"},
		"Purity":   {"Score[0]", "Save or Restore leaves a field out"},
	})
}

// Negative control: a field is neither saved nor hashed, but is in the description.
func TestFindsFieldForgottenInSaveAndHash(t *testing.T) {
	game := worlds()
	game.Restore = func(w *world, v *worldSlot) { s := w.Score; w.restore(v); w.Score = s }
	game.Equal = nil
	game.Hash = func(w *world) uint64 { c := *w; c.Score = [2]int32{}; return worlds().Hash(&c) }
	game.Marshal, game.Unmarshal = nil, nil
	caught(t, game, withOrders, map[string][]string{"Purity": {"Score[0]", "leaves a field out"}})
}

// Negative control: Hash omits a field that never changes alone.
func TestFindsFieldForgottenInHash(t *testing.T) {
	game := worlds()
	game.Hash = func(w *world) uint64 { c := *w; c.Score[1] = 0; return worlds().Hash(&c) }
	caught(t, game, withOrders, map[string][]string{"Purity": {"field Score[1] Hash does not see", "Score[1]", "changed"}})
}

// Negative control: an encoding lacks a field.
func TestFindsFieldForgottenInMarshal(t *testing.T) {
	game := worlds()
	game.Marshal = func(b []byte, w *world) ([]byte, error) { c := *w; c.Score[0] = 0; return c.encode(b), nil }
	caught(t, game, withOrders, map[string][]string{
		"Purity": {"Score[0]", "Unmarshal does not bring back", "Marshal or Unmarshal leaves a field out"},
	})
}

// Negative control: Unmarshal adds to the existing state.
func TestFindsUnmarshalThatAdds(t *testing.T) {
	game := worlds()
	game.Unmarshal = func(w *world, b []byte) error {
		score := w.Score
		err := w.decode(b)
		w.Score[0] += score[0] + w.Score[1]
		return err
	}
	caught(t, game, withOrders, map[string][]string{"Purity": {"Unmarshal does not bring back", "Score[0]", "Unmarshal adds"}})
}

// Negative control: a slot that was used before keeps its old content.
func TestFindsSaveThatAddsToTheSlot(t *testing.T) {
	game := worlds()
	game.Equal = nil
	game.Save = func(w *world, v *worldSlot) {
		units := v.units
		w.save(v)
		v.units = append(slices.Clone(units), w.Units...)
	}
	caught(t, game, withOrders, map[string][]string{
		"SyncTest": {"Units", "Buttons:1"},
		"Purity":   {"Units", "Save adds to what a slot held before", "Buttons:1"},
	})
}

// Negative control: Init leaves something from the previous match.
func TestFindsInitThatLeavesSomething(t *testing.T) {
	game := worlds()
	init := game.Init
	game.Init = func(w *world) { s := w.Score; init(w); w.Score[0] = s[0] }
	caught(t, game, withOrders, map[string][]string{
		"Purity": {"state 0", "Score[0]", "Init does not make the same state again", "from the match before"},
	})
	game.Save, game.Restore, game.Equal = nil, nil, nil
	caught(t, game, withOrders, map[string][]string{"Purity": {"Score[0]", "Init does not make the same state again"}})
}

// Negative control: the state keeps the memory of orders.
func TestFindsOrdersThatAreKept(t *testing.T) {
	type keeper struct{ Orders []byte }
	game := rollback.OwnMemory[keeper, keeper, pad]{
		Step: func(s *keeper, t *rollback.Tick[pad]) {
			if o := t.Orders(0); len(o) > 0 {
				s.Orders = o
			}
		},
		Save:     func(s, v *keeper) { v.Orders = append(v.Orders[:0], s.Orders...) },
		Restore:  func(s, v *keeper) { s.Orders = slices.Clone(v.Orders) },
		Describe: func(s *keeper) any { return slices.Clone(s.Orders) },
	}
	caught(t, game, withOrders, map[string][]string{"Purity": {"keeps the memory of orders", "[0]", "copy them", "orders 00"}})
}

// Negative control: all instances share a slice.
func TestFindsInstancesThatShareMemory(t *testing.T) {
	shared := make([]unit, 0, 100)
	game := worlds()
	game.Init = func(w *world) { *w = world{Units: shared} }
	game.Marshal, game.Unmarshal = nil, nil // which the engine tries, and which would end it
	caught(t, game, withOrders, map[string][]string{"Twins": {"Units", "all instances share", "Buttons:1"}})
}

// Negative control: a state can be walked at first, but not later.
func TestFindsStateThatCannotBeHashedLater(t *testing.T) {
	type slopes struct{ Met map[float64]int32 }
	game := rollback.OwnMemory[slopes, slopes, pad]{
		Init:    func(s *slopes) { s.Met = map[float64]int32{} },
		Step:    func(s *slopes, t *rollback.Tick[pad]) { s.Met[math.NaN()]++ },
		Save:    func(s, v *slopes) { v.Met = maps.Clone(s.Met) },
		Restore: func(s, v *slopes) { s.Met = maps.Clone(v.Met) },
		New:     func() *slopes { return new(slopes) },
	}
	says := map[string][]string{}
	for _, by := range []string{"SyncTest", "Twins", "Purity"} {
		says[by] = []string{"frame 1 ", "map keys of equal form"}
	}
	caught(t, game, Options[pad]{Frames: 8, Longest: 8}, says)
	game.Save, game.Restore = nil, nil
	caught(t, game, Options[pad]{Frames: 8, Longest: 8}, map[string][]string{"Purity": says["Purity"]})
}

// Negative control: Init counts the matches of the process.
func TestFindsInitThatIsNotRepeatable(t *testing.T) {
	matches := int64(0)
	game := stepped(func(s *counters, _ *rollback.Tick[pad]) { s.Value++ })
	game.Init = func(s *counters) { matches++; s.Other = matches }
	caught(t, game, Options[pad]{}, map[string][]string{
		"Twins":  {"begins differently in two instances", "state 0", "Other"},
		"Purity": {"Init does not make the same state again", "state 0", "Other"},
	})
}
