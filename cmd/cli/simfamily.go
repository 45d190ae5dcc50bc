package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// simGame is a game as these commands need it.
type simGame interface {
	known
	// check refuses a seed that the game cannot play.
	check(seed uint64) error
	// simulate plays a whole match on this machine alone.
	simulate(ctx context.Context, s simulation) (simulated, error)
}

// simTyped is one with its types.
type simTyped[S any, I comparable] struct{ *typed[S, I] }

// newSimGame returns what these commands need of a game.
func newSimGame[S any, I comparable](g *typed[S, I]) simGame { return &simTyped[S, I]{g} }

// simFamily is these commands.
type simFamily struct {
	*app
	games list[simGame]
}

// newSimCommand returns the command sim.
func newSimCommand(a *app, games []simGame) *cobra.Command {
	return (&simFamily{a, games}).simCommand()
}
