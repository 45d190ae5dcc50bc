package rng_test

import (
	"testing"

	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rng"
)

var sink uint64

// The floor is a dependent chain of two additions, the least that a generator
// with a carried state could do.
func BenchmarkDraw(b *testing.B) {
	chain := func(n int) {
		x := sink
		for i := range n {
			x += x<<1 + uint64(i)
		}
		sink = x
	}
	r32, r128 := rng.Must(rng.NewXorshift32(1)), rng.New(1)
	for _, c := range []struct {
		name string
		draw floor.Batch
	}{
		{"xorshift32", func(n int) {
			for range n {
				sink += uint64(r32.Next())
			}
		}},
		{"xorshift128+", func(n int) {
			for range n {
				sink += r128.Next()
			}
		}},
		{"bounded", func(n int) {
			for range n {
				sink += rng.Must(r128.Bounded(6))
			}
		}},
	} {
		b.Run(c.name, func(b *testing.B) { floor.Compare(b, chain, c.draw) })
	}
}
