package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

// One operation is a tick period of a client of a server that owns a match of 16 tanks: it
// learns the frame of 3 ticks ago, in which some tanks did not do what was predicted, gets the
// state after it if sight is partial, supposes what its own tank does, and runs a frame on
// predictions; with all effects. The floor is 4 bare steps and 4 copies: those 3 frames again,
// and the new one.
func BenchmarkClientTanks(b *testing.B) {
	b.Run("full sight", func(b *testing.B) { benchmarkClient(b, false) })
	b.Run("partial sight", func(b *testing.B) { benchmarkClient(b, true) })
}

func benchmarkClient(b *testing.B, partial bool) {
	const players, late, frames = tanks.MaxPlayers, 3, 1024
	var everyone rollback.PlayerSet
	for p := range Player(players) {
		everyone |= rollback.SetOf(p)
	}
	// The truth: a match of bots.
	bot := tanks.Bot{Seed: 1, Mood: tanks.Busy}
	in, truth := make([][players]tanks.Input, frames), make([]tanks.State, frames+1)
	truth[0] = tanks.New(1)
	for f := range in {
		for p := range Player(players) {
			in[f][p] = bot.Input(p, Frame(f), &truth[f])
		}
		truth[f+1] = truth[f]
		tanks.Step(&truth[f+1], &in[f], everyone, nil)
	}
	e, err := rollback.New(tanks.Game(1), rollback.Config{Players: players, Window: 12})
	must(err)
	told := everyone
	if partial {
		told = rollback.SetOf(0, 1, 2, 3, 4, 5, 6)
	}
	var ring [8]tanks.State
	f, g := 0, 0
	floor.Compare(b, func(n int) {
		for range n {
			if f %= frames; f == 0 {
				ring[0] = truth[0]
			}
			for k := max(f-late, 0); k <= f; k++ {
				ring[(k+1)&7] = ring[k&7]
				tanks.Step(&ring[(k+1)&7], &in[k], everyone, nil)
			}
			f++
		}
	}, func(n int) {
		for range n {
			if g %= frames; g == 0 {
				must(e.Restart(nil))
			}
			if t := g - late; t >= 0 {
				must(e.SetTruth(Frame(t), in[t][:], nil, told, 0))
				if partial {
					_, err := e.Correct(Frame(t+1), &truth[t+1])
					must(err)
				}
			}
			must(e.Assume(0, Frame(g), in[g][0], nil))
			must(e.Tick())
			e.Effects()
			g++
		}
	})
	if !partial && g > late && *e.StateAt(Frame(g - late)) != truth[g-late] {
		b.Fatal("the client has another state")
	}
}
