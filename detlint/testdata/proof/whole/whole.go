// Package whole is a game for the verdict: proved.
package whole

import (
	"hash"
	"hash/fnv"
	"slices"

	"github.com/tickback/tickback/rollback"
)

type state struct {
	n    int32
	list []int32
	hash uint32
}

type input struct{}

type tick = rollback.Tick[input]

type system interface{ run(s *state) }

type counts struct{}

func (counts) run(s *state) { s.n++ }

type sorts struct{}

func (sorts) run(s *state) { slices.Sort(s.list) }

// sum has a value of the library behind an interface of the library, and loops by a function that the library makes.
func sum(s *state, h hash.Hash32) {
	for _, x := range slices.Backward(s.list) {
		h.Write([]byte{byte(x)})
	}
	s.hash = h.Sum32()
}

func each(s *state, f func(s *state)) { f(s) }

var game = rollback.Game[state, input]{
	Step: func(s *state, t *tick) {
		for _, x := range []system{counts{}, sorts{}} {
			x.run(s)
		}
		each(s, func(s *state) { s.n-- })
		sum(s, fnv.New32a())
	},
}
