package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/tickback/tickback/replay/tbr"
)

// ErrSpent says that a [Build] cannot continue after a state was read from it.
var ErrSpent = errors.New("replay: the simulation ended when a state was read")

// local is a Build that runs in this program.
type local struct {
	game   Game
	r      *tbr.Reader
	walk   *walk
	hashes []uint64 // hashes of the states of the last Advance, up to the live one
	begun  bool
	spent  bool

	base    uint32 // a state from which those of the last Advance can be simulated again
	encoded []byte // that state, encoded; nil: the one with which the recording begins
}

// Local returns a Build that runs this build of a game with a recording. The error is that of [Game.Sim], or of the
// recording.
func Local(r *tbr.Reader, g Game) (Build, error) {
	sim, err := g.Sim(r.Header())
	if err != nil {
		return nil, err
	}
	w, err := begin(r, sim)
	if err != nil {
		return nil, err
	}
	return &local{game: g, r: r, walk: w, base: r.First()}, nil
}

// About implements [Build].
func (b *local) About() About {
	return About{Game: b.game.ID(), Build: b.game.Build(), First: b.r.First(), Next: b.r.Next()}
}

// Advance implements [Build].
func (b *local) Advance(ctx context.Context, to uint32) (uint64, error) {
	at := b.walk.sim.State()
	switch {
	case b.spent:
		return 0, ErrSpent
	case to < at || to > b.r.Next() || to-at > MaxAdvance || b.begun && to == at:
		return 0, fmt.Errorf("replay: no way from state %d to %d: at most %d frames, up to %d", at, to, MaxAdvance, b.r.Next())
	}
	b.hashes = b.hashes[:0]
	if err := b.keep(); err != nil {
		return 0, err
	}
	if !b.begun {
		b.begun = true
		if err := b.hash(); err != nil {
			return 0, err
		}
	}
	err := surviveFrames(b.walk.sim, func() error { return b.run(ctx, to) })
	if err != nil {
		return 0, err
	}
	return chainOf(b.hashes), nil
}

// run simulates up to a state, and hashes each state.
func (b *local) run(ctx context.Context, to uint32) error {
	for at := b.walk.sim.State(); at < to; at++ {
		if err := b.walk.to(ctx, at+1); err != nil {
			return err
		}
		if err := b.hash(); err != nil {
			return err
		}
	}
	return nil
}

// keep saves the live state so that back can return to it, if the game supports that.
func (b *local) keep() (err error) {
	if !b.game.Marshals() {
		return nil
	}
	b.base = b.walk.sim.State()
	b.encoded, err = b.walk.sim.Marshal(b.encoded[:0])
	return err
}

func (b *local) hash() error {
	h, err := b.walk.sim.Hash()
	b.hashes = append(b.hashes, h)
	return err
}

// Hashes implements [Build].
func (b *local) Hashes(context.Context) ([]uint64, error) { return b.hashes, nil }

// State implements [Build].
func (b *local) State(ctx context.Context, n uint32) (*View, error) {
	sim := b.walk.sim
	if at := sim.State(); n > at || at-n >= uint32(len(b.hashes)) || b.spent {
		return nil, fmt.Errorf("replay: state %d is not one of the last %d before %d", n, len(b.hashes), at)
	}
	b.spent = true
	err := b.back()
	if err == nil {
		b.walk, err = from(b.r, sim)
	}
	if err == nil {
		err = b.walk.to(ctx, n)
	}
	if err != nil {
		return nil, err
	}
	return ViewOf(b.game, sim)
}

// back returns to the state that was kept.
func (b *local) back() error {
	if b.encoded == nil {
		return enter(b.r, b.walk.sim, b.base)
	}
	return b.walk.sim.Load(b.base, b.encoded)
}

// ViewOf returns a view of the live state of a simulation.
func ViewOf(g Game, sim Sim) (v *View, err error) {
	v = &View{}
	if v.Hash, err = sim.Hash(); err != nil {
		return nil, err
	}
	if v.Text, err = sim.Text(); err != nil {
		return nil, fmt.Errorf("replay: state %d cannot be shown: %w", sim.State(), err)
	}
	if g.Marshals() {
		v.Encoded, err = sim.Marshal(nil)
	}
	return v, err
}

// Result implements [Build].
func (b *local) Result(context.Context) (Result, error) {
	frame, result, ok := b.walk.sim.Result()
	return Result{ok, frame, result}, nil
}
