package rollback

import (
	"fmt"

	"github.com/tickback/tickback/portable/strict"
)

// Floats says how the floats of a game are the same on other machines.
type Floats uint8

// Strict admits floats that are the same on every machine, in a program that was built for that, by "tickback build
// --strict" (docs/floats.md). In any other one the game is refused, with an error that wraps [strict.ErrNot] and names the
// command. All machines of a match need programs that were built alike; their processors and systems do not matter.
const Strict Floats = 1

// admit refuses floats that this program does not have.
func (f Floats) admit() error {
	switch f {
	case 0:
		return nil
	case Strict:
		if _, err := strict.Proof(); err != nil {
			return fmt.Errorf("rollback: the game has Floats: Strict, but %w", err)
		}
		return nil
	}
	return fmt.Errorf("rollback: the game has Floats: %d, which there is not", f)
}

// FloatsOf returns how the floats of a game are the same on other machines.
func FloatsOf[S any, I comparable](game Definition[S, I]) Floats { return game.floats() }

func (g Game[S, I]) floats() Floats         { return g.Floats }
func (g OwnMemory[S, V, I]) floats() Floats { return g.Floats }
