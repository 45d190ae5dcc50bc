package served

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/spectate"
)

// ErrEnd is the error after a match that was played to its end, the same as for spectators.
var ErrEnd = spectate.ErrEnd

// Closing is the reason sent by a server that ends before its match does.
const Closing = "it is shutting down"

// ByeError means that the server ended the connection, with its reason.
type ByeError struct{ Reason string }

// Error gives the reason of the server.
func (e *ByeError) Error() string { return "the server says: " + e.Reason }

// LostError means that the server has not answered, or has fallen silent.
type LostError struct {
	For  string // what we waited for
	Long time.Duration
}

// Error returns what we waited for, and for how long.
func (e *LostError) Error() string {
	return fmt.Sprintf("waited %v for %s", e.Long.Round(time.Millisecond), e.For)
}
