package membership

import (
	"errors"
	"fmt"
)

// Errors about a message from a peer. Each means that the peer violates the protocol: give it up.
var (
	// ErrMalformed means bytes that are not a valid encoding.
	ErrMalformed = errors.New("membership: malformed message")
	// ErrImpossible means a message that no correct member can send in its situation.
	ErrImpossible = errors.New("membership: impossible message")
	// ErrConflict means a decision that contradicts a known one, or that withdraws what this peer has confirmed.
	ErrConflict = errors.New("membership: conflicting decision")
)

// EntryError is returned by [LogState.Apply] for an entry that cannot follow the log.
type EntryError struct {
	Entry Entry
	Slot  uint32 // of the entry
	Why   string
}

// Error names the entry and the reason.
func (e *EntryError) Error() string {
	return fmt.Sprintf("membership: %v cannot be entry %d: %s", e.Entry, e.Slot, e.Why)
}

// WishError is returned by [Core.Ask] for a wish that cannot be granted.
type WishError struct {
	Wish Wish
	Why  string
}

// Error names the wish and the reason.
func (e *WishError) Error() string {
	return fmt.Sprintf("membership: %v of %v cannot be asked for: %s", e.Wish.Kind, e.Wish.Players, e.Why)
}
