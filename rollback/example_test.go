package rollback_test

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
)

// A race: who holds the button longest. This is a whole game.
type race struct {
	Distance [2]int32
}

func runRace(s *race, t *rollback.Tick[bool]) {
	for p := range t.Players() {
		if t.Input(p) {
			s.Distance[p]++
		}
	}
	if t.Frame() == 9 {
		winner := uint64(0)
		if s.Distance[1] > s.Distance[0] {
			winner = 1
		}
		t.Finish(winner)
	}
}

// Player 0 is here, and player 1 is three frames away.
func Example() {
	game := rollback.Game[race, bool]{Step: runRace}
	e, err := rollback.New(game, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	const late = 3
	for f := rollback.Frame(0); f < 10; f++ {
		if f >= late { // player 1 runs from frame 2 on
			err = e.AddInput(1, f-late, f-late >= 2, nil)
		}
		if e.NeedsInput(0) {
			err = e.AddLocal(0, f%2 == 0, nil)
		}
		if err == nil {
			err = e.Tick()
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if f == 5 {
			fmt.Println("frame 5, predicted:", *e.State())
		}
	}
	_, over := e.Result()
	provisional, _ := e.Provisional()
	fmt.Println("over:", over, "- but it looks as if player", provisional.Result, "has won")

	for f := rollback.Frame(7); f < 10; f++ {
		if err := e.AddInput(1, f, true, nil); err != nil {
			fmt.Println(err)
		}
	}
	if err := e.Agree(e.Confirmed()); err != nil { // the others have everything, too
		fmt.Println(err)
	}
	outcome, over := e.Result()
	fmt.Println("over:", over, "- player", outcome.Result, "has won, in frame", outcome.Frame)
	fmt.Println("rollbacks:", e.Stats().Rollbacks)
	// Output:
	// frame 5, predicted: {[3 4]}
	// over: false - but it looks as if player 1 has won
	// over: true - player 1 has won, in frame 9
	// rollbacks: 1
}

// A sync test finds what a step has no business to depend on.
func ExampleConfig_syncTest() {
	luck := int32(0) // outside the state
	game := rollback.Game[race, bool]{Step: func(s *race, t *rollback.Tick[bool]) {
		runRace(s, t)
		if luck++; luck%5 == 0 {
			s.Distance[0] += luck
		}
	}}
	e, err := rollback.New(game, rollback.Config{Players: 2, SyncTest: 2, Local: rollback.SetOf(0, 1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for err == nil {
		for p := range rollback.Player(2) {
			err = e.AddLocal(p, true, nil)
		}
		if err == nil {
			err = e.Tick()
		}
	}
	fmt.Println(err)
	// Output:
	// frame 1 came out differently when simulated again, state 2:
	// Distance[0]: 2 != 7
}
