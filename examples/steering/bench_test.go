package steering

import (
	"testing"

	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
)

// BenchmarkFrame is a frame of four dogs and 32 sheep, without rollback and hash, in
// whatever build it is run. scripts/floats.sh compares builds.
func BenchmarkFrame(b *testing.B) {
	game := Game
	if _, err := strict.Proof(); err != nil {
		game.Floats, game.AllowFloats = 0, true
	}
	match, err := rollback.NewStepper(game, Seats, 0)
	if err != nil {
		b.Fatal(err)
	}
	inputs := make([]Input, Seats)
	for b.Loop() {
		if match.Frame() == rollback.Frame(minute.Frames) {
			if err := match.Restart(nil); err != nil {
				b.Fatal(err)
			}
		}
		for p := range inputs {
			inputs[p] = script(rollback.Player(p), match.Frame())
		}
		if err := match.Run(inputs, 0); err != nil {
			b.Fatal(err)
		}
	}
}
