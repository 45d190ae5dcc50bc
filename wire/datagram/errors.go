package datagram

import "errors"

// The reasons why a datagram is rejected. All of them mean that it is not from a peer that follows the protocol, or
// that it was damaged on the way.
var (
	ErrShort     = errors.New("the datagram ends too early")
	ErrKind      = errors.New("no such kind of datagram")
	ErrMagic     = errors.New("not a Tickback datagram")
	ErrVarint    = errors.New("not a number in its shortest form")
	ErrRange     = errors.New("a number out of its range")
	ErrPlayers   = errors.New("a set with players whom the match does not have")
	ErrTrailing  = errors.New("bytes after the end")
	ErrGap       = errors.New("inputs that do not follow those that are known")
	ErrConflict  = errors.New("a second, different input for a frame")
	ErrInputCode = errors.New("inputs that are not coded as they must be")
)
