package cli

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/fleet"
)

// soakGame is a game as these commands need it.
type soakGame interface {
	known
	// soak plays a plan, as long as goOn says so.
	soak(p fleet.Plan, goOn func() bool) (fleet.Result, error)
}

// soakTyped is one with its types.
type soakTyped[S any, I comparable] struct{ *typed[S, I] }

// newSoakGame returns what these commands need of a game.
func newSoakGame[S any, I comparable](g *typed[S, I]) soakGame { return &soakTyped[S, I]{g} }

// soakFamily is these commands.
type soakFamily struct {
	*app
	games list[soakGame]
}

// newSoakCommand returns the command soak.
func newSoakCommand(a *app, games []soakGame) *cobra.Command {
	return (&soakFamily{a, games}).soakCommand()
}
