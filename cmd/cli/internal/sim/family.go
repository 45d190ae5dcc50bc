package sim

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
)

// Game is a game in the form that these commands use.
type Game interface {
	games.Known
	// Check returns an error if the game does not accept this seed or data.
	Check(seed uint64, data []byte) error
	// simulate plays a whole match on this machine alone.
	simulate(ctx context.Context, s simulation) (simulated, error)
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

// Command returns the command sim.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).simCommand()
}
