package desync

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/internal/floor"
)

// One operation is the largest piece of work for an answer about a plain state of a
// megabyte: the digests of the children of the root. The floor is a copy of the state.
func BenchmarkDigestsOfAMegabyte(b *testing.B) {
	plan, err := canon.PlanFor[[1 << 17]uint64]()
	if err != nil {
		b.Fatal(err)
	}
	v := &plainView{layout{plan.ScalarAt, plan.Size()}, make([]byte, plan.Size())}
	to := make([]byte, plan.Size())
	depth := v.depth()
	var out [fan]uint64
	floor.Compare(b, func(n int) {
		for range n {
			copy(to, v.bytes)
		}
	}, func(n int) {
		for range n {
			v.digests(depth, 0, 0, &out)
		}
	})
}
