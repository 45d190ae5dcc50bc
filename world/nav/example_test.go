package nav_test

import (
	"fmt"

	"github.com/tickback/tickback/world/nav"
)

// The parts of a game's state that concern paths.
type state struct {
	Meter nav.Meter
	Ways  [4]nav.Way
	Units [2]nav.Cell // all of them follow way 0
}

// step is what a game does in a tick: the map, the answers, the moves.
func step(s *state, n *nav.Navigator, costs nav.Costs) error {
	if err := n.Look(costs); err != nil {
		return err
	}
	n.Advance(&s.Meter, s.Ways[:])
	field := n.Field(&s.Ways[0])
	if field == nil {
		return nil // it is not answered yet
	}
	for i, c := range s.Units {
		switch d := field.At(c.X(), c.Y()); d {
		case nav.Here: // it has arrived
		case nav.Lost:
			if err := n.ReportOffField(&s.Meter, &s.Ways[0], n.Nearest(c)); err != nil {
				return err
			}
		default:
			s.Units[i] = d.From(c)
		}
	}
	return nil
}

// Two units get the same order, and walk around a wall that is built while they are walking.
func Example() {
	costs, err := nav.NewGrid(64, 64, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	navigator := nav.New(nav.Config{})
	s := state{Meter: nav.Meter{PerTick: 4096}, Units: [2]nav.Cell{nav.CellAt(10, 20), nav.CellAt(12, 25)}}

	// In the step with the order:
	if err := navigator.Look(costs); err != nil {
		fmt.Println(err)
		return
	}
	if err := navigator.Ask(&s.Meter, &s.Ways[0], []nav.Cell{nav.CellAt(50, 20)}, s.Units[:]); err != nil {
		fmt.Println(err)
		return
	}
	for tick := range 60 {
		if tick == 10 {
			costs.Fill(30, 10, 2, 30, nav.Blocked)
		}
		if err := step(&s, navigator, costs); err != nil {
			fmt.Println(err)
			return
		}
		if tick%20 == 0 {
			fmt.Println(tick, s.Units)
		}
	}
	fmt.Println("in the end", s.Units)

	// Output:
	// 0 [(10, 20) (12, 25)]
	// 20 [(29, 9) (24, 14)]
	// 40 [(49, 19) (44, 14)]
	// in the end [(50, 20) (50, 20)]
}

// The field of a small map, seen from above: paths around a lake to the goal in the middle on the right.
func ExampleField() {
	costs, err := nav.NewGrid(16, 16, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	costs.Fill(5, 5, 5, 6, nav.Blocked)
	n := nav.New(nav.Config{})
	if err := n.Look(costs); err != nil {
		fmt.Println(err)
		return
	}
	meter, ways := nav.Meter{PerTick: 1000}, make([]nav.Way, 1)
	if err := n.Ask(&meter, &ways[0], []nav.Cell{nav.CellAt(13, 8)}, nil); err != nil {
		fmt.Println(err)
		return
	}
	n.Advance(&meter, ways)
	field := n.Field(&ways[0])
	signs := []rune("↑→↓←↗↘↙↖G#")
	for y := range 16 {
		for x := range 16 {
			fmt.Print(string(signs[field.At(x, y)]))
		}
		fmt.Println()
	}

	// Output:
	// →→→→→→↘↓↓↓↓↓↓↓↓↓
	// →→→→→→→↘↓↓↓↓↓↓↓↓
	// →→→→→→→→↘↓↓↓↓↓↓↓
	// →→→→→→→→→↘↓↓↓↓↓↓
	// →→→→→→→→→→↓↓↓↓↓↓
	// →→→↗↑#####↘↓↓↓↓↓
	// →→↗↑↑#####→↘↓↓↓↙
	// ↘↓↑↑↑#####→→↘↓↙←
	// →↘↓↓↓#####→→→G←←
	// →→↘↓↓#####→→↗↑↖←
	// →→→↘↓#####→↗↑↑↑↖
	// →→→→→→→→→→↗↑↑↑↑↑
	// →→→→→→→→→↗↑↑↑↑↑↑
	// →→→→→→→→↗↑↑↑↑↑↑↑
	// →→→→→→→↗↑↑↑↑↑↑↑↑
	// →→→→→→↗↑↑↑↑↑↑↑↑↑
}
