// Package tested has a game whose test imports more than the game does.
package tested

import "github.com/tickback/tickback/rollback"

type state struct{ N int32 }

var game = rollback.Game[state, uint8]{Step: step}

func step(s *state, t *rollback.Tick[uint8]) { s.N += int32(t.Input(0)) }
