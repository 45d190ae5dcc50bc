package tickbacktest_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/tickbacktest"
)

// Cart is what a player drives, and Push what it does.
type Cart struct{ Pos, Speed int64 }

type Push int64

var carts = predict.Motion[Cart, Push]{
	Cadence: 50 * time.Millisecond, Unit: time.Millisecond,
	Step: func(c *Cart, in Push, d time.Duration) {
		c.Speed += int64(in) * d.Milliseconds() / 1000
		c.Pos += c.Speed * d.Milliseconds() / 1000
	},
}

// One line tests that live play, replays and the server reach the same states.
func ExamplePrediction() {
	test := func(t *testing.T) { // func TestPrediction(t *testing.T) {
		tickbacktest.Prediction(t, carts, tickbacktest.PredictionOptions[Cart, Push]{})
	}
	_ = test
}

// The motion of the example passes.
func TestTheMotionOfTheExamplePasses(t *testing.T) {
	tickbacktest.Prediction(t, carts, tickbacktest.PredictionOptions[Cart, Push]{})
}
