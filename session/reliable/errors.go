package reliable

import "errors"

// Errors of [New] and [Channel.Send].
var (
	// ErrConfig means a [Config] that cannot work; the message says why.
	ErrConfig = errors.New("reliable: bad config")
	// ErrEmpty means a message without bytes.
	ErrEmpty = errors.New("reliable: empty message")
	// ErrTooLong means a message above Config.MaxMessage, sent or received.
	ErrTooLong = errors.New("reliable: message is too long")
	// ErrFull means that the backlog has no room for the message now. Send it again when
	// [Channel.Pending] is lower.
	ErrFull = errors.New("reliable: backlog is full")
)

// Errors of [Channel.Consume], besides [ErrTooLong]. Each proves that the peer is broken or
// hostile; losses, duplicates and reordering cause none.
var (
	// ErrMalformed means a section that is truncated or not a valid encoding.
	ErrMalformed = errors.New("reliable: malformed section")
	// ErrNeverSent means an acknowledgement of a fragment that was not sent.
	ErrNeverSent = errors.New("reliable: acknowledgement of what was never sent")
	// ErrWindow means a fragment beyond the window.
	ErrWindow = errors.New("reliable: fragment beyond the window")
)
