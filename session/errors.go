package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/match"
)

// ErrClosed is the error of a session after Leave.
var ErrClosed = errors.New("the session is closed")

// Errors of parts of a session.
var (
	// ErrPhase means that a call is not possible in the current phase.
	ErrPhase = match.ErrPhase
	// ErrNotHost means that only the host can make this call.
	ErrNotHost = match.ErrNotHost
)

type (
	// RemovedError means that the other peers continue without us; see [match.RemovedError].
	RemovedError = match.RemovedError
	// QuorumError means that too few peers are left to continue; see [match.QuorumError].
	QuorumError = match.QuorumError
	// MismatchError means that a peer cannot play with us; see [admission.MismatchError].
	MismatchError = admission.MismatchError
)

// TimeoutError means that players did not appear, or were not ready, in time.
type TimeoutError struct {
	Players PlayerSet
	For     string // what we waited for
	After   time.Duration
}

// Error names the players and what we waited for.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("waited %v for %s of %v", e.After.Round(time.Millisecond), e.For, e.Players)
}

// RefusedError means that players refused the proposed match.
type RefusedError struct {
	Players PlayerSet
	Reason  string
}

// Error names the players and the reason.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%v refused the match: %s", e.Players, e.Reason)
}

// LostError means that players are gone and the session cannot continue without them.
type LostError struct {
	Players PlayerSet
	Why     string
	Left    bool // they said that they leave; the match lacks nothing
	// Restarted are the players whose process was restarted and has forgotten the session.
	Restarted PlayerSet
}

// Error names the players and the reason.
func (e *LostError) Error() string {
	if e.Left {
		return fmt.Sprintf("%v left, and %s", e.Players, e.Why)
	}
	switch {
	case e.Restarted == 0 || e.Why == whyRestarted:
	case e.Restarted == e.Players:
		return fmt.Sprintf("lost %v, who was started again: %s", e.Players, e.Why)
	default:
		return fmt.Sprintf("lost %v, of whom %v was started again: %s", e.Players, e.Restarted, e.Why)
	}
	return fmt.Sprintf("lost %v: %s", e.Players, e.Why)
}

// reasonOf returns an error as text for the peers: without player numbers, which an application may display
// differently.
func reasonOf(err error) string {
	if err == ErrClosed {
		return "it has left" // for our spectators
	}
	switch e := err.(type) {
	case *PlaceError:
		return e.reason()
	case *MismatchError:
		return fmt.Sprintf("the %s differs: %s and %s", e.Item, e.Ours, e.Theirs)
	case *TimeoutError:
		return fmt.Sprintf("waited %v for %s", e.After.Round(time.Millisecond), e.For)
	case *RefusedError:
		return "the match was refused: " + e.Reason
	case *LostError:
		return "somebody is gone: " + e.Why
	case *QuorumError:
		return "too few are left to go on"
	}
	return err.Error()
}
