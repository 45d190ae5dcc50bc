package main

import (
	"fmt"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay/rplk"
)

// duelGame is the duel as the command line plays it.
func duelGame() cli.Game {
	return cli.Game{
		ID:       "duel",
		About:    "two fighters on one stage; the reference game",
		TickRate: duel.TicksPerSecond,
		Start:    startDuel,
		Scripts:  duel.ScriptNames(),
		Script: func(name string, seed uint32) (func(uint32) rplk.Inputs, error) {
			script, err := duel.Scripted(name, seed)
			if err != nil {
				return nil, err
			}
			return func(frame uint32) rplk.Inputs {
				in := script(frame)
				return rplk.Inputs{uint16(in[0]), uint16(in[1])}
			}, nil
		},
	}
}

// duelMatch is a duel in progress.
type duelMatch duel.State

func startDuel(seed uint32) (cli.Match, error) {
	s, err := duel.New(seed)
	if err != nil {
		return nil, err
	}
	return (*duelMatch)(&s), nil
}

// Play advances the duel by the frames' inputs.
func (m *duelMatch) Play(frames []rplk.Inputs) {
	for _, f := range frames {
		duel.Step((*duel.State)(m), [2]duel.Input{duel.Input(f[0]), duel.Input(f[1])})
	}
}

// Checksum is the duel's own.
func (m *duelMatch) Checksum() string {
	return fmt.Sprintf("0x%08X", duel.Checksum((*duel.State)(m)))
}
