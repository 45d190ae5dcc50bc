package world

import (
	"errors"
	"iter"
)

// Rows is the number of rows of a page.
const Rows = 256

// Table holds entities. It is embedded in a struct whose other fields are the columns of these
// entities: [Column] and [Optional].
//
//	type Units struct {
//		world.Table
//		Pos    world.Column[fixed.Vec2]
//		Target world.Optional[world.Entity]
//	}
//
// Rows never move, and an entity gets the lowest free row. So the order of iteration depends only on which rows are
// occupied, not on their history. An empty row is zero in all columns.
type Table struct {
	pages[rowPage]
	number  int // counted from 1
	columns []staged
	live    int
	lowest  int // the first chunk that may have a free row
}

// rowPage records what lives in the rows of a chunk.
type rowPage struct {
	Generations [Rows]uint32 // for each row, of the entity that lives in it or was the last one in it
	Live        mask
}

func (t *Table) bind(b *binder, path string, _ *Table, like part) {
	t.attach(b, path, like)
	b.store.tables = append(b.store.tables, t)
	if t.number = len(b.store.tables); t.number > MaxTables {
		b.refuse(path, errTables)
	}
}

var errTables = errors.New("world: more than 255 tables")

// Spawn makes an entity in the lowest free row. All its columns are zero, and it has no optional
// components. The error is a [*UseError] with [ErrOutsideStep], [ErrInStage], [ErrFrozen] or
// [ErrFull]: entities come and go only in a step, between stages, so that their order is the same
// everywhere.
func (t *Table) Spawn() (Entity, error) {
	if t.store.phase != inStep {
		return 0, t.store.refusal("Spawn", t.path, noRow)
	}
	for t.lowest < len(t.list) && t.list[t.lowest].content.Live.free() == Rows {
		t.lowest++
	}
	chunk := t.lowest
	if chunk == len(t.list) {
		if chunk == MaxRows/Rows {
			return 0, &UseError{Call: "Spawn", Path: t.path, Row: noRow, Err: ErrFull}
		}
		t.grow(chunk + 1)
	}
	p := t.write(chunk)
	row := p.Live.free()
	p.Live.add(row)
	if p.Generations[row]++; p.Generations[row] == 0 {
		p.Generations[row] = 1
	}
	t.live++
	return entityOf(t.number, chunk*Rows+row, p.Generations[row]), nil
}

// grow adds chunks until there are that many.
func (t *Table) grow(chunks int) {
	t.resize(chunks)
	for _, c := range t.columns {
		c.resize(chunks)
	}
}

// Kill removes an entity: its row becomes zero in all columns, and free. The error is [ErrDead] if it is not alive in
// this table, or a [*UseError] as for [Table.Spawn].
func (t *Table) Kill(e Entity) error {
	if t.store.phase != inStep {
		return t.store.refusal("Kill", t.path, e.Row())
	}
	if !t.Alive(e) {
		return ErrDead
	}
	chunk, row := e.Row()/Rows, e.Row()%Rows
	t.write(chunk).Live.remove(row)
	for _, c := range t.columns {
		c.clearRow(chunk, row)
	}
	t.live--
	t.lowest = min(t.lowest, chunk)
	return nil
}

// Alive reports whether an entity lives in this table.
func (t *Table) Alive(e Entity) bool {
	chunk, row := e.Row()/Rows, e.Row()%Rows
	if e.table() != t.number || chunk >= len(t.list) {
		return false
	}
	p := t.list[chunk].content
	return p.Generations[row] == e.Generation() && p.Live.has(row)
}

// Len returns how many entities live.
func (t *Table) Len() int { return t.live }

// At returns the entity that lives in a row of the table, or the zero Entity.
func (t *Table) At(row int) Entity {
	if row < 0 || row/Rows >= len(t.list) {
		return 0
	}
	p := t.list[row/Rows].content
	if !p.Live.has(row % Rows) {
		return 0
	}
	return entityOf(t.number, row, p.Generations[row%Rows])
}

// Chunks yields the occupied chunks in ascending order. A chunk shows the entities that live in it when it is yielded.
func (t *Table) Chunks() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		// This function is short so that the compiler can inline it into the loop, together with the loop's body.
		for c := t.after(-1); c.number >= 0 && yield(c); c = t.after(c.number) {
		}
	}
}

// after returns the next occupied chunk, or one with number -1.
func (t *Table) after(number int32) Chunk {
	for i := int(number) + 1; i < len(t.list); i++ {
		if !t.list[i].content.Live.empty() {
			return t.chunk(i)
		}
	}
	return Chunk{number: -1}
}

func (t *Table) chunk(i int) Chunk {
	return Chunk{table: t, live: t.list[i].content.Live, number: int32(i)}
}

// All yields the entities, in ascending order of rows. The loop may kill them, and spawn others. If it kills a later
// one in the same chunk, that one is still yielded.
func (t *Table) All() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for c := range t.Chunks() {
			for row := range c.Live() {
				if !yield(c.Entity(row)) {
					return
				}
			}
		}
	}
}

func (t *Table) copyFrom(from paged) {
	f := from.(*Table)
	t.shareFrom(&f.pages)
	t.live, t.lowest = f.live, f.lowest
}

func (t *Table) reset() {
	t.resize(0)
	t.live, t.lowest = 0, 0
}

func (t *Table) head() (heading, int) { return heading{uint64(len(t.list))}, 1 }

func (t *Table) wanted(h heading) uint64 {
	return min(h[0], MaxRows) * uint64(1+len(t.columns))
}

func (t *Table) setHead(h heading) error {
	if h[0] > MaxRows/Rows {
		return ErrFull
	}
	t.grow(int(h[0]))
	return nil
}

// finish counts the entities, and checks that rows are used from the lowest on: the first row of every chunk must have
// been used.
func (t *Table) finish() error {
	t.live, t.lowest = 0, 0
	unused := false
	for i, p := range t.list {
		for row, g := range p.content.Generations {
			unused = unused || g == 0
			if unused && (g != 0 || row == 0 || p.content.Live.has(row)) {
				return &UseError{Call: "decoding", Path: t.path, Row: i*Rows + row, Err: errNeverUsed}
			}
		}
		t.live += p.content.Live.len()
	}
	return nil
}

var errNeverUsed = errors.New("rows are used from the lowest on, and this one was never used")
