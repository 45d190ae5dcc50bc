package tanks

import (
	"time"

	"github.com/tickback/tickback/predict"
)

// Motion is how inputs move a tank, for a client that predicts its own and for the server: in
// parts of a [Tick], of whole milliseconds. It knows walls, and no other tank: a push by one is
// what a client cannot foresee by it.
func Motion() predict.Motion[Tank, Input] {
	return predict.Motion[Tank, Input]{
		Step:    func(t *Tank, in Input, d time.Duration) { Drive(t, in, d.Milliseconds()) },
		Cadence: Tick,
		Unit:    time.Millisecond,
	}
}

// Config is that of a predictor of player p's own tank.
func Config(p predict.Player) predict.Config[Tank, Input] {
	return predict.Config[Tank, Input]{Motion: Motion(), Player: p}
}
