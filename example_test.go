package tickback_test

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rng"
)

// State is a small game: a ball that is steered.
type State struct {
	Frame uint32
	Ball  fixed.Vec2
	Speed fixed.Vec2
	Rng   rng.Xorshift128Plus
}

// Step drives the state of one frame to the next. Nothing else may influence it.
func Step(s *State, steer fixed.Num) {
	s.Frame++
	s.Speed = s.Speed.Rotate(steer)
	s.Ball = s.Ball.Add(s.Speed)
}

// A game is a value and a step. Two copies that are given the same inputs stay
// equal; canon says so, and what differs if they do not.
func Example() {
	plan, err := canon.PlanFor[State]()
	if err != nil {
		fmt.Println(err) // names every field that could differ between machines
		return
	}
	mine := State{Speed: fixed.Vec2{X: fixed.One}, Rng: rng.New(42)}
	theirs := mine
	quarter := fixed.FromRatio(1, 4)
	for range 600 {
		Step(&mine, quarter)
		Step(&theirs, quarter)
	}
	fmt.Println(plan.Hash(&mine) == plan.Hash(&theirs))

	theirs.Speed.X = theirs.Speed.X.Add(fixed.Half)
	fmt.Println(plan.Hash(&mine) == plan.Hash(&theirs))
	fmt.Println(plan.Diff(&mine, &theirs, 10))
	// Output:
	// true
	// false
	// Speed.X: 0.699188232421875 != 1.199188232421875
}

// The reference game: replay inputs, compare the checksum of the last state.
func Example_duel() {
	script, err := duel.Scripted("golden", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := duel.New(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for frame := range uint32(1000) {
		duel.Step(&state, script(frame))
	}
	fmt.Printf("0x%08X\n", duel.Checksum(&state))
	// Output: 0x41B73DB7
}
