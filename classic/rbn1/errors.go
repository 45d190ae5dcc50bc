package rbn1

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The reasons why a packet is rejected. Decoding checks them in this order, except for ErrDestination, which is about
// the caller's memory.
var (
	// ErrShort means that there are fewer bytes than the fixed part of a packet.
	ErrShort = errors.New("shorter than a packet's fixed part")
	// ErrMagic means that the packet does not begin with "RBN1".
	ErrMagic = errors.New("not an RBN1 packet")
	// ErrVersion means that the version is not 1.
	ErrVersion = errors.New("unsupported version")
	// ErrFlags means that a reserved flag bit is set.
	ErrFlags = errors.New("reserved flag bits set")
	// ErrCount means that the number of inputs is not 1 to 32.
	ErrCount = errors.New("input count outside 1 to 32")
	// ErrLength means that the length of the packet does not match its flags and count.
	ErrLength = errors.New("length does not match flags and count")
	// ErrDestination means that the memory given to [Encode] or [DecodeInto] is too small.
	ErrDestination = errors.New("destination too short")
)

// Error describes a rejected packet. Reason is one of the ErrX of this package; Got and Want are the values concerned,
// in bytes or as the value of a field.
type Error struct {
	Reason    error
	Got, Want uint32
}

// Error gives the reason and the values.
func (e *Error) Error() string {
	switch e.Reason {
	case ErrMagic:
		return fmt.Sprintf("rbn1: %v: it begins with %q", e.Reason, binary.LittleEndian.AppendUint32(nil, e.Got))
	case ErrVersion, ErrFlags:
		return fmt.Sprintf("rbn1: %v: %#x, want %#x", e.Reason, e.Got, e.Want)
	case ErrCount:
		return fmt.Sprintf("rbn1: %v: %d", e.Reason, e.Got)
	}
	return fmt.Sprintf("rbn1: %v: %d, want %d", e.Reason, e.Got, e.Want)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }
