package rollback_test

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Ball and Court are types of a game that knows nothing of rollback.
type Ball struct {
	x, v float64
	hit  *Ball
	tag  string
}

type Court struct {
	balls  []*Ball
	scores map[string]int
	window func() // shows the court
}

func newCourt() *Court {
	return &Court{balls: []*Ball{{v: 1, tag: "red"}, {x: 9, tag: "blue"}}, scores: map[string]int{}, window: func() {}}
}

func (c *Court) update(kick float64) {
	c.balls[1].v -= kick
	for _, b := range c.balls {
		b.x += b.v
	}
	if red, blue := c.balls[0], c.balls[1]; red.x >= blue.x {
		red.hit, red.v, blue.v = blue, -red.v, -blue.v
		c.scores[red.tag]++
		c.balls = append(c.balls, &Ball{x: red.x, tag: "spark"})
	}
}

// An existing game, with pointers, maps and floats, is rolled back without any code for it.
func ExampleSaveInPlace() {
	type input = int8
	game, err := rollback.SaveInPlace(rollback.OwnMemory[Court, canon.Memento[Court], input]{
		New:  newCourt,
		Step: func(c *Court, t *rollback.Tick[input]) { c.update(float64(t.Input(1))) },
	}, canon.Leave("Court.window"))
	if err != nil {
		panic(err)
	}
	engine, err := rollback.New(game, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8})
	if err != nil {
		panic(err)
	}
	for range 6 { // player 1 is predicted
		if err := engine.AddLocal(0, 0, nil); err != nil {
			panic(err)
		}
		if err := engine.Tick(); err != nil {
			panic(err)
		}
	}
	court := engine.State()
	fmt.Println(len(court.balls), court.balls[0].x, court.balls[1].x, court.scores)

	if err := engine.AddInput(1, 0, 1, nil); err != nil { // and kicks from frame 0 on
		panic(err)
	}
	if err := engine.Settle(); err != nil {
		panic(err)
	}
	fmt.Println(len(court.balls), court.balls[0].x, court.balls[1].x, court.scores, court.balls[0].hit.tag)
	// Output:
	// 2 6 9 map[]
	// 3 0 6 map[red:1] blue
}
