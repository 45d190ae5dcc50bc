package soak

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
)

// Game is a game in the form that these commands use.
type Game interface {
	games.Known
	// soak plays a plan of a match between peers, with this data of the match, and soakServer plays one at a server,
	// as long as goOn returns true. refusesServer returns the reason why soakServer cannot, or nil.
	soak(p fleet.Plan, data []byte, units *census, goOn func() bool) (fleet.Result, error)
	soakServer(p hosted.Plan, goOn func() bool) (hosted.Result, error)
	refusesServer() error
}

// typed is a game with its types.
type typed[S any, I comparable] struct{ *games.Typed[S, I] }

// NewGame returns a game in the form that these commands use.
func NewGame[S any, I comparable](g *games.Typed[S, I]) Game { return &typed[S, I]{g} }

// family is the family of these commands.
type family struct {
	*console.App
	games games.List[Game]
}

// Command returns the command soak.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).soakCommand()
}
