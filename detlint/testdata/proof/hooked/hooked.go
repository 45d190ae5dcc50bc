// Package hooked is a game for the verdict: proved but for.
package hooked

import "github.com/tickback/tickback/rollback"

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

// Hooks are given by another program.
type Hooks struct{ Hit func(n int32, by int8) int32 }

// New makes a game with hooks.
func New(h Hooks) rollback.Game[state, input] {
	return rollback.Game[state, input]{
		Init: func(s *state) { s.n = 3 },
		Step: func(s *state, t *tick) {
			hit(h, s)
		},
	}
}

func hit(h Hooks, s *state) {
	s.n = h.Hit(s.n, 1) // want unproved
}
