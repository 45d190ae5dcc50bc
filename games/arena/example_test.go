package arena_test

import (
	"fmt"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
)

// Two bots play a match, without an engine.
func Example() {
	state := arena.New(1)
	present := rollback.SetOf(0, 1)
	bots := [2]arena.Bot{{Seed: 1, Skill: arena.Hard}, {Seed: 2, Skill: arena.Easy}}

	for f := rollback.Frame(0); state.Phase != arena.MatchOver; f++ {
		var in [arena.MaxPlayers]arena.Input
		for p := range rollback.Player(2) {
			in[p] = bots[p].Input(p, f, &state)
		}
		arena.Step(&state, &in, present, nil)
	}

	winner, ok := arena.WinnerOf(state.Result())
	fmt.Println("player", winner, "has won:", ok)
	fmt.Println(state.Fighters[0].Wins, "rounds to", state.Fighters[1].Wins)
	// Output:
	// player 0 has won: true
	// 3 rounds to 0
}
