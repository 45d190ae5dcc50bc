package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

func copies(dst, src *arena.State) floor.Batch {
	return func(n int) {
		for range n {
			*dst = *src
		}
	}
}

// benchmarkStep measures steps of fights, one after the other. The inputs are long, because a processor learns short
// ones by heart, and then predicts every branch.
func benchmarkStep(b *testing.B, players int, inputs [][arena.MaxPlayers]arena.Input) {
	start := fight(b, players).State
	start.SpawnIn = arena.PickupInterval
	s, saved, f := start, start, 0
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			if s.Phase != arena.Fighting {
				s = start
			}
			arena.Step(&s, &inputs[f%len(inputs)], first(players), nil)
			f++
		}
	})
}

func randomInputs() [][arena.MaxPlayers]arena.Input {
	inputs, script := make([][arena.MaxPlayers]arena.Input, 1<<18), arena.Random(1)
	for f := range inputs {
		inputs[f] = script(rollback.Frame(f))
	}
	return inputs
}

// One operation is one frame of a fight; the floor is copying the state.
func BenchmarkStep2Players(b *testing.B) { benchmarkStep(b, 2, randomInputs()) }

// Eight players shoot as often as they can.
func BenchmarkStep8Players(b *testing.B) { benchmarkStep(b, 8, randomInputs()) }

// Measures a bot's input in a fight of eight.
func BenchmarkBot(b *testing.B) {
	s := runBots(1, arena.Hard, 8, 400)
	saved, f := s, rollback.Frame(0)
	bot := arena.Bot{Skill: arena.Hard}
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			s.Rng.S0 += uint64(bot.Input(rollback.Player(f%8), f, &s).Buttons)
			f++
		}
	})
}

// Measures the 64-bit hash of the state, as the engine computes it.
func BenchmarkHash(b *testing.B) {
	s := runBots(1, arena.Hard, 8, 400)
	p, saved := plan(b), s
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			s.Rng.S0 = p.Hash(&s)
		}
	})
}
