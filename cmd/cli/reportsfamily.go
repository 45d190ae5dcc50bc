package cli

import (
	"github.com/spf13/cobra"
)

// reportsGame is a game as these commands need it.
type reportsGame interface {
	known
	// follow goes on from an encoded state with agreed inputs.
	follow(begin []byte, players int) (follower, error)
}

// reportsTyped is one with its types.
type reportsTyped[S any, I comparable] struct{ *typed[S, I] }

// newReportsGame returns what these commands need of a game.
func newReportsGame[S any, I comparable](g *typed[S, I]) reportsGame { return &reportsTyped[S, I]{g} }

// reportsFamily is these commands.
type reportsFamily struct {
	*app
	games list[reportsGame]
}

// newDesyncCommand returns the command desync.
func newDesyncCommand(a *app, games []reportsGame) *cobra.Command {
	return (&reportsFamily{a, games}).desyncCommand()
}
