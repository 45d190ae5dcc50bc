package cli_test

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/replay/rplk"
)

// toy is a game of somebody else: it adds up what is pressed.
type toy struct{ sum uint64 }

func (t *toy) Play(inputs []rplk.Inputs) {
	for _, f := range inputs {
		t.sum = t.sum*31 + uint64(f[0]) + uint64(f[1])
	}
}

func (t *toy) Checksum() string { return fmt.Sprintf("0x%016x", t.sum) }

func toyGame() cli.Game {
	return cli.Game{
		ID: "toy", About: "adds up what is pressed", TickRate: 50,
		Start: func(seed uint32) (cli.Match, error) {
			if seed == 13 {
				return nil, errors.New("13 is bad luck")
			}
			return &toy{uint64(seed)}, nil
		},
		Scripts: []string{"count", "random"},
		Script: func(string, uint32) (func(uint32) rplk.Inputs, error) {
			return func(f uint32) rplk.Inputs { return rplk.Inputs{uint16(f), 1} }, nil
		},
	}
}
