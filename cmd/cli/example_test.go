package cli_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// race is the state of a game of two runners.
type race struct{ At [2]uint32 }

// step is a frame of it: a step ahead for each runner who holds the button.
func (r *race) step(t *rollback.Tick[bool]) {
	for p := range t.Players() {
		if t.Input(p) {
			r.At[p]++
		}
	}
}

// dash runs all the time, and player 2 in every other frame.
func dash(uint64) func(p tickback.Player, f tickback.Frame, s *race) bool {
	return func(p tickback.Player, f tickback.Frame, _ *race) bool { return p == 0 || f%2 == 1 }
}

// The main function of a game's own binary is one call of cli.Main with such a value; cli.Run does the same in tests.
func Example() {
	game := cli.NewGame(cli.Spec[race, bool]{
		ID: "race", About: "two runners", MaxPlayers: 2,
		Game:     rollback.Game[race, bool]{Step: (*race).step},
		Checksum: func(r *race) uint32 { return r.At[0]<<16 | r.At[1] },
		Bots:     []cli.Bot[race, bool]{{Name: "dash", New: dash}},
	})
	code := cli.Run(context.Background(), "race", []string{"sim", "--frames", "100", "--json"},
		os.Stdin, os.Stdout, os.Stderr, game)
	fmt.Println("exit code", code)
	// Output:
	// {"game":"race","script":"dash","seed":1,"frames":100,"checksum":"0x00640032","file":""}
	// exit code 0
}
