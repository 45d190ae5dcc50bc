package recordings

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// replayed is a match that is being replayed, for any game.
type replayed interface {
	play(frames []rplk.Inputs)
	checksum() string
}

// replayedState is a replayed match of a game.
type replayedState[S any, I comparable] struct {
	game  *typed[S, I]
	state S
}

func (g *typed[S, I]) replayClassic(seed uint32) (replayed, error) {
	init, err := g.Begin(tickback.Parameters{Seed: uint64(seed)})
	if err != nil {
		return nil, err
	}
	r := &replayedState[S, I]{game: g}
	if init == nil {
		init = g.Plain().Init
	}
	if init != nil {
		init(&r.state)
	}
	return r, nil
}

func (r *replayedState[S, I]) play(frames []rplk.Inputs) { r.game.Classic.Play(&r.state, frames) }

func (r *replayedState[S, I]) checksum() string { return words.Checksum32(r.game.Checksum(&r.state)) }
