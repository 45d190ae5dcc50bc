package tanks

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Script returns all players' inputs of a frame. It is called once for each frame, in order,
// from frame 0.
type Script func(f rollback.Frame) [MaxPlayers]Input

// Random returns a script of held inputs: in every frame, each player in turn takes a new random input with
// probability 1/8. It fires in half of them, and says that it saw the others up to 15 ticks ago, which is
// more than the rules count. The inputs depend only on the seed.
func Random(seed uint64) Script {
	const oneIn, ends, lags = 8, 2*StickEnd + 1, 16
	generator := rng.New(seed)
	var held [MaxPlayers]Input
	return func(rollback.Frame) [MaxPlayers]Input {
		for p := range held {
			if rng.Must(generator.Bounded(oneIn)) == 0 {
				held[p] = Input{
					Turn:     int8(int64(rng.Must(generator.Bounded(ends))) - StickEnd),
					Throttle: int8(int64(rng.Must(generator.Bounded(ends))) - StickEnd),
					Buttons:  Buttons(rng.Must(generator.Bounded(2))),
					Seen:     uint8(rng.Must(generator.Bounded(lags))),
				}
			}
		}
		return held
	}
}
