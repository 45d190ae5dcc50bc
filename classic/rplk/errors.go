package rplk

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The reasons why a recording is rejected, in the order in which they are checked.
var (
	// ErrShortHeader means that the file ends inside the header.
	ErrShortHeader = errors.New("the header is cut short")
	// ErrMagic means that the file does not begin with "RPLK".
	ErrMagic = errors.New("not an RPLK recording")
	// ErrVersion means that the version is not 1.
	ErrVersion = errors.New("unsupported version")
	// ErrFlags means that a flag is set; version 1 has none.
	ErrFlags = errors.New("unknown flags")
	// ErrHeaderSize means that the header size is not 32.
	ErrHeaderSize = errors.New("wrong header size")
	// ErrSeed means that the seed is 0, from which no match can start.
	ErrSeed = errors.New("the seed is 0")
	// ErrStartFrame means that the start frame is not 0.
	ErrStartFrame = errors.New("the recording does not start at frame 0")
	// ErrReserved means that a reserved byte is not 0.
	ErrReserved = errors.New("reserved bytes are not 0")
	// ErrLength means that the payload is shorter or longer than the frame count says.
	ErrLength = errors.New("length does not match the frame count")
	// ErrChecksum means that the payload is damaged.
	ErrChecksum = errors.New("damaged payload: its CRC-32 does not match")
)

// Error describes a rejected recording. Reason is one of the ErrX of this package; Got and Want are the values
// concerned, lengths in bytes.
type Error struct {
	Reason    error
	Got, Want uint64
}

// Error gives the reason and the values.
func (e *Error) Error() string {
	switch e.Reason {
	case ErrMagic:
		return fmt.Sprintf("rplk: %v: it begins with %q", e.Reason, binary.LittleEndian.AppendUint32(nil, uint32(e.Got)))
	case ErrSeed:
		return fmt.Sprintf("rplk: %v", e.Reason)
	case ErrShortHeader:
		return fmt.Sprintf("rplk: %v: %d bytes of %d", e.Reason, e.Got, e.Want)
	case ErrLength:
		if e.Got > e.Want {
			return fmt.Sprintf("rplk: %v: data after the end of its %d bytes", e.Reason, e.Want)
		}
		return fmt.Sprintf("rplk: %v: %d bytes of %d", e.Reason, e.Got, e.Want)
	case ErrChecksum, ErrFlags, ErrReserved:
		return fmt.Sprintf("rplk: %v: %#x, want %#x", e.Reason, e.Got, e.Want)
	}
	return fmt.Sprintf("rplk: %v: %d, want %d", e.Reason, e.Got, e.Want)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }
