package tanks_test

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/predict"
	"github.com/tickback/tickback/rollback"
)

// Two bots play a match, without an engine.
func Example() {
	state := tanks.New(2)
	bot := tanks.Bot{Seed: 2, Mood: tanks.Busy}
	for !state.Over() {
		var in [tanks.MaxPlayers]tanks.Input
		for p := range rollback.Player(2) {
			in[p] = bot.Input(p, rollback.Frame(state.Frame), &state)
		}
		tanks.Step(&state, &in, rollback.SetOf(0, 1), nil)
	}
	winner, ok := tanks.WinnerOf(state.Result())
	fmt.Println("player", winner, "has won:", ok)
	fmt.Println(state.Tanks[0].Kills, "kills to", state.Tanks[1].Kills)
	// Output:
	// player 0 has won: true
	// 9 kills to 8
}

// A client predicts its own tank.
func ExampleConfig() {
	start := tanks.Tank{Stance: tanks.Alive, Hp: tanks.FullHp, Pos: tanks.SpawnAt(4).Vec()}
	client, err := predict.New(start, tanks.Config(4))
	if err != nil {
		panic(err)
	}
	forwards := func() tanks.Input { return tanks.Input{Throttle: tanks.StickEnd} }
	for move, err := range client.Advance(120*time.Millisecond, forwards) {
		fmt.Println(move.Tick, move.For, err)
	}
	fmt.Println(client.State().Pos, client.Balance())
	// Output:
	// 1 50ms <nil>
	// 2 50ms <nil>
	// (-868, -560) 20ms
}

// A server sends each player what it may know.
func ExampleSight() {
	state := tanks.New(1)
	tanks.Step(&state, &[tanks.MaxPlayers]tanks.Input{}, rollback.SetOf(0, 1, 4), nil)
	view := state
	told := tanks.Sight(&view, 0)
	fmt.Println(told)
	for p := range 5 {
		fmt.Println(p, view.Tanks[p].Stance)
	}
	// Output:
	// players 0 and 4
	// 0 alive
	// 1 hidden
	// 2 absent
	// 3 absent
	// 4 alive
}
