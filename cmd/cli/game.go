package cli

import (
	"fmt"

	"github.com/tickback/tickback/cmd/cli/game"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/match"
	"github.com/tickback/tickback/cmd/cli/internal/recordings"
	"github.com/tickback/tickback/cmd/cli/internal/reports"
	"github.com/tickback/tickback/cmd/cli/internal/server"
	"github.com/tickback/tickback/cmd/cli/internal/sim"
	"github.com/tickback/tickback/cmd/cli/internal/soak"
	"github.com/tickback/tickback/cmd/cli/internal/spectate"
)

// Game is a game in the form that the command line uses; [NewGame] makes one. Each family of commands has its own view
// of it.
type Game struct {
	info      *games.Info
	match     match.Game
	spectate  spectate.Game
	sim       sim.Game
	soak      soak.Game
	recording recordings.Game
	report    reports.Game
	server    server.Game
}

// NewGame returns the game that a Spec describes. It panics if the Spec is incomplete, which is a mistake in the
// program, and names what is missing.
func NewGame[S any, I comparable](spec game.Spec[S, I]) Game {
	g := games.New(spec)
	return Game{
		info: g.Info(), match: match.NewGame(g), spectate: spectate.NewGame(g), sim: sim.NewGame(g), soak: soak.NewGame(g),
		recording: recordings.NewGame(g), report: reports.NewGame(g), server: server.NewGame(g),
	}
}

// catalog is the list of games that the command line was given, in order.
type catalog []Game

// check panics if the list is invalid, which is a mistake in the program.
func (g catalog) check() {
	if len(g) == 0 {
		panic("cli: no game was given")
	}
	seen := map[string]bool{}
	for _, id := range g.ids() {
		if seen[id] {
			panic(fmt.Sprintf("cli: two games have the ID %q", id))
		}
		seen[id] = true
	}
}

func (g catalog) ids() []string {
	ids := make([]string, len(g))
	for i, game := range g {
		ids[i] = game.info.ID
	}
	return ids
}

// views returns the list of games in the form that one family of commands uses.
func views[G any](all catalog, view func(g *Game) G) []G {
	list := make([]G, len(all))
	for i := range all {
		list[i] = view(&all[i])
	}
	return list
}
