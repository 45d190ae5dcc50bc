//go:build !worldcheck

package world

// checked says whether this build checks for misuse that is expensive to detect: see the tag worldcheck.
const checked = false

// Values are the values of a column in the rows of a chunk. Builds with the tag worldcheck detect when they are used
// after they have become invalid: see [Column.Read].
type Values[T any] struct{ rows *[Rows]T }

// At returns the value in a row of the chunk, 0 to [Rows] - 1.
func (v Values[T]) At(row int) T { return v.rows[row] }

// Ref returns the value in a row for reading in place, which is faster for large values. Writing to it would change
// snapshots.
func (v Values[T]) Ref(row int) *T { return &v.rows[row] }

// Cells are the rows of a chunk in a column, for writing. Builds with the tag worldcheck detect when they are used
// after they have become invalid, and writes to rows in which nothing lives: see [Column.Write].
type Cells[T any] struct{ rows *[Rows]T }

// At returns the value in a row of the chunk, 0 to [Rows] - 1, for reading or writing.
func (c Cells[T]) At(row int) *T { return &c.rows[row] }

func lend[T any](rows *[Rows]T, _ *watch, _ *store, _ string, _ Chunk) Values[T] {
	return Values[T]{rows}
}

func lendFound[T any](rows *[Rows]T, _ *store, _ string, _ Chunk) Values[T] { return Values[T]{rows} }

func open[T any](rows *[Rows]T, _ mask, _ *store, _ string, _ Chunk) Cells[T] { return Cells[T]{rows} }

// watch counts the writes to each page; owner is the goroutine that a chunk was given to.
type (
	watch struct{}
	owner struct{}
)

func (watch) grow(int)            {}
func (watch) wrote(int)           {}
func (owner) check(string, Chunk) {}

func newOwner() owner { return owner{} }
