// Package trusting is a game for the verdict: proved.
package trusting

import "github.com/tickback/tickback/rollback"

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

// Rules are given by another program.
type Rules interface{ Adjust(n int32) int32 }

// New makes a game of rules.
func New(r Rules) rollback.Game[state, input] {
	return rollback.Game[state, input]{Step: func(s *state, t *tick) {
		s.n = r.Adjust(s.n) //detlint:ignore unproved rules are examined where they are written
	}}
}
