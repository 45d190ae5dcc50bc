// Package foreign is a game for the verdict: findings.
package foreign

import (
	_ "unsafe"

	"github.com/tickback/tickback/rollback"
)

type state struct{ n int64 }

type input struct{}

type tick = rollback.Tick[input]

var game = rollback.Game[state, input]{Step: func(s *state, t *tick) {
	s.n = add(s.n, 1)  // want foreign
	s.n += linked(s.n) // want foreign
}}

func add(a, b int64) int64

//go:linkname linked example.com/elsewhere.linked
func linked(a int64) int64
