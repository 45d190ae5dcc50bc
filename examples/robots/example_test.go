package robots_test

import (
	"fmt"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
)

// Two robots are given programs in frame 0, and fight it out. The second player's
// orders come six frames late: that is a rollback.
func Example() {
	engine, err := rollback.New(robots.Game(1), rollback.Config{
		Players: 2, Local: rollback.SetOf(0), Window: 8, MaxOrders: robots.MaxProgram,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	programs := [2][]byte{robots.Wanderer(), robots.Sower()}
	const late = 6
	for {
		f := engine.Frame()
		var orders [2][]byte
		if f == 0 {
			orders[0] = programs[0]
		}
		if f == late {
			orders[1] = programs[1]
		}
		if f >= late {
			err = engine.AddInput(1, f-late, robots.None, orders[1])
		}
		if err == nil {
			err = engine.AddLocal(0, robots.None, orders[0])
		}
		if err == nil {
			err = engine.Tick()
		}
		if err == nil {
			err = engine.Agree(engine.Confirmed())
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if end, over := engine.Result(); over {
			world := engine.State()
			fmt.Println("player", end.Result-1, "has won in frame", end.Frame)
			fmt.Println("the score is", world.Robots[0].Score, "to", world.Robots[1].Score)
			fmt.Println("frames simulated twice:", engine.Stats().Resimulated)
			return
		}
	}
	// Output:
	// player 1 has won in frame 2653
	// the score is 0 to 3
	// frames simulated twice: 6
}
