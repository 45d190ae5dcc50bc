package world

import (
	"iter"
	"slices"
)

// Later is a list of commands, of any one type, that stages issue and the step carries out afterwards: movements,
// damage, entities to spawn or kill. Each chunk has its own list, and they are drained in a fixed order, whichever
// chunk was processed first.
//
// It is not part of the state: a step must drain everything that it pushes, or it panics with a [*UseError] at its end.
type Later[C any] struct {
	chunked[lane[C]]
	drained  []C
	draining bool
}

// lane is the list of one chunk. Lists that are neighbours in memory are written by different processors.
type lane[C any] struct {
	list []C
	_    [40]byte
}

// chunked has a value for each chunk, by table and chunk.
type chunked[E any] struct {
	store  *store
	path   string
	tables [][]*E
}

func (c *chunked[E]) bind(b *binder, path string, _ *Table, _ part) { c.store, c.path = b.store, path }

func (c *chunked[E]) room(table, chunks int) {
	for len(c.tables) <= table {
		c.tables = append(c.tables, nil)
	}
	for len(c.tables[table]) < chunks {
		c.tables[table] = append(c.tables[table], new(E))
	}
}

// of returns the value of a chunk.
func (c *chunked[E]) of(call string, k Chunk) *E {
	s := c.store
	if s.phase != inStep && s.phase != inStage {
		panic(s.refusal(call, c.path, noRow))
	}
	if k.table == nil || k.table.store != s {
		panic(&UseError{Call: call, Path: c.path, Row: k.First(), Err: ErrOtherTable})
	}
	if s.phase == inStage && k.stage != s.stage {
		panic(&UseError{Call: call, Path: c.path, Row: k.First(), Err: ErrOtherChunk})
	}
	if k.owner.check(c.path, k); s.phase == inStep {
		c.room(k.table.number, int(k.number)+1)
	}
	return c.tables[k.table.number][k.number]
}

// all yields the values of all chunks, in order of tables and chunks.
func (c *chunked[E]) all() iter.Seq[*E] {
	return func(yield func(*E) bool) {
		for _, t := range c.tables {
			for _, e := range t {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Push appends a command to the list of a chunk. In a stage that must be the stage's own chunk; another one, or a call
// outside of a step, panics with a [*UseError].
func (l *Later[C]) Push(k Chunk, command C) {
	n := l.of("Push", k)
	n.list = append(n.list, command)
}

// Drain yields and removes all commands, in order of table, chunk, and pushing. Breaking out of the loop drops the
// rest. Commands pushed in the loop are left for the next Drain. In a stage, outside of a step or in a loop over
// another Drain of the same Later, it panics with a [*UseError].
func (l *Later[C]) Drain() iter.Seq[C] { return l.drain(nil) }

// DrainSorted is like Drain, but yields the commands in the order of compare, a function as for [slices.SortFunc].
// Equal commands stay in the order of Drain. If compare distinguishes all different commands, it does not matter which
// chunk pushed which.
func (l *Later[C]) DrainSorted(compare func(a, b C) int) iter.Seq[C] { return l.drain(compare) }

func (l *Later[C]) drain(compare func(a, b C) int) iter.Seq[C] {
	return func(yield func(C) bool) {
		l.gather()
		if compare != nil {
			slices.SortStableFunc(l.drained, compare)
		}
		l.draining = true
		defer l.done()
		for _, c := range l.drained {
			if !yield(c) {
				return
			}
		}
	}
}

// gather moves all commands into one list.
func (l *Later[C]) gather() {
	l.store.changeable("Drain", l.path, noRow)
	if l.draining {
		panic(&UseError{Call: "Drain", Path: l.path, Row: noRow, Err: ErrInDrain})
	}
	for n := range l.all() {
		l.drained = append(l.drained, n.list...)
		clear(n.list)
		n.list = n.list[:0]
	}
}

func (l *Later[C]) done() {
	clear(l.drained)
	l.drained, l.draining = l.drained[:0], false
}

// Len returns how many commands are waiting. In a stage it panics with a [*UseError].
func (l *Later[C]) Len() (n int) {
	l.store.changeable("Len", l.path, noRow)
	for lane := range l.all() {
		n += len(lane.list)
	}
	return n
}

// begin drops the commands that are left from a step that panicked.
func (l *Later[C]) begin() {
	for lane := range l.all() {
		clear(lane.list)
		lane.list = lane.list[:0]
	}
	l.done()
}

func (l *Later[C]) end() {
	for lane := range l.all() {
		if len(lane.list) > 0 {
			panic(&UseError{Call: "the step", Path: l.path, Row: noRow, Err: ErrLeft})
		}
	}
}

// Sum is a sum over chunks that stages add to. It wraps on overflow, as Go's + does, so that the sum does not depend on
// the order. (A saturated sum would depend on it: do not add with methods of fixed.Num.) It is not part of the state,
// and is zero when a step begins.
type Sum[T Key] struct{ chunked[part64[T]] }

// part64 is the sum of one chunk.
type part64[T Key] struct {
	sum T
	_   [56]byte
}

// Add adds to the sum. In a stage, the chunk must be the stage's own; another one, or a call outside of a step, panics
// with a [*UseError].
func (s *Sum[T]) Add(k Chunk, v T) { s.of("Add", k).sum += v }

// Take returns the sum and resets it to zero. In a stage or outside of a step it panics with a [*UseError].
func (s *Sum[T]) Take() (sum T) {
	s.store.changeable("Take", s.path, noRow)
	for p := range s.all() {
		sum += p.sum
		p.sum = 0
	}
	return sum
}

func (s *Sum[T]) begin() {
	for p := range s.all() {
		p.sum = 0
	}
}

func (s *Sum[T]) end() {}

// Scratch is working memory that belongs to a chunk, so that no two goroutines share it. It is not part of the state.
// Its content at the beginning of a stage is undefined: its purpose is to reuse the memory of slices. (Builds with the
// tag worldcheck clear it before each stage.)
type Scratch[T any] struct{ chunked[scratch[T]] }

type scratch[T any] struct {
	memory T
	_      [64]byte
}

// For returns the memory of a chunk. In a stage that must be the stage's own chunk; another one, or a call outside of a
// step, panics with a [*UseError].
func (s *Scratch[T]) For(k Chunk) *T { return &s.of("For", k).memory }

func (s *Scratch[T]) room(table, chunks int) {
	s.chunked.room(table, chunks)
	if checked {
		for m := range s.all() {
			m.memory = *new(T)
		}
	}
}

func (s *Scratch[T]) begin() {}
func (s *Scratch[T]) end()   {}
