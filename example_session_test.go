package tickback_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
)

// A match without a screen, between a server that checks and a bot in training. It ends after half a second.
func ExampleLocal() {
	match, err := tickback.Local(game, tickback.Options[State, Input]{
		Players: 2,
		Sample:  func(p tickback.Player) Input { return Input{} },
		Match:   tickback.Parameters{Seed: 42, Frames: 30},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer match.Close()
	for {
		wait, err := match.Update()
		if end, over := match.Outcome(); over {
			fmt.Println("over after", end.Frames, "frames")
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		match.Wait(wait)
	}
	// Output:
	// over after 30 frames
}

// screen is an engine that owns the loop and waits for the display.
type screen struct{}

func (screen) closed() bool                   { return true }
func (screen) show(State, State, float64)     {}
func (screen) swapAndWaitForDisplay()         {}
func (screen) sleepUntilNext(_ time.Duration) {}

// vsync is a loop that draws whenever the display shows a picture, whatever its rate: usually one frame has become due,
// sometimes none or two.
func vsync(display screen, match *tickback.Match[State, Input]) error {
	for !display.closed() {
		if _, err := match.Update(); err != nil {
			return err
		}
		v := match.View()
		display.show(*v.Previous, *v.Current, v.Fraction)
		display.swapAndWaitForDisplay()
	}
	return nil
}

// emulator is the loop of an engine that runs exactly one frame at a time: it sleeps as long as the session asks.
func emulator(display screen, match *tickback.Match[State, Input]) error {
	for !display.closed() {
		period, err := match.Advance()
		if err != nil {
			return err
		}
		v := match.View()
		display.show(*v.Previous, *v.Current, 1)
		display.sleepUntilNext(period)
	}
	return nil
}

var _, _ = vsync, emulator
