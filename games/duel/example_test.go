package duel_test

import (
	"fmt"

	"github.com/tickback/tickback/games/duel"
)

// A match is its seed and its inputs; the checksum of the last state proves how
// it ended.
func Example() {
	state, err := duel.New(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	// Player 1 runs up and attacks; player 2 stands still.
	for range 36 {
		duel.Step(&state, [2]duel.Input{duel.Right, 0})
	}
	duel.Step(&state, [2]duel.Input{duel.Attack, 0})

	fmt.Println("player 1 is", state.P[0].State)
	fmt.Println("player 2 is in", state.P[1].State, "with", state.P[1].Hp, "health")
	fmt.Printf("frame %d, checksum 0x%08X\n", state.Frame, duel.Checksum(&state))
	// Output:
	// player 1 is attacking
	// player 2 is in hitstun with 75 health
	// frame 37, checksum 0xD5A8816C
}

// A copy of the state is a snapshot: stepping on from it gives the same again.
func ExampleStep_rollback() {
	script, err := duel.Scripted("random", 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	var inputs [60][2]duel.Input
	for f := range inputs {
		inputs[f] = script(uint32(f))
	}
	state, err := duel.New(7)
	if err != nil {
		fmt.Println(err)
		return
	}
	saved := state
	for _, in := range inputs {
		duel.Step(&state, in)
	}
	first := state

	state = saved
	for _, in := range inputs {
		duel.Step(&state, in)
	}
	fmt.Println(state == first)
	// Output: true
}
