package replay_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/wire/agreed"
)

// BenchmarkVerify verifies an hour of the duel with hashes once a second and keyframes; one operation is one frame. The
// floor is the bare step with the same inputs in memory.
func BenchmarkVerify(b *testing.B) {
	b.Run("OneCore", func(b *testing.B) { benchVerify(b, 1) })
	b.Run("TwoCores", func(b *testing.B) { benchVerify(b, 2) })
}

func benchVerify(b *testing.B, workers int) {
	const frames = 60 * 60 * 60
	m := duelMatch(frames)
	file := open(b, record(b, m))
	inputs := make([][2]duel.Input, frames)
	at := 0
	for row, err := range replay.Rows(b.Context(), file, nil, 0, frames) {
		if err != nil {
			b.Fatal(err)
		}
		in := row.Frame.Inputs
		inputs[at] = [2]duel.Input{duel.Input(in[0]) | duel.Input(in[1])<<8, duel.Input(in[2]) | duel.Input(in[3])<<8}
		at++
	}
	steps := func() {
		s, _ := duel.New(uint32(m.header.Seed))
		for _, in := range inputs {
			duel.Step(&s, in)
		}
	}
	floor.CompareWhole(b, frames, steps, func() {
		v, err := replay.Verify(b.Context(), file, m.game, replay.VerifyOptions{Workers: workers})
		if err != nil || !v.OK() || v.Frames != frames {
			b.Fatal(v, err)
		}
	})
}

// BenchmarkSim measures a frame of the duel on a simulation, without a recording.
func BenchmarkSim(b *testing.B) {
	m := duelMatch(0)
	sim := must(m.game.Sim(&m.header))
	f := &agreed.Frame{Inputs: make([]byte, 4)}
	const frames = 480
	run := make([]byte, 4*frames)
	r := rand.New(rand.NewPCG(1, 1))
	inputs := make([][2]duel.Input, frames)
	for n := range frames {
		m.play(r, f)
		copy(run[4*n:], f.Inputs)
		inputs[n] = [2]duel.Input{duel.Input(f.Inputs[0]), duel.Input(f.Inputs[2])}
	}
	var s duel.State
	steps := func() {
		for _, in := range inputs {
			duel.Step(&s, in)
		}
	}
	floor.CompareWhole(b, frames, steps, func() {
		if err := sim.Run(run, 0); err != nil {
			b.Fatal(err)
		}
	})
}
