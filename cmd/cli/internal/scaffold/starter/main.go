// Command starter plays, records and verifies matches, and serves the page: see README.md.
package main

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

func main() { cli.Main(game()) }

// game describes the game to the command line.
func game() cli.Game {
	return cli.NewGame(cli.Spec[rules.State, rules.Input]{
		ID: "starter", About: fmt.Sprintf("who collects %d coins first wins", rules.Goal),
		TickRate: rules.FramesPerSecond, MaxPlayers: rules.Seats,
		Game: rules.Game, Start: rules.Start,
		//starter:!server
		Result: func(winner uint64) string { return fmt.Sprintf("player %d wins", winner+1) },
		//starter:end
		Bots: []cli.Bot[rules.State, rules.Input]{{Name: "seeker", New: seeker}},
		//starter:server
		Build:  rules.Build,                             // of which pages are, too
		Served: &cli.Served[rules.State, rules.Input]{}, // has what a server checks and hides
		Screen: &cli.Screen[rules.State, rules.Input]{View: view, Keys: keys, Help: "the arrows, or W, A, S and D"},
		//starter:end
	})
}

// seeker is a bot, which plays when no person does.
func seeker(uint64) func(tickback.Player, tickback.Frame, *rules.State) rules.Input {
	return func(p tickback.Player, _ tickback.Frame, s *rules.State) rules.Input { return rules.Seek(p, s) }
}
