// Package mixed has a game whose floats are strict, and others of the same types, or with the same code, whose floats are not.
package mixed

import "github.com/tickback/tickback/rollback"

type state struct{ x, y, z float64 }

type other struct{ x, y, z float64 }

func onlyStrict(s *state, t *rollback.Tick[byte]) { s.x = s.x*s.y + s.z }

func plainToo(s *state, t *rollback.Tick[byte]) { s.x = s.x*s.y - s.z } // want fusedfloat

func shared(x, y, z float64) float64 { return x*y + z } // want fusedfloat

var _ = rollback.Game[state, byte]{Step: onlyStrict, Floats: rollback.Strict}

var _ = rollback.Game[state, byte]{Step: plainToo, Floats: rollback.Strict}

var _ = rollback.Game[state, byte]{Step: plainToo, AllowFloats: true}

var _ = rollback.Game[other, byte]{Step: func(s *other, t *rollback.Tick[byte]) { s.x = shared(s.x, s.y, s.z) }, Floats: rollback.Strict}

//tickback:deterministic
func marked(s *other) { s.x = shared(s.x, s.y, s.z) }

type twice struct{ x, y, z float64 }

// Both a game and a copy of it are played, and only the copy is strict.
func copies() (a, b rollback.Game[twice, byte]) {
	a = rollback.Game[twice, byte]{Step: func(s *twice, t *rollback.Tick[byte]) { s.x = s.x*s.y + s.z }} // want fusedfloat
	b = a
	b.Floats = rollback.Strict
	return a, b
}
