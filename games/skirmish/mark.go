package skirmish

import "github.com/tickback/tickback/world/near"

// The mark of a unit's point in the grid has what others need to know about it. From the lowest bit on: its side,
// which is its class; its kind; and, if it rests around a goal, the cell of that + 1.
const (
	kindBit    = near.Classes
	restingBit = kindBit * 8
	rowBit     = 1 << 10 // the maximum number of cells in a row of a map
)

// markOf returns the mark of a unit.
func markOf(who *Who, task *Task) uint32 {
	mark := uint32(who.Side)%near.Classes + uint32(who.Kind)*kindBit
	if task.Rests() {
		mark += resting(task.Goal)
	}
	return mark
}

// resting returns the part of a mark that says around which goal a unit rests.
func resting(goal Spot) uint32 {
	return (uint32(goal.Y>>6)*rowBit + uint32(goal.X>>6) + 1) * restingBit
}

// restingOf returns around which goal the unit at a point rests: 0 if it does not rest.
func restingOf(p near.Point) uint32 { return p.Mark &^ (restingBit - 1) }

// kindOf returns the kind of the unit at a point.
func kindOf(p near.Point) Kind { return Kind(p.Mark / kindBit % 8) }
