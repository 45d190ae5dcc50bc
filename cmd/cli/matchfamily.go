package cli

import (
	"github.com/spf13/cobra"
)

// matchGame is a game as these commands need it.
type matchGame interface {
	known
	// check refuses a seed that the game cannot play.
	check(seed uint64) error
	// join makes this machine's part of a match over a network.
	join(s *seat) (playing, error)
}

// matchTyped is one with its types.
type matchTyped[S any, I comparable] struct{ *typed[S, I] }

// newMatchGame returns what these commands need of a game.
func newMatchGame[S any, I comparable](g *typed[S, I]) matchGame { return &matchTyped[S, I]{g} }

// matchFamily is these commands.
type matchFamily struct {
	*app
	games list[matchGame]
}

// matchCommands returns the command match, and one for each game that is short for it.
func matchCommands(a *app, games []matchGame) (match *cobra.Command, short []*cobra.Command) {
	f := &matchFamily{a, games}
	for _, g := range games {
		short = append(short, f.shortMatch(g))
	}
	return f.matchCommand(), short
}
