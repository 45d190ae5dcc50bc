package tickbacktest_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// Input is what one player does.
type Input struct{ Left, Right bool }

// State is where the players are.
type State struct{ X [2]int32 }

func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		if in := t.Input(p); in.Left != in.Right {
			if in.Left {
				s.X[p]--
			} else {
				s.X[p]++
			}
		}
	}
}

// In a game's own test file, this is all that is needed.
func ExampleCheck() {
	game := rollback.Game[State, Input]{Step: step}

	test := func(t *testing.T) { // func TestDeterminism(t *testing.T) {
		tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: 2})
	}
	_ = test
}

// A match can be a script, or inputs can be drawn by the game's own generator.
func ExampleOptions() {
	game := rollback.Game[State, Input]{Step: step}
	script := tickbacktest.Options[Input]{
		Frames: 600,
		Inputs: func(p rollback.Player, f rollback.Frame) Input { return Input{Left: f%(7+rollback.Frame(p)) < 3} },
	}
	drawn := tickbacktest.Options[Input]{
		Generate: rapid.SampledFrom([]Input{{}, {Left: true}, {Right: true}}),
	}

	test := func(t *testing.T) {
		tickbacktest.SyncTest(t, game, script)
		tickbacktest.Purity(t, game, drawn)
	}
	_ = test
}

// The line was printed by a failure. It remains as a test.
func ExampleReplay() {
	game := rollback.Game[State, Input]{Step: step}

	test := func(t *testing.T) {
		tickbacktest.Replay(t, game, "tb1.gQcCAgEDAQACAQAAwmNaHg")
	}
	_ = test
}

// The digest was printed by the test itself, when it was still 0.
func ExampleFrozen() {
	game := rollback.Game[State, Input]{Step: step}

	test := func(t *testing.T) {
		tickbacktest.Frozen(t, game, tickbacktest.Options[Input]{}, 0xd49db3e654f6399b)
	}
	_ = test
}

// The line and the digest in the examples are right, and their game passes.
func TestTheExamplesAreTrue(t *testing.T) {
	game := rollback.Game[State, Input]{Step: step}
	tickbacktest.Check(t, game, tickbacktest.Options[Input]{Players: 2})
	tickbacktest.Replay(t, game, "tb1.gQcCAgEDAQACAQAAwmNaHg")
	tickbacktest.Frozen(t, game, tickbacktest.Options[Input]{}, 0xd49db3e654f6399b)
}
