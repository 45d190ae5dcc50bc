package replay

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Game is a game whose recordings can be simulated on this build, independent of its types. [Of] makes one. It is safe
// for concurrent use.
type Game interface {
	// ID returns the name of the game in recordings.
	ID() string
	// Build returns the name of this build of the game.
	Build() string
	// Platform returns what the game's floats depend on in this program ([rollback.PlatformOf]).
	Platform() string
	// InputSize returns the size of a player's input in bytes.
	InputSize() int
	// Marshals reports whether the game's states can be encoded, and Several whether several simulations of it can run at
	// the same time.
	Marshals() bool
	Several() bool
	// Sim returns a simulation of the match that a header describes. It refuses matches of other games and shapes
	// ([*GameError]), and those that the game itself refuses. Init or Load must be called first to set the state.
	Sim(h *tbr.Header) (Sim, error)
}

// Start returns a function that makes state 0 of the match that a header describes, or the reason why there is no such
// match. Nil means the game's Init.
type Start[S any] func(h *tbr.Header) (func(s *S), error)

// Of returns the game with this ID and build for the tools of this package. Start may be nil: then state 0 is the same
// for all matches. The error says that the type of inputs or of states is not valid for a game.
func Of[S any, I comparable](id, build string, game rollback.Definition[S, I], start Start[S]) (Game, error) {
	inputs, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	g := &typed[S, I]{id: id, build: build, game: game, start: start, can: rollback.CapabilitiesOf(game), inputs: inputs}
	if plain, ok := game.(rollback.Game[S, I]); ok {
		var options []canon.Option
		if plain.AllowFloats || plain.Floats == rollback.Strict {
			options = append(options, canon.AllowFloats)
		}
		if g.state, err = canon.PlanFor[S](options...); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// typed is a [Game] with the types of its states and inputs.
type typed[S any, I comparable] struct {
	id, build string
	game      rollback.Definition[S, I]
	start     Start[S]
	can       rollback.Capabilities[S]
	inputs    *canon.Plan[I]
	state     *canon.Plan[S] // nil for a game with its own memory
}

// ID implements [Game].
func (g *typed[S, I]) ID() string { return g.id }

// Build implements [Game].
func (g *typed[S, I]) Build() string { return g.build }

// Platform implements [Game].
func (g *typed[S, I]) Platform() string { return rollback.PlatformOf(g.game) }

// InputSize implements [Game].
func (g *typed[S, I]) InputSize() int { return g.inputs.Size() }

// Marshals implements [Game].
func (g *typed[S, I]) Marshals() bool { return g.can.Marshal }

// Several implements [Game].
func (g *typed[S, I]) Several() bool { return g.can.New }

// Sim implements [Game].
func (g *typed[S, I]) Sim(h *tbr.Header) (Sim, error) {
	if h.Game != g.id || h.Shape.InputSize != g.inputs.Size() {
		return nil, &GameError{Game: h.Game, Want: g.id, Shape: h.Shape, InputSize: g.inputs.Size()}
	}
	s := &sim[S, I]{game: g, players: h.Shape.Players, size: h.Shape.InputSize}
	if g.start != nil {
		var err error
		if s.init, err = g.start(h); err != nil {
			return nil, err
		}
	}
	var err error
	s.stepper, err = rollback.NewStepper(g.game, h.Shape.Players, h.Shape.MaxOrders)
	s.inputs = make([]I, batch*h.Shape.Players)
	return s, err
}

// GameError means that a recording is of another game, or that its inputs have another size.
type GameError struct {
	Game, Want string // of the recording, and of the simulation
	Shape      agreed.Shape
	InputSize  int // of the game
}

// Error names both games or both sizes.
func (e *GameError) Error() string {
	if e.Game != e.Want {
		return fmt.Sprintf("replay: the recording is of the game %q, not of %q", e.Game, e.Want)
	}
	return fmt.Sprintf("replay: the recording has inputs of %d bytes, and %q in this build of %d", e.Shape.InputSize, e.Want, e.InputSize)
}
