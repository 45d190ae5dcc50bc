package soak

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
)

// Game is a game as these commands need it.
type Game interface {
	games.Known
	// soak plays a plan with this data of the match, and soakServer one at a server, as long as goOn returns true;
	// refusesServer returns why soakServer cannot.
	soak(p fleet.Plan, data []byte, units *census, goOn func() bool) (fleet.Result, error)
	soakServer(p hosted.Plan, goOn func() bool) (hosted.Result, error)
	refusesServer() error
}

// typed is a game with its types.
type typed[S any, I comparable] struct{ *games.Typed[S, I] }

// NewGame returns a game as these commands need it.
func NewGame[S any, I comparable](g *games.Typed[S, I]) Game { return &typed[S, I]{g} }

// family has these commands.
type family struct {
	*console.App
	games games.List[Game]
}

// Command returns the command soak.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).soakCommand()
}
