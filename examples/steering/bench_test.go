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
	run := func() { err = match.Run(inputs, 0) }
	for i := 0; b.Loop(); i++ {
		if match.Frame() == rollback.Frame(minute.Frames) {
			if err := match.Restart(nil); err != nil {
				b.Fatal(err)
			}
		}
		for p := range inputs {
			inputs[p] = script(rollback.Player(p), match.Frame())
		}
		if depths[i%len(depths)](run); err != nil {
			b.Fatal(err)
		}
	}
}

// depths run a function at depths of the stack that differ by eight bytes. The flock reads a copy of itself that is on the stack, by
// 16 bytes at once: a frame takes 5 % more or less with the eight bytes by which a caller's frame is larger, and two
// builds must not be compared by that.
var depths = [...]func(func()){
	at[[1]uint64], at[[2]uint64], at[[3]uint64], at[[4]uint64], at[[5]uint64], at[[6]uint64], at[[7]uint64], at[[8]uint64],
}

//go:noinline
func at[A any](run func()) {
	var a A
	keep(&a)
	run()
	keep(&a)
}

//go:noinline
func keep[A any](*A) {}
