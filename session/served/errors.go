package served

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/spectate"
)

// ErrEnd is the end of a match that has been played to its end: that of spectators.
var ErrEnd = spectate.ErrEnd

// Closing is what a server says that ends before its match does.
const Closing = "it is shutting down"

// ByeError is what the server has said when it ended the connection.
type ByeError struct{ Reason string }

// Error gives the reason of the server.
func (e *ByeError) Error() string { return "the server says: " + e.Reason }

// LostError says that the server has not answered, or has been silent.
type LostError struct {
	For  string // what was awaited
	Long time.Duration
}

// Error says what was awaited, and for how long.
func (e *LostError) Error() string {
	return fmt.Sprintf("waited %v for %s", e.Long.Round(time.Millisecond), e.For)
}
