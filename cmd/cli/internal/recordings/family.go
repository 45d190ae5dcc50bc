package recordings

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Game is a game in the form that these commands use.
type Game interface {
	games.Known
	// replayClassic begins to replay a match from a recording. It is for classic games only.
	replayClassic(seed uint32) (replayed, error)
	// recorded returns the game in the form that package replay uses.
	recorded() (replay.Game, error)
	// checksumOf returns the checksum of the live state, as match and sim print it; empty if it is not known.
	checksumOf(s replay.Sim) string
	// buttons and rplkHeader are needed to convert RPLK. Classic games only.
	buttons() replay.Buttons
	rplkHeader(h rplk.Header) tbr.Header
}

// typed is a game with its types.
type typed[S any, I comparable] struct{ *games.Typed[S, I] }

// NewGame returns a game in the form that these commands use.
func NewGame[S any, I comparable](g *games.Typed[S, I]) Game {
	return &typed[S, I]{g}
}

// family is the family of these commands.
type family struct {
	*console.App
	games games.List[Game]
}

// Command returns the command replay.
func Command(a *console.App, games []Game) *cobra.Command {
	return (&family{a, games}).replayCommand()
}
