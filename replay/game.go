package replay

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Game is a game whose recordings can be simulated on this build, whatever its types.
// [Of] makes one. It is safe for concurrent use.
type Game interface {
	// ID is what recordings call it.
	ID() string
	// Build is the name of this build of it.
	Build() string
	// Platform is what its floats depend on in this program ([rollback.PlatformOf]).
	Platform() string
	// InputSize is how many bytes the input of one player has.
	InputSize() int
	// Marshals reports whether its states can be encoded, and Several whether it can be
	// simulated more than once at the same time.
	Marshals() bool
	Several() bool
	// Sim returns a simulation of the match that a header describes. It refuses those of
	// other games and shapes ([*GameError]), and what the game itself refuses. Its state is
	// that of Init or Load, one of which must come first.
	Sim(h *tbr.Header) (Sim, error)
}

// Start returns what makes state 0 of the match that a header describes, or why there
// is no such match. Nil is what the game's Init makes.
type Start[S any] func(h *tbr.Header) (func(s *S), error)

// Of returns the game of this ID and build as the tools of this package know it. Start
// may be nil: then state 0 is the same for all matches. An error is that of the type of
// inputs, or of states, that no game has.
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

// typed is a game with its types.
type typed[S any, I comparable] struct {
	id, build string
	game      rollback.Definition[S, I]
	start     Start[S]
	can       rollback.Capabilities[S]
	inputs    *canon.Plan[I]
	state     *canon.Plan[S] // nil for a game with its own memory
}

func (g *typed[S, I]) ID() string { return g.id }

func (g *typed[S, I]) Build() string { return g.build }

func (g *typed[S, I]) Platform() string { return rollback.PlatformOf(g.game) }

func (g *typed[S, I]) InputSize() int { return g.inputs.Size() }

func (g *typed[S, I]) Marshals() bool { return g.can.Marshal }

func (g *typed[S, I]) Several() bool { return g.can.New }

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

// GameError is a recording of another game, or one whose inputs have another size.
type GameError struct {
	Game, Want string // of the recording, and of the simulation
	Shape      agreed.Shape
	InputSize  int // that the game has
}

// Error names both.
func (e *GameError) Error() string {
	if e.Game != e.Want {
		return fmt.Sprintf("replay: the recording is of the game %q, not of %q", e.Game, e.Want)
	}
	return fmt.Sprintf("replay: the recording has inputs of %d bytes, and %q in this build of %d", e.Shape.InputSize, e.Want, e.InputSize)
}
