package rooms

import (
	"errors"
	"fmt"
)

// Failures that callers may want to distinguish, with errors.Is.
var (
	// ErrFull says that a room has no free place of the requested kind.
	ErrFull = errors.New("the room is full")
	// ErrSeatTaken says that another member has the seat, or that the room has no such seat.
	ErrSeatTaken = errors.New("the seat is taken")
	// ErrGone says that a room does not exist: it has ended, never existed, or has another link since a kick.
	ErrGone = errors.New("the room is gone")
	// ErrMember says that a ticket is no longer valid: its place was given up.
	ErrMember = errors.New("the place in the room is gone")
	// ErrGame says that a room is for another game, or another build of it (see [MismatchError]), or that the server
	// has no rooms for the game.
	ErrGame = errors.New("the room is for something else")
	// ErrRate says that a client sends too much or connects too often, or that its address has too many rooms or
	// connections.
	ErrRate = errors.New("too many messages")
	// ErrServerFull says that the server has no place for more.
	ErrServerFull = errors.New("the server is full")
	// ErrShutdown says that the server shuts down.
	ErrShutdown = errors.New("the server shuts down")
	// ErrExpired says that a room has reached its maximum age or was idle for too long, or that a full server needed
	// its place.
	ErrExpired = errors.New("the room has ended")
	// ErrReplaced says that the place was taken over with the same ticket: the page was opened twice.
	ErrReplaced = errors.New("the place was taken over from elsewhere")
	// ErrKicked says that the host has removed this member, who cannot come back, or one from the same address.
	ErrKicked = errors.New("sent away by the host")
	// ErrSlow says that the client does not read the messages that it is sent. The server only counts it: such a
	// client is cut off without a message.
	ErrSlow = errors.New("the client is too slow")
	// ErrHost says that only the host may do what was requested.
	ErrHost = errors.New("only the host can do that")
	// ErrNotReady says that something is not possible at the moment: a match cannot begin, since a match is running or
	// the member of seat 0 is not connected; or a member cannot get another seat, or play that match.
	ErrNotReady = errors.New("the match cannot begin")
	// ErrBadMessage says that a message breaks the protocol or its limits.
	ErrBadMessage = errors.New("bad message")
	// ErrUnreachable says that there is no connection to the server.
	ErrUnreachable = errors.New("the room server cannot be reached")
	// ErrClosed says that the client was closed here.
	ErrClosed = errors.New("the client is closed")
)

// codes are the codes of the errors in messages, in the order of the documentation.
var codes = []struct {
	code string
	err  error
}{
	{"full", ErrFull},
	{"seat-taken", ErrSeatTaken},
	{"gone", ErrGone},
	{"member", ErrMember},
	{"game", ErrGame},
	{"rate", ErrRate},
	{"server-full", ErrServerFull},
	{"shutdown", ErrShutdown},
	{"expired", ErrExpired},
	{"replaced", ErrReplaced},
	{"kicked", ErrKicked},
	{"slow", ErrSlow},
	{"host", ErrHost},
	{"not-ready", ErrNotReady},
	{"bad-message", ErrBadMessage},
}

// codeOf returns the code of an error.
func codeOf(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return "bad-message"
}

// Codes lists the reasons for which a server refuses, as they are counted in [Stats].
func Codes() []string {
	list := make([]string, len(codes))
	for i, c := range codes {
		list[i] = c.code
	}
	return list
}

// Error is a refusal by the server: one of the errors above, with the server's text.
type Error struct {
	Reason error  // an ErrX of this package
	Text   string // from the server: which value is wrong, and what is allowed; "" if Reason is enough
}

// Error returns the reason and the text, in one line.
func (e *Error) Error() string {
	if e.Text == "" {
		return "rooms: " + e.Reason.Error()
	}
	return "rooms: " + e.Reason.Error() + ": " + e.Text
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Reason }

// The values of MismatchError.Item.
const (
	itemGame  = "game"
	itemBuild = "build"
)

// itemTaken is the code for a TakenError, to distinguish it from other places that are gone.
const itemTaken = "taken"

// MismatchError says that a room is for another game, or for another build of this one. It wraps [ErrGame].
type MismatchError struct {
	Item  string // "game" or "build"
	Ours  string
	Rooms string // the game or build of the room
}

// Error names both games or builds.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("rooms: the room is for another %s: it has %q, and we have %q", e.Item, e.Rooms, e.Ours)
}

// Unwrap returns [ErrGame].
func (e *MismatchError) Unwrap() error { return ErrGame }

// TakenError says that another member has taken a place while its own member was away. It wraps [ErrMember].
type TakenError struct {
	By string // the name of the member who took it; "" if it is not known
}

// Error names the member who has taken it.
func (e *TakenError) Error() string {
	if e.By == "" {
		return "rooms: " + ErrMember.Error() + ": another member has taken it"
	}
	return fmt.Sprintf("rooms: %v: %q has taken it", ErrMember, e.By)
}

// Unwrap returns [ErrMember].
func (e *TakenError) Unwrap() error { return ErrMember }

// refuse makes an error with a text from the server.
func refuse(reason error, format string, args ...any) error {
	return &Error{reason, fmt.Sprintf(format, args...)}
}

// errorOf makes the error for a message from the server.
func errorOf(r *reply, ours Entry) error {
	reason := ErrBadMessage
	for _, c := range codes {
		if c.code == r.Code {
			reason = c.err
		}
	}
	switch {
	case reason == ErrGame && r.Data == itemGame:
		return &MismatchError{itemGame, ours.GameID, clip(r.Game, maxShort)}
	case reason == ErrGame && r.Data == itemBuild:
		return &MismatchError{itemBuild, ours.Build, clip(r.Build, maxShort)}
	}
	if reason == ErrMember && r.Data == itemTaken {
		return &TakenError{clip(r.Text, MaxName)}
	}
	return &Error{reason, clip(r.Text, maxText)}
}
