package cli

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
)

// replayed is a match that is replayed, whatever the game.
type replayed interface {
	play(frames []rplk.Inputs)
	checksum() string
}

// replayedState is one of a game.
type replayedState[S any, I comparable] struct {
	game  *recordingsTyped[S, I]
	state S
}

func (g *recordingsTyped[S, I]) replayClassic(seed uint32) (replayed, error) {
	init, err := g.start(tickback.Parameters{Seed: uint64(seed)})
	if err != nil {
		return nil, err
	}
	r := &replayedState[S, I]{game: g}
	if init == nil {
		init = g.plain().Init
	}
	if init != nil {
		init(&r.state)
	}
	return r, nil
}

func (r *replayedState[S, I]) play(frames []rplk.Inputs) { r.game.Classic.Play(&r.state, frames) }

func (r *replayedState[S, I]) checksum() string { return checksum32(r.game.Checksum(&r.state)) }
