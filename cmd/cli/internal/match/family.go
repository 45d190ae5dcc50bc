package match

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
	// join makes this machine's part of a match over a network.
	join(s *matchSetup) (playing, error)
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

// Commands returns the command match, and a short form of it for each game.
func Commands(a *console.App, games []Game) (match *cobra.Command, short []*cobra.Command) {
	f := &family{a, games}
	for _, g := range games {
		short = append(short, f.shortMatch(g))
	}
	return f.matchCommand(), short
}
