package recordings

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Game is a game as these commands need it.
type Game interface {
	games.Known
	// replayClassic starts to replay a match from a recording. Classic games only.
	replayClassic(seed uint32) (replayed, error)
	// recorded returns the game as the library's tools for recordings know it.
	recorded() (replay.Game, error)
	// checksumOf identifies the live state, as match and sim print it; empty if it is not known.
	checksumOf(s replay.Sim) string
	// buttons and rplkHeader are needed to convert RPLK. Classic games only.
	buttons() replay.Buttons
	rplkHeader(h rplk.Header) tbr.Header
}

// typed is a game with its types.
type typed[S any, I comparable] struct{ *games.Typed[S, I] }

// NewGame returns a game as these commands need it.
func NewGame[S any, I comparable](g *games.Typed[S, I]) Game {
	return &typed[S, I]{g}
}

// family has these commands.
type family struct {
	*console.App
	games games.List[Game]
}

// Command returns the command replay.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).replayCommand()
}
