package console

import (
	"testing"

	"github.com/fogleman/nes/nes"
)

// BenchmarkFrame measures a frame of the game, without rollback.
func BenchmarkFrame(b *testing.B) {
	match, err := Collect(nil)
	if err != nil {
		b.Fatal(err)
	}
	c := new(nes.Console)
	match.Game.Init(c)
	for b.Loop() {
		stepFrame(c)
	}
}
