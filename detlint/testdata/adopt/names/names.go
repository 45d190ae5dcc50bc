// Package names has the names that adopted code would use, and a step with parameters of all kinds.
package names

import "time"

type (
	// Input is a name that is taken.
	Input struct{ keys uint8 }
	// World and Rules are both part of the state.
	World struct{ tick, record int }
	Rules struct{ hard bool }
	state int
)

var (
	online   bool
	record   int
	keyboard []Input
)

func play() {}

// MakeWorld makes a value.
func MakeWorld() World { return World{} }

// Step computes a frame of a world with some rules.
func Step(w *World, rules *Rules, inputs []Input, d time.Duration, seconds float32, names map[string]state) int {
	for range inputs {
		w.tick++
	}
	if rules.hard = !rules.hard; online && d > 0 && seconds > 0 && len(names) == 0 {
		record = w.tick
	}
	return len(keyboard)
}

// Set is what others do.
func Set(on bool) { online, keyboard = on, nil; play() }
