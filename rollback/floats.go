package rollback

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/tickback/tickback/portable/strict"
)

// Floats says how a game ensures that its floats are the same on other machines.
type Floats uint8

// Strict allows floats that are the same on every machine, in a program built for that with "tickback build --strict"
// (docs/floats.md). Any other program refuses the game, with an error that wraps [strict.ErrNot] and names the command.
// All machines of a match need programs built in the same way; their processors and systems do not matter.
const Strict Floats = 1

// admit returns an error if this program cannot provide these floats.
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

// FloatsOf returns the Floats field of a game.
func FloatsOf[S any, I comparable](game Definition[S, I]) Floats { return game.floats() }

func (g Game[S, I]) floats() Floats         { return g.Floats }
func (g OwnMemory[S, V, I]) floats() Floats { return g.Floats }

// PlatformOf names what the results of a game's floats depend on. Machines compare it, and recordings contain it. It is
// empty for a game without floats. For a game with [Strict] floats it is this program's proof that they are the same
// everywhere (see package strict), whatever machine it runs on.
func PlatformOf[S any, I comparable](game Definition[S, I]) string {
	if FloatsOf(game) == Strict {
		proof, _ := strict.Proof() // the engine refuses the game without it
		return proof
	}
	g, ok := game.(Game[S, I])
	if !ok || !g.AllowFloats {
		return ""
	}
	level := ""
	//detlint:ignore machine it tells the machines of a match whether their floats are the same, and no step sees it
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" || s.Key == "GOARM64" || s.Key == "GOPPC64" || s.Key == "GORISCV64" {
				level = "/" + s.Value
			}
		}
	}
	//detlint:ignore machine as above
	return fmt.Sprintf("%s%s %s", runtime.GOARCH, level, runtime.Version())
}
