package world

import (
	"errors"
	"iter"
	"math/bits"
)

// Optional is a component that an entity may have or not, and may get and lose. T is plain, as [canon.PlanFor]
// requires. Entities without it cost nothing if no other entity of the page has it.
type Optional[T any] struct {
	pages[optionalPage[T]]
	rowColumn[T]
}

// optionalPage has the values of the rows that have the component; all others are zero.
type optionalPage[T any] struct {
	Present mask
	Rows    [Rows]T
}

func (c *Optional[T]) bind(b *binder, path string, table *Table, like part) {
	c.attach(b, path, like)
	c.rowColumn.bind(b, path, table)
	if table != nil {
		table.columns = append(table.columns, c)
	}
}

// Has reports whether an entity is alive and has the component. In a stage this refers to the state before the stage.
func (c *Optional[T]) Has(e Entity) bool {
	return c.table.Alive(e) && c.settled()[e.Row()/Rows].content.Present.has(e.Row()%Rows)
}

// Get returns the component of an entity, and false if it has none or is dead. In a stage this refers to the state
// before the stage.
func (c *Optional[T]) Get(e Entity) (T, bool) {
	if !c.Has(e) {
		return *new(T), false
	}
	return c.settled()[e.Row()/Rows].content.Rows[e.Row()%Rows], true
}

// Put adds the component to an entity, or changes it, and returns false if the entity is dead. In a stage or outside
// of a step it panics with a [*UseError]; use PutRow in a stage.
func (c *Optional[T]) Put(e Entity, v T) bool {
	c.store.changeable("Put", c.path, e.Row())
	if !c.table.Alive(e) {
		return false
	}
	c.put(e.Row()/Rows, e.Row()%Rows, v)
	return true
}

// Drop removes the component from an entity, and returns false if it has none or is dead. In a stage or outside of a
// step it panics with a [*UseError]; use DropRow in a stage.
func (c *Optional[T]) Drop(e Entity) bool {
	c.store.changeable("Drop", c.path, e.Row())
	if !c.Has(e) {
		return false
	}
	c.clearRow(e.Row()/Rows, e.Row()%Rows)
	return true
}

// PutRow and DropRow are like Put and Drop, for an occupied row of a chunk. In a stage that must be the stage's own
// chunk. As with [Column.Write], anything else panics.
func (c *Optional[T]) PutRow(k Chunk, row int, v T) {
	c.openRow("PutRow", k, row)
	c.put(int(k.number), row, v)
}

// DropRow removes the component from a row: see PutRow.
func (c *Optional[T]) DropRow(k Chunk, row int) {
	c.openRow("DropRow", k, row)
	c.clearRow(int(k.number), row)
}

func (c *Optional[T]) openRow(call string, k Chunk, row int) {
	if !c.writable(k) {
		c.refuse(call, c.path, k)
	}
	if k.owner.check(c.path, k); !k.Has(row) {
		panic(&UseError{Call: call, Path: c.path, Row: k.First() + row, Err: ErrDeadRow})
	}
}

func (c *Optional[T]) put(chunk, row int, v T) {
	c.watch.wrote(chunk)
	p := c.write(chunk)
	p.Present.add(row)
	p.Rows[row] = v
}

func (c *Optional[T]) clearRow(chunk, row int) {
	if c.list[chunk].content.Present.has(row) {
		c.watch.wrote(chunk)
		p := c.write(chunk)
		p.Present.remove(row)
		p.Rows[row] = c.zero.content.Rows[0]
	}
}

// present returns the page of a chunk as Read sees it.
func (c *Optional[T]) present(call string, k Chunk) *optionalPage[T] {
	if k.table != c.table {
		c.refuse(call, c.path, k)
	}
	if k.stage == c.store.stage {
		return c.list[k.number].content
	}
	return c.settled()[k.number].content
}

// Rows yields the rows of a chunk that have the component when the loop begins, in ascending order. In a stage, chunks
// other than its own are as before the stage.
func (c *Optional[T]) Rows(k Chunk) iter.Seq[int] {
	// Doing work outside of the returned function would prevent the compiler from inlining both functions, and then
	// every loop would allocate.
	return func(yield func(int) bool) {
		for w, v := range c.present("Rows", k).Present {
			for ; v != 0; v &= v - 1 {
				if !yield(w<<6 | bits.TrailingZeros64(v)) {
					return
				}
			}
		}
	}
}

// HasRow reports whether a row of a chunk has the component. It sees the same state as Rows.
func (c *Optional[T]) HasRow(k Chunk, row int) bool { return c.present("HasRow", k).Present.has(row) }

// Read returns the values in the rows of a chunk; rows without the component have zero. The rules are those of
// [Column.Read].
func (c *Optional[T]) Read(k Chunk) Values[T] {
	p := c.present("Read", k)
	k.owner.check(c.path, k)
	if k.stage != c.store.stage {
		return lendFound[T](&p.Rows, c.store, c.path, k)
	}
	return lend[T](&p.Rows, &c.pages.watch, c.store, c.path, k)
}

// Write returns the rows of a chunk, to change the values of those that have the component. The
// rules are those of [Column.Write].
func (c *Optional[T]) Write(k Chunk) Cells[T] {
	if !c.writable(k) {
		c.refuse("Write", c.path, k)
	}
	k.owner.check(c.path, k)
	c.watch.wrote(int(k.number))
	p := c.write(int(k.number))
	return open[T](&p.Rows, p.Present, c.store, c.path, k)
}

// finish returns an error if rows without an entity have the component.
func (c *Optional[T]) finish() error {
	for i, p := range c.list {
		for row := range p.content.Present.rows() {
			if !c.table.list[i].content.Live.has(row) {
				return &UseError{Call: "decoding", Path: c.path, Row: i*Rows + row, Err: errOfDead}
			}
		}
	}
	return nil
}

var errOfDead = errors.New("a component of what is dead")

func (c *Optional[T]) copyFrom(from paged) { c.shareFrom(&from.(*Optional[T]).pages) }
func (c *Optional[T]) reset()              { c.resize(0) }
func (*Optional[T]) head() (heading, int)  { return heading{}, 0 }
func (*Optional[T]) setHead(heading) error { return nil }
func (*Optional[T]) wanted(heading) uint64 { return 0 }
