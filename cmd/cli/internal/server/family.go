package server

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
)

// Game is a game in the form that these commands use.
type Game interface {
	games.Known
	// Check returns an error if the game does not accept this seed or data.
	Check(seed uint64, data []byte) error
	// serve makes the server of a match.
	serve(h *serverSetup) (serving, error)
	// join makes a client.
	join(s *clientSetup) (playing, error)
}

// typed is a game with its types.
type typed[S any, I comparable] struct{ *games.Typed[S, I] }

// NewGame returns a game in the form that these commands use.
func NewGame[S any, I comparable](g *games.Typed[S, I]) Game { return &typed[S, I]{g} }

// family is the family of these commands, for one game.
type family struct {
	*console.App
	game  Game
	above string // the command below which these are
}

// Commands returns the commands of a game that a server can own, and none for any other game. above is the command
// below which they will be, as it is typed.
func Commands(a *console.App, g Game, above string) []*cobra.Command {
	if !g.Info().Served {
		return nil
	}
	f := &family{a, g, above}
	return []*cobra.Command{f.serveCommand(), f.joinCommand(), f.botsCommand()}
}
