package rooms

import (
	"errors"
	"fmt"
)

// The ways to fail that callers may want to tell apart, with errors.Is.
var (
	// ErrFull is a room without a free place of the kind that was asked for.
	ErrFull = errors.New("the room is full")
	// ErrSeatTaken is a seat that another member has.
	ErrSeatTaken = errors.New("the seat is taken")
	// ErrGone is a room that does not exist: it has ended, or never was.
	ErrGone = errors.New("the room is gone")
	// ErrMember is a ticket that is not known any more: its place was given up.
	ErrMember = errors.New("the place in the room is gone")
	// ErrGame is a room for another game, or another build of it: see [MismatchError].
	ErrGame = errors.New("the room is for something else")
	// ErrRate says that a client sends too much, or connects too often.
	ErrRate = errors.New("too many messages")
	// ErrServerFull is a server that has no place for more.
	ErrServerFull = errors.New("the server is full")
	// ErrShutdown is a server that ends.
	ErrShutdown = errors.New("the server shuts down")
	// ErrExpired is a room that has come to its age, or in which nothing has happened
	// for too long.
	ErrExpired = errors.New("the room has ended")
	// ErrReplaced is a place that was taken over with the same ticket: the page was
	// opened twice.
	ErrReplaced = errors.New("the place was taken over from elsewhere")
	// ErrKicked says that the host has removed this member, who cannot come back.
	ErrKicked = errors.New("sent away by the host")
	// ErrSlow is a client that does not read what it is sent.
	ErrSlow = errors.New("the client is too slow")
	// ErrHost is a wish that only the host may have.
	ErrHost = errors.New("only the host can do that")
	// ErrNotReady is a match that cannot begin: seat 0 is empty, or one is played.
	ErrNotReady = errors.New("the match cannot begin")
	// ErrBadMessage is a message that breaks the protocol or its limits.
	ErrBadMessage = errors.New("bad message")
	// ErrUnreachable is a server to which there is no connection.
	ErrUnreachable = errors.New("the room server cannot be reached")
	// ErrClosed is a client that was closed here.
	ErrClosed = errors.New("the client is closed")
)

// codes are the errors as they travel. The order is that of the documentation.
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

// codeOf returns how an error travels.
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

// Error is a refusal of the server: one of the errors above, with its words.
type Error struct {
	Reason error  // an ErrX of this package
	Text   string // of the server: which value, what is allowed; "" if Reason says it all
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

// The items of a MismatchError.
const (
	itemGame  = "game"
	itemBuild = "build"
)

// itemTaken tells a TakenError from other places that are gone.
const itemTaken = "taken"

// MismatchError is a room for another game, or for another build of this one. It wraps
// [ErrGame].
type MismatchError struct {
	Item  string // "game" or "build"
	Ours  string
	Rooms string // what the room has
}

// Error names both.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("rooms: the room is for another %s: it has %q, and we have %q", e.Item, e.Rooms, e.Ours)
}

// Unwrap returns [ErrGame].
func (e *MismatchError) Unwrap() error { return ErrGame }

// TakenError is a place that another member has taken while its own was away. It wraps
// [ErrMember].
type TakenError struct {
	By string // the name of whoever took it; "" if it is not known
}

// Error names who has taken it.
func (e *TakenError) Error() string {
	if e.By == "" {
		return "rooms: " + ErrMember.Error() + ": another member has taken it"
	}
	return fmt.Sprintf("rooms: %v: %q has taken it", ErrMember, e.By)
}

// Unwrap returns [ErrMember].
func (e *TakenError) Unwrap() error { return ErrMember }

// refuse makes an error with the words of the server.
func refuse(reason error, format string, args ...any) error {
	return &Error{reason, fmt.Sprintf(format, args...)}
}

// errorOf makes the error of what has arrived.
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
