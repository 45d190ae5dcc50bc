package membership

import (
	"errors"
	"fmt"
)

// Errors about what a peer sent. Each means that it does not follow the protocol: give
// the peer up.
var (
	// ErrMalformed means bytes that no Append writes.
	ErrMalformed = errors.New("membership: malformed message")
	// ErrImpossible means a message that no member in its place can send.
	ErrImpossible = errors.New("membership: impossible message")
	// ErrConflict means a decision that contradicts a known one, or that takes back
	// what this peer has confirmed.
	ErrConflict = errors.New("membership: conflicting decision")
)

// EntryError is what [LogState.Apply] returns for an entry that cannot follow the log.
type EntryError struct {
	Entry Entry
	Slot  uint32 // of the entry
	Why   string
}

// Error names the entry and the reason.
func (e *EntryError) Error() string {
	return fmt.Sprintf("membership: %v cannot be entry %d: %s", e.Entry, e.Slot, e.Why)
}

// WishError is what [Core.Ask] returns for a wish that cannot be granted.
type WishError struct {
	Wish Wish
	Why  string
}

// Error names the wish and the reason.
func (e *WishError) Error() string {
	return fmt.Sprintf("membership: %v of %v cannot be asked for: %s", e.Wish.Kind, e.Wish.Players, e.Why)
}
