// Command spread adds a part to a game of another package, which only the whole program shows.
package main

import (
	"time"

	"github.com/tickback/tickback/detlint/testdata/spread/moves"
)

type timed struct{}

func (timed) Move(s *moves.State) { s.N = time.Now().Unix() } // want clock

func main() {
	moves.Movers = append(moves.Movers, timed{})
	moves.Step(&moves.State{})
}
