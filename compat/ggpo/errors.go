package ggpo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tickback/tickback"
)

// ErrorCode is the reason of an [Error].
type ErrorCode int

// The codes. Their names and numbers are those of the ports of GGPO, with their spelling.
const (
	Ok                           ErrorCode = 0
	ErrorCodeSuccess             ErrorCode = 0
	ErrorCodeGeneralFailure      ErrorCode = -1 // see the wrapped error
	ErrorCodeInvalidSession      ErrorCode = 1  // not made by a constructor, with wrong arguments, or closed
	ErrorCodeInvalidPlayerHandle ErrorCode = 2  // nobody has this handle, or not the right kind of player
	ErrorCodePlayerOutOfRange    ErrorCode = 3  // the match has no player of this number
	ErrorCodePredictionThreshod  ErrorCode = 4  // the frame waits for other machines: try again in the next frame
	ErrorCodeUnsupported         ErrorCode = 5  // not possible here
	ErrorCodeNotSynchronized     ErrorCode = 6  // the match has not begun: call Idle
	ErrorCodeInRollback          ErrorCode = 7  // not possible in a callback
	ErrorCodeInputDropped        ErrorCode = 8  // (never used)
	ErrorCodePlayerDisconnected  ErrorCode = 9  // the match is over for this machine
	ErrorCodeTooManySpectators   ErrorCode = 10 // more than MaxSpectators
	ErrorCodeInvalidRequest      ErrorCode = 11 // a call at the wrong time, or with a wrong argument
)

var errorNames = map[ErrorCode]string{
	ErrorCodeSuccess:             "ErrorCodeSuccess",
	ErrorCodeGeneralFailure:      "ErrorCodeGeneralFailure",
	ErrorCodeInvalidSession:      "ErrorCodeInvalidSession",
	ErrorCodeInvalidPlayerHandle: "ErrorCodeInvalidPlayerHandle",
	ErrorCodePlayerOutOfRange:    "ErrorCodePlayerOutOfRange",
	ErrorCodePredictionThreshod:  "ErrorCodePredictionThreshod",
	ErrorCodeUnsupported:         "ErrorCodeUnsupported",
	ErrorCodeNotSynchronized:     "ErrorCodeNotSynchronized",
	ErrorCodeInRollback:          "ErrorCodeInRollback",
	ErrorCodeInputDropped:        "ErrorCodeInputDropped",
	ErrorCodePlayerDisconnected:  "ErrorCodePlayerDisconnected",
	ErrorCodeTooManySpectators:   "ErrorCodeTooManySpectators",
	ErrorCodeInvalidRequest:      "ErrorCodeInvalidRequest",
}

// String returns the name of the constant.
func (c ErrorCode) String() string {
	if name, ok := errorNames[c]; ok {
		return name
	}
	return fmt.Sprintf("ErrorCode(%d)", int(c))
}

// Success reports whether a code means that nothing is wrong.
func Success(result ErrorCode) bool { return result == ErrorCodeSuccess }

// Error is the error of every call of a [Backend].
type Error struct {
	Code ErrorCode
	Name string // of the code
	// Detail says what is wrong, and what to do.
	Detail string
	// Err is the error below, or nil: one of tickback or of the transport, which says who is missing and why.
	Err error
}

// Error returns the name of the code and what to do. Players are counted from 1, like the handles of a [Peer].
func (e Error) Error() string {
	text := "ggpo: " + e.Name
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + fromOne(e.Err)
	}
	return text
}

// Unwrap returns the error below.
func (e Error) Unwrap() error { return e.Err }

// Is reports whether another error has the same code. So errors.Is(err, ggpo.Error{Code: c}) finds a code.
func (e Error) Is(other error) bool {
	o, ok := other.(Error)
	return ok && o.Code == e.Code && o.Name == "" && o.Detail == "" && o.Err == nil
}

// fromOne returns the text of an error of tickback, which counts players from 0, with players counted from 1.
func fromOne(err error) (said string) {
	text := err.Error()
	for _, players := range playersOf(err) {
		if before, after, found := strings.Cut(text, players.String()); found && players != 0 {
			said, text = said+before+people(players), after
		}
	}
	return said + text
}

// playersOf returns the players whom an error names, in the order of its text.
func playersOf(err error) []tickback.PlayerSet {
	var (
		late    *tickback.TimeoutError
		refused *tickback.RefusedError
		lost    *tickback.LostError
		few     *tickback.QuorumError
	)
	switch {
	case errors.As(err, &late):
		return []tickback.PlayerSet{late.Players}
	case errors.As(err, &refused):
		return []tickback.PlayerSet{refused.Players}
	case errors.As(err, &lost):
		return []tickback.PlayerSet{lost.Players, lost.Restarted}
	case errors.As(err, &few):
		return []tickback.PlayerSet{few.Players}
	}
	return nil
}

// people names players by their numbers, from 1 on.
func people(players tickback.PlayerSet) string {
	var names []string
	for p := range players.All() {
		names = append(names, strconv.Itoa(int(p)+1))
	}
	if n := len(names); n > 1 {
		return "players " + strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return "player " + names[0]
}

func failf(code ErrorCode, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return Error{Code: code, Name: code.String(), Detail: err.Error()}
}

func failed(code ErrorCode, detail string, err error) error {
	return Error{Code: code, Name: code.String(), Detail: detail, Err: err}
}

// errInterrupted is why a state cannot be saved or restored: the game has closed the session, or has panicked.
var errInterrupted = errors.New("the game has left in the middle of a frame")
