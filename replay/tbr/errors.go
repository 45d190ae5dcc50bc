package tbr

import (
	"errors"
	"fmt"
)

// The reasons of an [Error].
var (
	// ErrMagic: the file is no recording.
	ErrMagic = errors.New("not a recording")
	// ErrVersion: the file has a version of the format that is not known.
	ErrVersion = errors.New("unknown version")
	// ErrCut: the file ends inside a chunk.
	ErrCut = errors.New("the file is cut off")
	// ErrOpen: the recording was not closed. It ends with its last whole block.
	ErrOpen = errors.New("the recording was not closed")
	// ErrAppended: the recording was closed, and something follows its end.
	ErrAppended = errors.New("something follows the end of the recording")
	// ErrChecksum: a chunk is damaged.
	ErrChecksum = errors.New("damaged: the checksum does not match")
	// ErrRequired: a chunk that readers must understand is not known.
	ErrRequired = errors.New("unknown required chunk")
	// ErrOrder: a chunk is where it may not be, or one is missing.
	ErrOrder = errors.New("chunks are out of order")
	// ErrRange: a value that no writer writes.
	ErrRange = errors.New("a value is out of range")
	// ErrIndex: the index does not say where the chunks are.
	ErrIndex = errors.New("the index does not match the chunks")
	// ErrDigest: the body is not the one whose digest is given at the end.
	ErrDigest = errors.New("the digest of the body does not match")
	// ErrNoKeyframe: there is no keyframe at a frame or before it.
	ErrNoKeyframe = errors.New("no keyframe")
	// ErrNoFrame: the recording does not have a frame.
	ErrNoFrame = errors.New("the frame is not in the recording")
)

// The reasons for which a [Writer] refuses a call.
var (
	// ErrHeader: a field of the header is not allowed.
	ErrHeader = errors.New("tbr: no such header")
	// ErrGap: a frame, hash or keyframe does not follow what was written.
	ErrGap = errors.New("tbr: does not follow what was written")
	// ErrShape: a frame of another shape than the header says.
	ErrShape = errors.New("tbr: a frame of another shape")
	// ErrKind: a kind of chunk that is not the caller's to write.
	ErrKind = errors.New("tbr: not a kind of optional chunk")
	// ErrTooLarge: a payload or state is too large.
	ErrTooLarge = errors.New("tbr: too large")
	// ErrClosed: the writer is closed.
	ErrClosed = errors.New("tbr: the writer is closed")
)

// Error says what is wrong with a recording, and where.
type Error struct {
	Reason error  // one of the ErrX of this package
	Kind   Kind   // of the chunk; zero if it is about none
	Offset int64  // of the chunk in the file, in bytes
	Detail string // the values it is about
}

// Error gives the reason, the chunk and the values.
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
