package reports

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
)

// Game is a game in the form that these commands use.
type Game interface {
	games.Known
	// follow returns a match that continues from an encoded state with agreed inputs.
	follow(begin []byte, players int) (follower, error)
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

// Command returns the command desync.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).desyncCommand()
}
