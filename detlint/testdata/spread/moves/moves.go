// Package moves is a game in which everything that may diverge is in other packages.
package moves

import (
	"github.com/tickback/tickback/detlint/testdata/spread/each"
	"github.com/tickback/tickback/detlint/testdata/spread/tick"
)

// State is the state of the game.
type State struct {
	N    int64
	F    float64
	Bag  each.Bag[int32]
	Last []int32
}

// Mover moves.
type Mover interface{ Move(s *State) }

// Movers are all of them: programs add their own.
var Movers []Mover

//tickback:deterministic
func Step(s *State) { // a step of many parts
	s.N = tick.Now()
	s.N += tick.Pause()
	s.N += int64(tick.Limit) // want globals
	each.Do(s.Last, func(n int32) { s.N += int64(n) })
	s.F = each.Scale(s.F, 2, 1)
	s.Last = each.Sorted(&s.Bag)
	for _, m := range Movers { // want globals
		m.Move(s)
	}
}

//tickback:deterministic
func Second(s *State) { s.Last = s.Bag.Keys() }
