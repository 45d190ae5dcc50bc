package agreed

import "errors"

var (
	// ErrShape means that a shape is not possible for a match.
	ErrShape = errors.New("agreed: no such shape of a match")
	// ErrShort means that a frame ends too early.
	ErrShort = errors.New("agreed: the frame is cut off")
	// ErrRange means that a value is not possible in a frame.
	ErrRange = errors.New("agreed: a value is out of range")
	// ErrGap means that a frame does not follow the one before.
	ErrGap = errors.New("agreed: a frame is missing")
	// ErrGone means that a log does not yet hold a frame, or no longer holds it.
	ErrGone = errors.New("agreed: the frame is not held")
)
