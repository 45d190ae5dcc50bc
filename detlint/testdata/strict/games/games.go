// Package games has games that say what their floats are, in all the ways in which that is written.
package games

import (
	"math"
	"math/cmplx"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/detlint/testdata/strict/helper"
	"github.com/tickback/tickback/rollback"
)

type input byte

// Each game has a state of its own, so that it is known which floats are meant.
type (
	literal  struct{ x, y, z float64 }
	variable struct{ x, y, z float64 }
	assigned struct{ x, y, z float64 }
	copied   struct{ x, y, z float64 }
	made     struct{ x, y, z float64 }
	passed   struct{ x, y, z float64 }
	named    struct{ x, y, z float64 }
	own      struct{ x, y, z float64 }
	options  struct{ x, y, z float64 }
	inside   struct{ x, y, z float64 }
	later    struct{ x, y, z float64 }

	nothing struct{ x, y, z float64 }
	loose   struct{ x, y, z float64 }
	chosen  struct{ x, y, z float64 }
	zero    struct{ x, y, z float64 }
	taken   struct{ x, y, z float64 }
)

func stepLiteral(s *literal, t *rollback.Tick[input]) {
	s.x = s.x*s.y + s.z
	s.y = math.Sin(s.x)
	s.z = real(cmplx.Exp(complex(s.x, s.y) * complex(s.y, s.x)))
	f := math.Exp
	s.x = f(s.z)
	if math.Signbit(s.x) || math.Float64bits(s.y) == 0 {
		s.x = 0
	}
}

var _ = rollback.Game[literal, input]{Step: stepLiteral, Floats: rollback.Strict}

var game = rollback.Game[variable, input]{
	Step:   func(s *variable, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z },
	Floats: tickback.Strict,
}

func assign() rollback.Game[assigned, input] {
	g := rollback.Game[assigned, input]{Step: func(s *assigned, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }}
	g.Floats = tickback.Strict
	return g
}

func copyOf() rollback.Game[copied, input] {
	g := rollback.Game[copied, input]{Step: func(s *copied, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }}
	h := g
	h.Floats = tickback.Strict
	return h
}

var _ = helper.Make(func(s *made, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z })

func pass() rollback.Game[passed, input] {
	g := rollback.Game[passed, input]{Step: func(s *passed, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }}
	return helper.Strictly(g)
}

type mine rollback.Game[named, input]

var _ = mine{Step: func(s *named, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }, Floats: tickback.Strict}

var _ = rollback.OwnMemory[own, own, input]{
	Step:    func(s *own, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z },
	Save:    func(s, to *own) { *to = *s },
	Restore: func(s, from *own) { *s = *from },
	Hash:    func(s *own) uint64 { return math.Float64bits(s.x) ^ math.Float64bits(s.y)*3 ^ math.Float64bits(s.z)*5 },
	Floats:  tickback.Strict,
}

func pointer() *rollback.Game[options, input] {
	return &rollback.Game[options, input]{Step: func(s *options, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }, Floats: tickback.Strict}
}

type around struct{ game rollback.Game[inside, input] }

func (a *around) set() {
	a.game.Step = func(s *inside, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }
	a.game.Floats = tickback.Strict
}

var laterGame = rollback.Game[later, input]{Step: func(s *later, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }}

func init() { laterGame.Floats = tickback.Strict }

// What follows says nothing of its floats, or not for sure.

var _ = rollback.Game[nothing, input]{
	Step:        func(s *nothing, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }, // want fusedfloat
	AllowFloats: true,
}

var _ = helper.Loose(func(s *loose, t *rollback.Tick[input]) { s.x = math.Exp(s.y) }) // want mathfunc

func choose() rollback.Game[chosen, input] {
	g := rollback.Game[chosen, input]{Step: func(s *chosen, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }} // want fusedfloat
	if os.Getenv("PLAIN") == "" {
		g.Floats = tickback.Strict
	} else {
		g.Floats = 0
	}
	return g
}

var _ = rollback.Game[zero, input]{
	Step:   func(s *zero, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }, // want fusedfloat
	Floats: 0,
}

func take(f rollback.Floats) rollback.Game[taken, input] {
	return rollback.Game[taken, input]{Step: func(s *taken, t *rollback.Tick[input]) { s.x = s.x*s.y + s.z }, Floats: f} // want fusedfloat
}
