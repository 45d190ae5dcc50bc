package predict

import (
	"iter"
	"time"
)

// Substeps yields the parts in which a duration is simulated: as many whole
// cadences as fit, and then the remainder, if there is one. With a cadence of 50 ms,
// 150 ms are 50+50+50, 120 ms are 50+50+20, and 30 ms are 30.
//
// A remainder belongs to its move, and is not carried into the next one: two moves of 120 ms are 50+50+20+50+50+20, at
// the client, in a replay and at the server. Carrying it would turn them into 50+50+50+50+40, and a step of 50 ms that
// belongs to two moves could neither be acknowledged nor replayed with only one of them.
//
// A duration of 0 or less has no parts. It panics if the cadence is not positive.
func Substeps(d, cadence time.Duration) iter.Seq[time.Duration] {
	if cadence <= 0 {
		panic("predict: the cadence of substeps has to be above 0")
	}
	return func(yield func(time.Duration) bool) {
		for left := d; left > 0; left -= cadence {
			if !yield(min(left, cadence)) {
				return
			}
		}
	}
}
