package reliable

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A fifo is a queue, and its memory stays below three times the most it held.
func TestFifoAgainstASlice(t *testing.T) {
	seed := anySeed()
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := 8
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		var q fifo[uint32]
		var naive []uint32
		longest, limit := 0, 1+random.IntN(50_000)
		for range 2000 {
			push := make([]uint32, random.IntN(min(limit, limit-len(naive)+1)))
			for i := range push {
				push[i] = random.Uint32()
			}
			q.push(push...)
			naive = append(naive, push...)
			longest = max(longest, len(naive))
			if q.len() != len(naive) || !slices.Equal(q.at(0, q.len()), naive) {
				t.Fatalf("-reliable.seed=%d: holds %d elements, want %d", seed, q.len(), len(naive))
			}
			if cap(q.elements) > 3*longest+1024 {
				t.Fatalf("-reliable.seed=%d: capacity is %d, the most held was %d", seed, cap(q.elements), longest)
			}
			drop := random.IntN(len(naive) + 1)
			q.drop(drop)
			naive = naive[drop:]
		}
		q.drop(q.len())
		if cap(q.elements) > keptWhenEmpty {
			t.Errorf("-reliable.seed=%d: keeps %d when empty", seed, cap(q.elements))
		}
	}
}
