package cli

import (
	"github.com/spf13/cobra"
)

// spectateGame is a game as these commands need it.
type spectateGame interface {
	known
	// watch follows a match that is played elsewhere.
	watch(s *stand) (spectating, error)
}

// spectateTyped is one with its types.
type spectateTyped[S any, I comparable] struct{ *typed[S, I] }

// newSpectateGame returns what these commands need of a game.
func newSpectateGame[S any, I comparable](g *typed[S, I]) spectateGame {
	return &spectateTyped[S, I]{g}
}

// spectateFamily is these commands.
type spectateFamily struct {
	*app
	games list[spectateGame]
}

// newSpectateCommand returns the command spectate.
func newSpectateCommand(a *app, games []spectateGame) *cobra.Command {
	return (&spectateFamily{a, games}).spectateCommand()
}
