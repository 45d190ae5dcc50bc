//go:build !js

package online_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online"
)

var game, _ = duel.Game(7)

func keyboard(tickback.Player) duel.Input             { return 0 }
func draw(tickback.View[duel.State], *tickback.Stats) {}
func complain(err error)                              { fmt.Fprintln(os.Stderr, err) }
func options() tickback.Options[duel.State, duel.Input] {
	return tickback.Options[duel.State, duel.Input]{Sample: keyboard}
}

func config() online.Config {
	return online.Config{GameID: "duel", Build: "1", Seats: 2, Spectators: 8}
}

// A whole game over the internet: make or join a room, send the link, play, and play again. A player who reloads the
// page during a match is back in it.
func Example() {
	ctx := context.Background()
	room, err := online.Open(ctx, "https://play.example.org/", config())
	if err != nil {
		complain(err) // full, gone, another build, no server: it says which
		return
	}
	defer room.Close()
	fmt.Println("send this to the others:", room.Link())
	for {
		if room.IsHost() {
			complain(room.Start()) // when all are there, which the game decides
		}
		if err := room.Wait(ctx); err != nil {
			complain(err)
			return
		}
		match, err := online.Play(room, game, options())
		if err != nil {
			complain(err)
			return
		}
		for {
			wait, err := match.Update()
			if _, over := match.Outcome(); over {
				break // an error then only says that the others have left
			}
			if err != nil {
				complain(room.Explain(err)) // with the names of those whom the network does not connect
				break
			}
			stats := match.Stats()
			draw(match.View(), &stats)
			match.Wait(wait)
		}
		match.Close()
	}
}
