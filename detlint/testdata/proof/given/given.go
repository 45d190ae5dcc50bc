// Package given is a game for the verdict: proved but for.
package given

import "github.com/tickback/tickback/rollback"

type state struct{ n int32 }

type input struct{}

type tick = rollback.Tick[input]

// New makes a game of a step that another program gives.
func New(step func(s *state, t *tick)) rollback.Game[state, input] {
	return rollback.Game[state, input]{Step: step} // want unproved
}
