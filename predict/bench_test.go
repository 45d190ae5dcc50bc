package predict_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/predict"
)

// An update with so many moves pending, beside the moves alone: what the replay of a
// round trip costs.
func BenchmarkAccept(b *testing.B) {
	for _, pending := range []int{2, 5, 20} {
		b.Run(fmt.Sprintf("%d_moves", pending), func(b *testing.B) {
			p := newClient(b, 64).Predictor
			held := stick{Turn: 1, Throttle: 2}
			for range pending {
				if _, err := p.Do(held, cadence); err != nil {
					b.Fatal(err)
				}
			}
			u := predict.Update[pose]{Player: 3}
			var bare pose
			moves := func(n int) {
				for range n * pending {
					drive(&bare, held, cadence)
				}
			}
			floor.Compare(b, moves, func(n int) {
				for range n {
					u.Frame++
					if _, err := p.Accept(&u); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
