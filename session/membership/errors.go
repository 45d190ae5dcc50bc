package membership

import (
	"errors"
	"fmt"
)

// What is wrong with the bytes of a peer. All of them mean that it does not follow
// the protocol: give it up.
var (
	// ErrMalformed is bytes that no Append writes.
	ErrMalformed = errors.New("membership: malformed message")
	// ErrImpossible is a message that no member in its place can send.
	ErrImpossible = errors.New("membership: impossible message")
	// ErrConflict is a decision that contradicts one that is known, or that takes
	// back what was confirmed here.
	ErrConflict = errors.New("membership: conflicting decision")
)

// EntryError is an entry that cannot follow the log: [State.Apply].
type EntryError struct {
	Entry Entry
	Slot  uint32 // of the entry
	Why   string
}

// Error names the entry and what is wrong with it.
func (e *EntryError) Error() string {
	return fmt.Sprintf("membership: %v cannot be entry %d: %s", e.Entry, e.Slot, e.Why)
}

// WishError is a wish that cannot come true: [Core.Ask].
type WishError struct {
	Wish Wish
	Why  string
}

// Error names the wish and why it is refused.
func (e *WishError) Error() string {
	return fmt.Sprintf("membership: %v of %v cannot be asked for: %s", e.Wish.Kind, e.Wish.Players, e.Why)
}
