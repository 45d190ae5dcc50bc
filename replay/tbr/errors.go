package tbr

import (
	"errors"
	"fmt"
)

// The reasons of an [Error].
var (
	// ErrMagic means that the file is not a recording.
	ErrMagic = errors.New("not a recording")
	// ErrVersion means that the version of the format is unknown.
	ErrVersion = errors.New("unknown version")
	// ErrCut means that the file ends inside a chunk.
	ErrCut = errors.New("the file is cut off")
	// ErrOpen means that the recording was not closed. It ends with its last complete block.
	ErrOpen = errors.New("the recording was not closed")
	// ErrAppended means that something follows the end of a closed recording.
	ErrAppended = errors.New("something follows the end of the recording")
	// ErrChecksum means that a chunk is damaged.
	ErrChecksum = errors.New("damaged: the checksum does not match")
	// ErrRequired means that the file has a chunk of an unknown kind that readers must understand.
	ErrRequired = errors.New("unknown required chunk")
	// ErrOrder means that a chunk is in a wrong place, or that one is missing.
	ErrOrder = errors.New("chunks are out of order")
	// ErrRange means that a field has a value that no writer writes.
	ErrRange = errors.New("a value is out of range")
	// ErrIndex means that the index does not match the positions of the chunks.
	ErrIndex = errors.New("the index does not match the chunks")
	// ErrDigest means that the body does not match the digest at the end.
	ErrDigest = errors.New("the digest of the body does not match")
	// ErrNoKeyframe means that there is no keyframe at or before a frame.
	ErrNoKeyframe = errors.New("no keyframe")
	// ErrNoFrame means that a frame is not in the recording.
	ErrNoFrame = errors.New("the frame is not in the recording")
)

// The reasons why a [Writer] refuses a call.
var (
	// ErrHeader means that a field of the header has a value that is not allowed.
	ErrHeader = errors.New("tbr: no such header")
	// ErrGap means that a frame, hash or keyframe does not follow the last one written.
	ErrGap = errors.New("tbr: does not follow what was written")
	// ErrShape means that a frame does not have the shape in the header.
	ErrShape = errors.New("tbr: a frame of another shape")
	// ErrKind means that the caller may not write chunks of this kind.
	ErrKind = errors.New("tbr: not a kind of optional chunk")
	// ErrTooLarge means that a payload or state is too large.
	ErrTooLarge = errors.New("tbr: too large")
	// ErrClosed means that the writer is closed.
	ErrClosed = errors.New("tbr: the writer is closed")
)

// Error says what is wrong with a recording, and where.
type Error struct {
	Reason error  // one of the ErrX of this package
	Kind   Kind   // the kind of the chunk; zero if the error is not about a chunk
	Offset int64  // the position of the chunk in the file, in bytes
	Detail string // the values concerned
}

// Error gives the reason, the kind and position of the chunk, and the values.
func (e *Error) Error() string {
	s := "tbr: " + e.Reason.Error()
	if e.Kind != (Kind{}) {
		s += fmt.Sprintf(": chunk %s at byte %d", e.Kind, e.Offset)
	} else if e.Offset > 0 {
		s += fmt.Sprintf(": at byte %d", e.Offset)
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }
