package world

import "iter"

// Chunk is the rows of one page of a table, with the entities that lived in them when it was made. It is a small value:
// use it in the loop or stage that yields it.
type Chunk struct {
	table  *Table
	live   mask
	number int32
	stage  uint32 // the stage that provided the chunk for writing; 0: none
	owner  owner
}

// Live yields the occupied rows of the chunk, 0 to [Rows] - 1, in ascending order.
func (c Chunk) Live() iter.Seq[int] { return c.live.rows() }

// Len returns how many entities live in the chunk.
func (c Chunk) Len() int { return c.live.len() }

// Has reports whether an entity lives in a row of the chunk.
func (c Chunk) Has(row int) bool { return uint(row) < Rows && c.live.has(row) }

// Entity returns the entity that lives in a row of the chunk, or the zero Entity.
func (c Chunk) Entity(row int) Entity {
	if !c.Has(row) {
		return 0
	}
	return entityOf(c.table.number, int(c.number)*Rows+row, c.table.settled()[c.number].content.Generations[row])
}

// First returns the number of the chunk's first row in its table.
func (c Chunk) First() int { return int(c.number) * Rows }
