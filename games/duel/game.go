package duel

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Game returns the duel for an engine, for two players. Seed 0 is an error ([rng.ErrZeroSeed]).
func Game(seed uint32) (rollback.Game[State, Input], error) {
	if _, err := rng.NewXorshift32(seed); err != nil {
		return rollback.Game[State, Input]{}, err
	}
	return rollback.Game[State, Input]{
		Init: func(s *State) { *s, _ = New(seed) },
		Step: stepTick,

		Effects: declarations(),
	}, nil
}

// stepTick is a named function, not a literal in Game: where Game is inlined, its literals are
// compiled again, with worse code.
func stepTick(s *State, t *rollback.Tick[Input]) {
	out := t.Effects()
	if out == nil {
		s.step(t.Input(0), t.Input(1))
		return
	}
	before := s.P
	s.step(t.Input(0), t.Input(1))
	emit(out, &before, &s.P)
}
