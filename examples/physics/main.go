// Command physics plays, records and verifies matches of a game that computes with floats, and serves its page: see
// README.md. Build it by "go run . build --strict".
package main

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"

	"github.com/tickback/tickback/examples/physics/rules"
)

func main() { cli.Main(game()) }

// game describes the game to the command line.
func game() cli.Game {
	return cli.NewGame(cli.Spec[rules.State, rules.Input]{
		ID: "physics", About: "who pushes others off the platform five times wins",
		MaxPlayers: rules.Seats,
		Game:       rules.Game, Start: tickback.Seeded(func(seed uint64) rules.State { return *rules.New(seed) }),
		Result: result,
		Bots:   []cli.Bot[rules.State, rules.Input]{{Name: "seeker", New: seeker}},
		Screen: &cli.Screen[rules.State, rules.Input]{View: view, Keys: keys, Help: "A and D roll, W jumps, S dashes; or the arrows"},
	})
}

func result(winner uint64) string {
	if winner == rules.Draw {
		return "a draw"
	}
	return fmt.Sprintf("player %d wins", winner+1)
}

// seeker returns a bot, which plays for missing people.
func seeker(uint64) func(tickback.Player, tickback.Frame, *rules.State) rules.Input {
	return func(p tickback.Player, _ tickback.Frame, s *rules.State) rules.Input { return rules.Seek(p, s) }
}
