package duel_test

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/floor"
)

// inputs are those of the random script of seed 1. They are long, because a processor learns short ones by heart, and
// then predicts every branch of the step.
func inputs(b *testing.B) [][2]duel.Input {
	b.Helper()
	script, err := duel.Scripted("random", 1)
	if err != nil {
		b.Fatal(err)
	}
	all := make([][2]duel.Input, 1<<20)
	for f := range all {
		all[f] = script(uint32(f))
	}
	return all
}

func copies(dst, src *duel.State) floor.Batch {
	return func(n int) {
		for range n {
			*dst = *src
		}
	}
}

// One operation is one frame; the floor is copying the state.
func BenchmarkStep(b *testing.B) {
	in, s := inputs(b), run(b, 1, nil, 0)
	var saved duel.State
	f := 0
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			duel.Step(&s, in[f&(len(in)-1)])
			f++
		}
	})
}

// The floor is copying the state too: the minimum that it takes to read every field once.
func BenchmarkChecksum(b *testing.B) {
	s := run(b, 1, nil, 0)
	var saved duel.State
	sum := uint32(0)
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			s.Frame = sum
			sum = duel.Checksum(&s)
		}
	})
}

// Measures the 64-bit hash of the same state, as the engine computes it.
func BenchmarkHash(b *testing.B) {
	s := run(b, 1, nil, 0)
	plan, err := canon.PlanFor[duel.State]()
	if err != nil {
		b.Fatal(err)
	}
	var saved duel.State
	floor.Compare(b, copies(&saved, &s), func(n int) {
		for range n {
			s.Frame = uint32(plan.Hash(&s))
		}
	})
}
