package arena

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Script returns all players' inputs of a frame. It is called once for each frame, in order,
// from frame 0.
type Script func(f rollback.Frame) [MaxPlayers]Input

// Random returns a script of held inputs: in every frame, each player in turn takes a new
// random stick and random buttons with probability 1/12. The inputs depend only on the seed.
func Random(seed uint64) Script {
	const oneIn, ends, buttons = 12, 2*StickEnd + 1, uint64(AllButtons) + 1
	generator := rng.New(seed)
	var held [MaxPlayers]Input
	return func(rollback.Frame) [MaxPlayers]Input {
		for p := range held {
			if rng.Must(generator.Bounded(oneIn)) == 0 {
				held[p] = Input{
					X:       int8(int64(rng.Must(generator.Bounded(ends))) - StickEnd),
					Y:       int8(int64(rng.Must(generator.Bounded(ends))) - StickEnd),
					Buttons: Buttons(rng.Must(generator.Bounded(buttons))),
				}
			}
		}
		return held
	}
}
