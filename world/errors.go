package world

import (
	"errors"
	"strconv"
)

// The reasons why a call is refused: use errors.Is to find them in a [*UseError].
var (
	// ErrOutsideStep means that a change was made outside of a step: only a step may change a world.
	ErrOutsideStep = errors.New("only a step may change a world")
	// ErrInStage means that a call must not be made in a stage, since other chunks run at the same time.
	ErrInStage = errors.New("not in a stage, where chunks run side by side: push it into a Later, and do it after the stage")
	// ErrInStep means that a call must not be made in a step, which is still writing.
	ErrInStep = errors.New("not in a step, which is still writing: do it between two steps")
	// ErrNotInStep means that a stage was run outside of a step.
	ErrNotInStep = errors.New("a stage is a part of a step")
	// ErrOtherChunk means that a stage used rows of a chunk other than its own.
	ErrOtherChunk = errors.New("a stage writes the rows of the chunk that it is given, and no others")
	// ErrOtherTable means that a chunk belongs to another table.
	ErrOtherTable = errors.New("the chunk belongs to another table")
	// ErrFrozen means that a snapshot cannot be changed.
	ErrFrozen = errors.New("a snapshot does not change")
	// ErrDead means that an entity is dead, or was never alive in this table.
	ErrDead = errors.New("the entity is dead, or of another table")
	// ErrFull means that a table, a grid or a map has the maximum number of rows, cells or keys.
	ErrFull = errors.New("it is full")
	// ErrStale means that a page was written since it was read, or that its step or stage is over. Only builds with the
	// tag worldcheck detect it.
	ErrStale = errors.New("the page has been written since, or its step or stage is over")
	// ErrDeadRow means that a row was written in which nothing lives. Only builds with the tag worldcheck detect it.
	ErrDeadRow = errors.New("nothing lives in this row, and dead rows are zero")
	// ErrInDrain means that Drain was called in the loop over another Drain of the same commands.
	ErrInDrain = errors.New("the commands are being drained already")
	// ErrLeft means that a step has left deferred commands behind.
	ErrLeft = errors.New("deferred commands are left at the end of the step: drain them in it")
)

// UseError says which part of a world was used in the wrong way, and how.
type UseError struct {
	Call string // the method, such as Set
	Path string // the table, column or other part, such as Units.Health
	Row  int    // the row in the table, or -1
	Err  error  // one of the errors above
}

// noRow is the Row of an error about a whole part.
const noRow = -1

// Error names the part, the row, the call and the reason.
func (e *UseError) Error() string {
	b := "world: " + e.Path
	if e.Row >= 0 {
		b += " row " + strconv.Itoa(e.Row)
	}
	return b + ": " + e.Call + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *UseError) Unwrap() error { return e.Err }
