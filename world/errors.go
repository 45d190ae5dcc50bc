package world

import (
	"errors"
	"strconv"
)

// Why a call is refused: errors.Is finds these in a [*UseError].
var (
	// ErrOutsideStep means a change outside of a step: only a step may change a world.
	ErrOutsideStep = errors.New("only a step may change a world")
	// ErrInStage means a call that a stage must not make, since other chunks run beside it.
	ErrInStage = errors.New("not in a stage, where chunks run side by side: push it into a Later, and do it after the stage")
	// ErrInStep means a call that a step must not make, since it is still writing.
	ErrInStep = errors.New("not in a step, which is still writing: do it between two steps")
	// ErrNotInStep means a stage that is run outside of a step.
	ErrNotInStep = errors.New("a stage is a part of a step")
	// ErrOtherChunk means rows of a chunk other than the one that the stage was given.
	ErrOtherChunk = errors.New("a stage writes the rows of the chunk that it is given, and no others")
	// ErrOtherTable means a chunk that belongs to another table.
	ErrOtherTable = errors.New("the chunk belongs to another table")
	// ErrFrozen means a change of a snapshot.
	ErrFrozen = errors.New("a snapshot does not change")
	// ErrDead means an entity that is dead, or was never alive in this table.
	ErrDead = errors.New("the entity is dead, or of another table")
	// ErrFull means that a table, a grid or a map has as many rows, cells or keys as it can.
	ErrFull = errors.New("it is full")
	// ErrStale means a page that has been written since it was read, or whose step or stage is over.
	// Only builds with the tag worldcheck notice it.
	ErrStale = errors.New("the page has been written since, or its step or stage is over")
	// ErrDeadRow means a write to a row in which nothing lives. Only builds with the tag
	// worldcheck notice it.
	ErrDeadRow = errors.New("nothing lives in this row, and dead rows are zero")
	// ErrInDrain means a Drain in the loop over another Drain of the same commands.
	ErrInDrain = errors.New("the commands are being drained already")
	// ErrLeft means deferred commands that a step has left behind.
	ErrLeft = errors.New("deferred commands are left at the end of the step: drain them in it")
)

// UseError says what in a world was used in a way that it must not be.
type UseError struct {
	Call string // such as Set
	Path string // of the table, column or other part, such as Units.Health
	Row  int    // in the table, or -1
	Err  error  // one of the above
}

// noRow is the Row of an error about a part as a whole.
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
