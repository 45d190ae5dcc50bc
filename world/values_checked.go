//go:build worldcheck

//detlint:ignore foreign a build for tests: it looks for misuse, and computes nothing that the other does not
package world

import (
	"bytes"
	"errors"
	"runtime"
	"strconv"
)

// checked says whether this build checks for misuse that is expensive to detect: see the tag worldcheck.
const checked = true

// Values are the values of a column in the rows of a chunk. This build detects when they are used after they have
// become invalid: see [Column.Read].
type Values[T any] struct {
	rows    *[Rows]T
	watch   *watch // nil if the page cannot change
	version uint32
	loan
}

// Cells are the rows of a chunk in a column, for writing. This build detects when they are used after they have become
// invalid, and writes to rows in which nothing lives: see [Column.Write].
type Cells[T any] struct {
	rows *[Rows]T
	live mask
	loan
}

// loan records how long a page may be used.
type loan struct {
	store *store
	epoch uint32
	path  string
	chunk Chunk
}

func (l *loan) check(call string, row int) {
	if l.store.epoch != l.epoch {
		l.fail(call, row, ErrStale)
	}
}

func (l *loan) fail(call string, row int, err error) {
	panic(&UseError{Call: call, Path: l.path, Row: l.chunk.First() + row, Err: err})
}

// At returns the value in a row of the chunk, 0 to [Rows] - 1.
func (v Values[T]) At(row int) T { return *v.Ref(row) }

// Ref returns the value in a row for reading in place, which is faster for large values. Writing to it would change
// snapshots.
func (v Values[T]) Ref(row int) *T {
	v.check("reading", row)
	if v.watch != nil && v.watch.at(int(v.chunk.number)) != v.version {
		v.fail("reading", row, ErrStale)
	}
	return &v.rows[row]
}

// At returns the value in a row of the chunk, 0 to [Rows] - 1, for reading or writing.
func (c Cells[T]) At(row int) *T {
	if c.check("writing", row); !c.live.has(row) {
		c.fail("writing", row, ErrDeadRow)
	}
	return &c.rows[row]
}

func lend[T any](rows *[Rows]T, w *watch, s *store, path string, k Chunk) Values[T] {
	return Values[T]{rows, w, w.at(int(k.number)), loan{s, s.epoch, path, k}}
}

func lendFound[T any](rows *[Rows]T, s *store, path string, k Chunk) Values[T] {
	return Values[T]{rows: rows, loan: loan{s, s.epoch, path, k}}
}

func open[T any](rows *[Rows]T, live mask, s *store, path string, k Chunk) Cells[T] {
	return Cells[T]{rows, live, loan{s, s.epoch, path, k}}
}

// watch counts the writes to each page.
type watch struct{ versions []uint32 }

// grow makes room before a stage, in which chunks are written in parallel.
func (w *watch) grow(n int) {
	for len(w.versions) < n {
		w.versions = append(w.versions, 0)
	}
}

func (w *watch) wrote(chunk int) {
	w.grow(chunk + 1)
	w.versions[chunk]++
}

func (w *watch) at(chunk int) uint32 {
	if chunk >= len(w.versions) {
		return 0
	}
	return w.versions[chunk]
}

// owner is the goroutine to which a stage has given a chunk; 0: none.
type owner uint64

func newOwner() owner { return owner(goroutine()) }

var errOtherGoroutine = errors.New("the chunk was given to another goroutine: it may be written while it is read")

// check panics if a chunk was handed to another goroutine.
func (o owner) check(path string, k Chunk) {
	if o != 0 && k.stage == k.table.store.stage && uint64(o) != goroutine() {
		panic(&UseError{Call: "a stage", Path: path, Row: k.First(), Err: errors.Join(ErrOtherChunk, errOtherGoroutine)})
	}
}

// goroutine returns the number of the calling goroutine, which it has to read from a stack trace.
func goroutine() uint64 {
	var b [64]byte
	fields := bytes.Fields(b[:runtime.Stack(b[:], false)])
	n, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		panic("world: a trace without the number of the goroutine")
	}
	return n
}
