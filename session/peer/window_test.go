package peer

import (
	"math/rand/v2"
	"testing"
)

// Rule (docs/reference/wire.md): each number is accepted once, and none that is at least a
// window's width behind the newest, whether it has arrived before or not.
func TestTheWindowTakesEachNumberOnce(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		var w Window
		taken, next := map[uint64]bool{}, uint64(0)
		for i := range 4000 {
			var sequence uint64
			switch r.IntN(4) {
			case 0: // the next ones
				sequence = next + uint64(r.IntN(3))
			case 1: // at the border of the window
				sequence = next - min(next, windowSize-2+uint64(r.IntN(70)))
			case 2:
				sequence = next - min(next, uint64(r.IntN(2*windowSize)))
			default: // seldom far ahead
				sequence = next + uint64(r.IntN(20)/19*r.IntN(2*windowSize))
			}
			fresh := !taken[sequence] && (sequence >= next || next-1-sequence < windowSize)
			if w.Has(sequence) == fresh {
				t.Fatalf("seed %d, step %d: %d is new: %v, the next is %d", seed, i, sequence, fresh, next)
			}
			if w.Take(sequence) != fresh {
				t.Fatalf("seed %d, step %d: %d must be taken: %v, the next is %d", seed, i, sequence, fresh, next)
			}
			if fresh {
				taken[sequence], next = true, max(next, sequence+1)
			}
			if w.Next() != next {
				t.Fatalf("seed %d, step %d: the next is %d, want %d", seed, i, w.Next(), next)
			}
		}
	}
}
