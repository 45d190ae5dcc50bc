package world

import "strconv"

// Entity identifies what lives in a row of a table, until it dies. It is a plain value and can be stored in columns.
// The zero Entity identifies nothing.
//
// A reused row gets a new generation, so that an Entity from before is dead. (After 2^32 - 1 generations of one row
// they repeat.)
type Entity uint64

// The bits of an Entity, from the highest: 8 bits of the table's number, counted from 1; 24 bits of the row; 32 bits of
// the generation, which is never 0.
const (
	rowBits, generationBits = 24, 32

	// MaxTables and MaxRows limit a world and a table.
	MaxTables = 1<<8 - 1
	MaxRows   = 1 << rowBits
)

func entityOf(table, row int, generation uint32) Entity {
	return Entity(table)<<(rowBits+generationBits) | Entity(row)<<generationBits | Entity(generation)
}

// Row returns the row in its table: 0 to [MaxRows] - 1.
func (e Entity) Row() int { return int(e >> generationBits & (MaxRows - 1)) }

// Generation returns how often the row had been used when the entity was made, counting from 1.
func (e Entity) Generation() uint32 { return uint32(e) }

// table returns the number of the table, counted from 1, or 0 for the zero Entity.
func (e Entity) table() int { return int(e >> (rowBits + generationBits)) }

// String returns the number of the table, counted from 1, the row, and the generation: 1#4113/2.
func (e Entity) String() string {
	if e == 0 {
		return "nobody"
	}
	b := strconv.AppendInt(nil, int64(e.table()), 10)
	b = strconv.AppendInt(append(b, '#'), int64(e.Row()), 10)
	return string(strconv.AppendUint(append(b, '/'), uint64(e.Generation()), 10))
}
