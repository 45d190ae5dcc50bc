package reliable

import "errors"

// What [New] and [Channel.Send] refuse.
var (
	// ErrConfig is a [Config] that makes no sense; the message says what.
	ErrConfig = errors.New("reliable: bad config")
	// ErrEmpty is a message without bytes.
	ErrEmpty = errors.New("reliable: empty message")
	// ErrTooLong is a message above Config.MaxMessage, sent or received.
	ErrTooLong = errors.New("reliable: message is too long")
	// ErrFull is a message for which the backlog has no room now. Send it again
	// when [Channel.Pending] is lower.
	ErrFull = errors.New("reliable: backlog is full")
)

// What [Channel.Consume] finds wrong, besides [ErrTooLong]. Each proves that the
// peer is broken or hostile; losses, duplicates and reordering cause none.
var (
	// ErrMalformed is a section that is cut short or that no Append writes.
	ErrMalformed = errors.New("reliable: malformed section")
	// ErrNeverSent is an acknowledgement of a fragment that was not sent yet.
	ErrNeverSent = errors.New("reliable: acknowledgement of what was never sent")
	// ErrWindow is a fragment beyond the window.
	ErrWindow = errors.New("reliable: fragment beyond the window")
)
