package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

func copies(dst, src *tanks.State) floor.Batch {
	return func(n int) {
		for range n {
			*dst = *src
		}
	}
}

// played is an endless match that bots have played, recorded, because a processor learns short inputs by heart.
func played(mood tanks.Mood, frames int) (start tanks.State, inputs [][tanks.MaxPlayers]tanks.Input) {
	start = tanks.New(1).Endless()
	bot := tanks.Bot{Seed: 1, Mood: mood, Seen: 3}
	for range 200 {
		stepBots(bot, &start, everybody)
	}
	inputs = make([][tanks.MaxPlayers]tanks.Input, frames)
	for f, s := 0, start; f < frames; f++ {
		inputs[f] = botInputs(bot, &s, everybody)
		tanks.Step(&s, &inputs[f], first(everybody), nil)
	}
	return start, inputs
}

// One operation is one frame of a fight of busy bots; the floor is copying the state.
func BenchmarkStep(b *testing.B) {
	start, inputs := played(tanks.Busy, 1<<14)
	s, saved, f := start, start, 0
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			if f == len(inputs) {
				s, f = start, 0
			}
			tanks.Step(&s, &inputs[f], first(everybody), nil)
			f++
		}
	})
}

// Measures blanking what one player must not know, including the copy.
func BenchmarkSight(b *testing.B) {
	s, _ := played(tanks.Busy, 0)
	saved, p := s, rollback.Player(0)
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			saved = s
			tanks.Sight(&saved, p)
			p = (p + 1) % everybody
		}
	})
}

// Measures a bot's input when it decides.
func BenchmarkBot(b *testing.B) {
	s, _ := played(tanks.Busy, 0)
	saved, f := s, rollback.Frame(0)
	bot := tanks.Bot{Mood: tanks.Busy}
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			p := f % everybody
			s.Rng.S0 += uint64(bot.Input(rollback.Player(p), 3*f+2*p, &s).Turn)
			f++
		}
	})
}

// Measures the 64-bit hash of the state, as the engine computes it.
func BenchmarkHash(b *testing.B) {
	s, _ := played(tanks.Busy, 0)
	p, saved := plan(b), s
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			s.Rng.S0 = p.Hash(&s)
		}
	})
}
