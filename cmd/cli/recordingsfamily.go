package cli

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// recordingsGame is a game as these commands need it.
type recordingsGame interface {
	known
	// replayClassic starts a match that is replayed from a recording. Classic games only.
	replayClassic(seed uint32) (replayed, error)
	// recorded is the game as the library's tools for recordings know it.
	recorded() (replay.Game, error)
	// checksumOf identifies the live state, as match and sim print it; empty if it is not known.
	checksumOf(s replay.Sim) string
	// buttons and rplkHeader are what RPLK needs to be translated. Classic games only.
	buttons() replay.Buttons
	rplkHeader(h rplk.Header) tbr.Header
}

// recordingsTyped is one with its types.
type recordingsTyped[S any, I comparable] struct{ *typed[S, I] }

// newRecordingsGame returns what these commands need of a game.
func newRecordingsGame[S any, I comparable](g *typed[S, I]) recordingsGame {
	return &recordingsTyped[S, I]{g}
}

// recordingsFamily is these commands.
type recordingsFamily struct {
	*app
	games list[recordingsGame]
}

// newReplayCommand returns the command replay.
func newReplayCommand(a *app, games []recordingsGame) *cobra.Command {
	return (&recordingsFamily{a, games}).replayCommand()
}
