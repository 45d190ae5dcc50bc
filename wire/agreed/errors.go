package agreed

import "errors"

var (
	// ErrShape is a shape that no match has.
	ErrShape = errors.New("agreed: no such shape of a match")
	// ErrShort is a frame that ends too early.
	ErrShort = errors.New("agreed: the frame is cut off")
	// ErrRange is a value that no frame has.
	ErrRange = errors.New("agreed: a value is out of range")
	// ErrGap is a frame that does not follow the one before.
	ErrGap = errors.New("agreed: a frame is missing")
	// ErrGone is a frame that a log does not hold, or not any more.
	ErrGone = errors.New("agreed: the frame is not held")
)
