// Package plugged is a game for the verdict: proved but for.
package plugged

import "github.com/tickback/tickback/rollback"

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

// Rules are given by another program.
type Rules interface{ Apply(n int32) int32 }

// New makes a game of rules.
//
//corpus:case
func New(r Rules) rollback.Game[state, input] {
	return rollback.Game[state, input]{Step: func(s *state, t *tick) {
		s.n = r.Apply(s.n) // want unproved
	}}
}
