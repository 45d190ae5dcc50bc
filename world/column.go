package world

import "github.com/tickback/tickback/canon"

// Column is a component that every entity of a table has. T is plain, as [canon.PlanFor] requires.
type Column[T any] struct {
	pages[[Rows]T]
	rowColumn[T]
}

// rowColumn is a column without its pages.
type rowColumn[T any] struct {
	table *Table
	row   *canon.Plan[T]
}

func (c *Column[T]) bind(b *binder, path string, table *Table, like part) {
	c.attach(b, path, like)
	c.rowColumn.bind(b, path, table)
	if table != nil {
		table.columns = append(table.columns, c)
	}
}

func (c *rowColumn[T]) bind(b *binder, path string, table *Table) {
	var err error
	if c.table = table; table == nil {
		b.problem(path, "a column without a table", "embed world.Table in the struct that it stands in")
	} else if c.row, err = canon.PlanFor[T](); err != nil {
		b.refuse(path, err)
	}
}

// refuse panics if a chunk belongs to another table, or, outside of reading, if it may not be written.
func (c *rowColumn[T]) refuse(call, path string, k Chunk) {
	e := c.table.store.refusal(call, path, k.First())
	switch {
	case k.table != c.table:
		e.Err = ErrOtherTable
	case e.Err == ErrInStage && k.table == c.table:
		e.Err = ErrOtherChunk
	case c.table.store.phase == inStep:
		e.Err = ErrStale // the chunk belongs to a stage that is over
	}
	panic(e)
}

// writable reports whether the rows of a chunk may be written: in a step, or in the stage that provided the chunk.
func (c *rowColumn[T]) writable(k Chunk) bool {
	s := c.table.store
	return k.table == c.table && k.stage == s.stage && (s.phase == inStep || s.phase == inStage)
}

// Read returns the values in the rows of a chunk. In a stage these are the current values of the stage's own chunk, and
// for all other chunks the values from before the stage.
//
// They are valid until the column is next written in this chunk, and at most until the end of the stage or step: read
// them again then.
func (c *Column[T]) Read(k Chunk) Values[T] {
	if k.table != c.table {
		c.refuse("Read", c.path, k)
	}
	k.owner.check(c.path, k)
	if k.stage != c.store.stage {
		return c.Before(k)
	}
	return lend[T](c.list[k.number].content, &c.pages.watch, c.store, c.path, k)
}

// Before returns the values in the rows of a chunk from before the running stage. Outside of stages it is Read.
func (c *Column[T]) Before(k Chunk) Values[T] {
	if k.table != c.table {
		c.refuse("Before", c.path, k)
	}
	return lendFound[T](c.settled()[k.number].content, c.store, c.path, k)
}

// Write returns the rows of a chunk for writing: in a step, or in a stage those of the stage's own chunk. Anything else
// is a bug of the game, and panics with a [*UseError]. The page is copied first if a snapshot or the running stage
// needs its old content.
//
// The rows are valid until the stage or the step ends. Do not write to rows in which nothing lives.
func (c *Column[T]) Write(k Chunk) Cells[T] {
	if !c.writable(k) {
		c.refuse("Write", c.path, k)
	}
	k.owner.check(c.path, k)
	c.watch.wrote(int(k.number))
	return open[T](c.write(int(k.number)), k.live, c.store, c.path, k)
}

// Get returns the value of an entity, and false if it is dead. In a stage it is the value from before the stage.
func (c *Column[T]) Get(e Entity) (T, bool) {
	if !c.table.Alive(e) {
		return *new(T), false
	}
	return c.settled()[e.Row()/Rows].content[e.Row()%Rows], true
}

// Set changes the value of an entity, and returns false if it is dead. In a stage or outside of a
// step it panics with a [*UseError].
func (c *Column[T]) Set(e Entity, v T) bool {
	c.store.changeable("Set", c.path, e.Row())
	if !c.table.Alive(e) {
		return false
	}
	c.watch.wrote(e.Row() / Rows)
	c.write(e.Row() / Rows)[e.Row()%Rows] = v
	return true
}

func (c *Column[T]) clearRow(chunk, row int) {
	if zero := &c.zero.content[0]; !c.row.Equal(&c.list[chunk].content[row], zero) {
		c.watch.wrote(chunk)
		c.write(chunk)[row] = *zero
	}
}

func (c *Column[T]) copyFrom(from paged) { c.shareFrom(&from.(*Column[T]).pages) }
func (c *Column[T]) reset()              { c.resize(0) }
func (c *Column[T]) finish() error       { return nil }
func (*Column[T]) head() (heading, int)  { return heading{}, 0 }
func (*Column[T]) setHead(heading) error { return nil }
func (*Column[T]) wanted(heading) uint64 { return 0 }
