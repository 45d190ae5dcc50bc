package nav

import (
	"fmt"

	"github.com/tickback/tickback/fixed"
)

// Cell is a cell of a map, or [Nowhere]: y in the high half, x in the low half. Cells are ordered row by row, from the
// top; that order breaks ties.
type Cell uint32

// Nowhere means no cell.
const Nowhere Cell = 1<<32 - 1

// CellAt returns the cell in column x and row y, or [Nowhere] unless both are at least 0 and below
// 65,535.
func CellAt(x, y int) Cell { return cellAt(int64(x), int64(y)) }

func cellAt(x, y int64) Cell {
	if uint64(x) >= 1<<16-1 || uint64(y) >= 1<<16-1 {
		return Nowhere
	}
	return Cell(y<<16 | x)
}

// CellOf returns the cell that a position is in, where a cell is a square with sides of 1 and cell
// (0, 0) begins at the origin.
func CellOf(p fixed.Vec2) Cell { return cellAt(p.X.Int(), p.Y.Int()) }

// X returns the column of a cell.
func (c Cell) X() int { return int(c & 0xFFFF) }

// Y returns the row of a cell.
func (c Cell) Y() int { return int(c >> 16) }

// Centre returns the position in the middle of a cell.
func (c Cell) Centre() fixed.Vec2 {
	return fixed.Vec2{X: fixed.FromInt(int64(c.X())) + fixed.Half, Y: fixed.FromInt(int64(c.Y())) + fixed.Half}
}

// String returns "(x, y)".
func (c Cell) String() string {
	if c == Nowhere {
		return "nowhere"
	}
	return fmt.Sprintf("(%d, %d)", c.X(), c.Y())
}

// squared returns the square of the distance between the centres of two cells.
func (c Cell) squared(d Cell) int64 {
	x, y := int64(c.X()-d.X()), int64(c.Y()-d.Y())
	return x*x + y*y
}

// Direction is the direction to go from a cell. If several neighbours are equally good, a field has the direction that
// is first in this order.
type Direction uint8

// The directions: y grows to the south. The straight ones come first.
const (
	North Direction = iota
	East
	South
	West
	NorthEast
	SouthEast
	SouthWest
	NorthWest
	Here // this cell is a goal
	Lost // the field does not lead from here to a goal
)

const (
	directions = 8
	opposite   = 2 // d^opposite is the opposite direction
	diagonal   = 4 // this value and higher ones are diagonal
)

// The steps of the directions.
var (
	stepX = [directions]int{0, 1, 0, -1, 1, 1, -1, -1}
	stepY = [directions]int{-1, 0, 1, 0, -1, 1, 1, -1}
)

// halfRoot is the square root of 1/2, rounded to nearest.
const halfRoot fixed.Num = 46341

var vectors = [...]fixed.Vec2{
	{Y: -fixed.One},
	{X: fixed.One},
	{Y: fixed.One},
	{X: -fixed.One},
	{X: halfRoot, Y: -halfRoot},
	{X: halfRoot, Y: halfRoot},
	{X: -halfRoot, Y: halfRoot},
	{X: -halfRoot, Y: -halfRoot},
}

var names = [...]string{"north", "east", "south", "west", "north-east", "south-east", "south-west", "north-west", "here", "lost"}

// Vec returns the vector of length 1 in a direction, or the zero vector for [Here] and [Lost].
func (d Direction) Vec() fixed.Vec2 {
	if d >= directions {
		return fixed.Vec2{}
	}
	return vectors[d]
}

// From returns the neighbour of a cell in a direction: the cell itself for [Here] and [Lost], and [Nowhere] before the
// first row or column.
func (d Direction) From(c Cell) Cell {
	if d >= directions || c == Nowhere {
		return c
	}
	return CellAt(c.X()+stepX[d], c.Y()+stepY[d])
}

// String returns the name of a direction, such as "north-east".
func (d Direction) String() string {
	if int(d) >= len(names) {
		return fmt.Sprintf("direction %d", uint8(d))
	}
	return names[d]
}
