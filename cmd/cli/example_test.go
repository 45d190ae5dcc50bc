package cli_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/replay/rplk"
)

// race is a game of two runners: a step for every frame in which a button is
// held.
type race struct{ at [2]uint32 }

func (r *race) Play(inputs []rplk.Inputs) {
	for _, in := range inputs {
		for p := range in {
			if in[p] != 0 {
				r.at[p]++
			}
		}
	}
}

func (r *race) Checksum() string { return fmt.Sprintf("0x%08X%08X", r.at[0], r.at[1]) }

// The main function of a game's own binary is one call of cli.Main with such a
// value; cli.Run is the same for tests.
func Example() {
	game := cli.Game{
		ID: "race", About: "two runners", TickRate: 60,
		Start:   func(uint32) (cli.Match, error) { return &race{}, nil },
		Scripts: []string{"dash"},
		Script: func(string, uint32) (func(uint32) rplk.Inputs, error) {
			return func(frame uint32) rplk.Inputs { return rplk.Inputs{1, uint16(frame % 2)} }, nil
		},
	}
	code := cli.Run(context.Background(), "race", []string{"sim", "--frames", "100", "--json"},
		os.Stdin, os.Stdout, os.Stderr, game)
	fmt.Println("exit code", code)
	// Output:
	// {"game":"race","script":"dash","seed":1,"frames":100,"checksum":"0x0000006400000032","file":""}
	// exit code 0
}
