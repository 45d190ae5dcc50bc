package main

import (
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/bench/peers/held"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// tick prints what a tick of the engine takes with the duel: without a rollback, and with one of 7 frames and the hash of
// an agreed frame. They are set beside the bare loops of the same rules in Rust.
func tick(a arguments) error {
	frames := a.number("frames", 1<<18)
	for _, c := range []struct {
		name string
		late rollback.Frame
	}{{"plain", 0}, {"rollback", 7}} {
		t, err := newTicker(c.late)
		if err != nil {
			return err
		}
		run := func() int {
			if err == nil {
				err = t.run(frames)
			}
			return frames
		}
		run()
		took := measured(run)
		if err != nil {
			return err
		}
		print(c.name, float64(took)/1000, "ns")
	}
	return nil
}

// ticker is an engine whose second player is some frames late, and then never does what was predicted.
type ticker struct {
	engine *rollback.Engine[duel.State, game.Input]
	in     *held.Table
	late   rollback.Frame
	frame  rollback.Frame
	sum    uint64
}

func newTicker(late rollback.Frame) (*ticker, error) {
	e, err := rollback.New(game.NewDuel(), rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8, Stream: late > 0})
	if err != nil {
		return nil, err
	}
	return &ticker{engine: e, in: held.NewTable(game.Seed, 2, tableFrames), late: late}, nil
}

// run runs so many tick periods.
func (t *ticker) run(n int) error {
	e := t.engine
	for range n {
		if err := e.AddLocal(0, game.Input(t.in.At(0, int(t.frame))), nil); err != nil {
			return err
		}
		if at := t.frame - t.late; t.frame >= t.late {
			in := game.Input(t.in.At(1, int(at)))
			if t.late > 0 {
				in ^= game.Input(at & 1)
			}
			if err := e.AddInput(1, at, in, nil); err != nil {
				return err
			}
			if t.late > 0 {
				if err := e.Agree(at + 1); err != nil {
					return err
				}
			}
		}
		if err := e.Tick(); err != nil {
			return err
		}
		if t.late == 0 {
			if err := e.Agree(t.frame + 1); err != nil {
				return err
			}
		} else {
			for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
				t.sum += a.Hash
			}
		}
		t.frame++
	}
	return nil
}
