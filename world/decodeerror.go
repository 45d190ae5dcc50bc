package world

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tickback/tickback/canon"
)

// DecodeError says why bytes are not an encoding of a world, or not a delta.
type DecodeError struct {
	World  string // the type of the world
	Path   string // the part that was read, such as Units.Health; empty for the beginning of the encoding
	Row    int    // the row in the table or the place in a map, if it is known; else -1
	Offset int    // how many bytes were read
	Err    error
}

// Error names the world, the part, the row, the offset and the reason.
func (e *DecodeError) Error() string {
	where := e.World
	if e.Path != "" {
		where += "." + e.Path
	}
	if e.Row >= 0 {
		where += " row " + strconv.Itoa(e.Row)
	}
	why := e.Err
	var u *UseError
	if errors.As(why, &u) {
		why = u.Err // those of the UseError are already in the DecodeError
	}
	return fmt.Sprintf("world: byte %d of the encoding of %s: %v; it is corrupt, or of another build", e.Offset, where, why)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// rowIn returns the row that an error about a whole part names, or -1.
func rowIn(err error) int {
	var u *UseError
	if errors.As(err, &u) {
		return u.Row
	}
	return noRow
}

// rowOf returns the row at which a page of a table's column cannot be read, or -1. A page has its rows in an array,
// whose index comes first in the path of a value.
func rowOf(p paged, page int, err error) int {
	var b *canon.BoolError
	if _, of := p.(staged); !of || !errors.As(err, &b) {
		return noRow
	}
	_, index, _ := strings.Cut(b.Path, "[")
	index, _, _ = strings.Cut(index, "]")
	row, _ := strconv.ParseInt(index, 10, 32) // it is an index, always
	return page*Rows + int(row)
}
