package tanks

import (
	"time"

	"github.com/tickback/tickback/predict"
)

// Motion returns how inputs move a tank, for a client that predicts its own tank and for the server: in parts
// of a [Tick], of whole milliseconds. It knows the walls, but no other tanks: a client cannot predict being
// pushed by one.
func Motion() predict.Motion[Tank, Input] {
	return predict.Motion[Tank, Input]{
		Step:    func(t *Tank, in Input, d time.Duration) { Drive(t, in, d.Milliseconds()) },
		Cadence: Tick,
		Unit:    time.Millisecond,
	}
}

// Config returns the configuration of a predictor for player p's own tank.
func Config(p predict.Player) predict.Config[Tank, Input] {
	return predict.Config[Tank, Input]{Motion: Motion(), Player: p}
}
