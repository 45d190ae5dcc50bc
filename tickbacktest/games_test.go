package tickbacktest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/tanks"
)

// Positive controls: the games of this repository pass everything.

func TestDuelPasses(t *testing.T) {
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	Check(t, game, Options[duel.Input]{})
}

func TestArenaPasses(t *testing.T) {
	sticks := rapid.SampledFrom([]int8{0, arena.StickEnd, -arena.StickEnd})
	Check(t, arena.Game(1), Options[arena.Input]{
		Players: 4, Frames: 300,
		Generate: rapid.Custom(func(t *rapid.T) arena.Input {
			return arena.Input{
				X: sticks.Draw(t, "x"), Y: sticks.Draw(t, "y"),
				Buttons: arena.Buttons(rapid.IntRange(0, int(arena.AllButtons)).Draw(t, "buttons")),
			}
		}),
	})
}

func TestTanksPass(t *testing.T) {
	sticks := rapid.SampledFrom([]int8{0, tanks.StickEnd, -tanks.StickEnd, 50})
	Check(t, tanks.Game(1), Options[tanks.Input]{
		Players: 4, Frames: 200, Longest: 1200,
		Generate: rapid.Custom(func(t *rapid.T) tanks.Input {
			return tanks.Input{
				Turn: sticks.Draw(t, "turn"), Throttle: sticks.Draw(t, "throttle"),
				Buttons: tanks.Buttons(rapid.IntRange(0, 1).Draw(t, "buttons")), Seen: rapid.Uint8().Draw(t, "seen"),
			}
		}),
	})
}
