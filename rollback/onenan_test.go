package rollback

import (
	"math"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: state 0 of a game with strict floats has only one kind of NaN, also where states are copied aside.
func TestState0HasOneNaN(t *testing.T) {
	type state struct{ X float64 }
	plan, err := canon.PlanFor[state](canon.AllowFloats)
	if err != nil {
		t.Fatal(err)
	}
	odd := func(s *state) { s.X = math.Float64frombits(math.Float64bits(math.NaN()) ^ 1<<63 ^ 2) }
	game := Game[state, byte]{Init: odd, Floats: Strict}
	for what, m := range map[string]memory[state, byte]{
		"a ring": newPlain(game, plan, 2), "states aside": newAside(newPlain(game, plan, 2), false),
	} {
		for by, init := range map[string]func(*state){"Init": nil, "Start": odd} {
			if err := m.init(init); err != nil {
				t.Fatal(err)
			}
			check(t, what+" by "+by, math.Float64bits(m.state(0).X), math.Float64bits(math.NaN()))
		}
	}
}
