package nav

import "errors"

// Errors about wrong use. The errors of this package wrap one of these.
var (
	// ErrSize says that this package does not accept the size of a map.
	ErrSize = errors.New("nav: width and height must be multiples of 16, with at most 262,144 cells in all")
	// ErrNoMap says that a navigator has not been shown a map yet.
	ErrNoMap = errors.New("nav: no map yet: call Look first")
	// ErrGoals says that a way has no goals, or too many.
	ErrGoals = errors.New("nav: a way takes 1 to 8 goals")
	// ErrCell says that a cell is not on the map.
	ErrCell = errors.New("nav: cell is not on the map")
	// ErrClosed says that a way was not asked for.
	ErrClosed = errors.New("nav: the way is free: call Ask first")
)
