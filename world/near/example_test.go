package near_test

import (
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world/near"
)

// Units look for the nearest enemy, and push each other apart.
func Example() {
	at := func(x, y int64) fixed.Vec2 { return fixed.Vec2{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }
	positions := []fixed.Vec2{at(10, 10), at(12, 10), at(10, 13), at(40, 40), at(13, 13)}
	owner := []int{0, 1, 1, 1, 0}

	grid, err := near.New(near.Config{Width: 64 * fixed.One, Height: 64 * fixed.One, Cell: 4 * fixed.One})
	if err != nil {
		fmt.Println(err)
		return
	}
	grid.Build(positions) // in each tick

	for i, p := range positions {
		enemy, ok := grid.Nearest(p, 10*fixed.One, func(id uint32) bool { return owner[id] != owner[i] })
		fmt.Println(i, enemy.ID, ok)
	}
	for pair := range grid.Pairs(3 * fixed.One) {
		fmt.Println("close:", pair.A, pair.B)
	}

	// Output:
	// 0 1 true
	// 1 0 true
	// 2 0 true
	// 3 0 false
	// 4 2 true
	// close: 0 1
	// close: 0 2
	// close: 2 4
}
