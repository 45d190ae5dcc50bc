package nav

import "errors"

// Errors about incorrect use. The errors of this package wrap one of these.
var (
	// ErrSize means that a map has a size that this package does not support.
	ErrSize = errors.New("nav: width and height must be multiples of 16, with at most 262,144 cells in all")
	// ErrNoMap means that a navigator has not been given a map yet.
	ErrNoMap = errors.New("nav: no map yet: call Look first")
	// ErrGoals means that a way has no goals, or too many.
	ErrGoals = errors.New("nav: a way takes 1 to 8 goals")
	// ErrCell means that a cell is not on the map.
	ErrCell = errors.New("nav: cell is not on the map")
	// ErrClosed means that a way has not been requested with [Navigator.Ask].
	ErrClosed = errors.New("nav: the way is free: call Ask first")
)
