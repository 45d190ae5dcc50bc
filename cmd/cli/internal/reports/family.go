package reports

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
)

// Game is a game as these commands need it.
type Game interface {
	games.Known
	// follow continues from an encoded state with agreed inputs.
	follow(begin []byte, players int) (follower, error)
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

// Command returns the command desync.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).desyncCommand()
}
