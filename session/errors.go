package session

import (
	"errors"
	"fmt"
	"time"
)

// ErrClosed is the error of a session after Leave.
var ErrClosed = errors.New("the session is closed")

// ErrPhase means that a call is not possible in the current phase.
var ErrPhase = errors.New("not in this phase of the session")

// ErrNotHost means that only the host can make this call.
var ErrNotHost = errors.New("only the host, who has player 0, proposes matches")

// phaseError wraps [ErrPhase] with a reason.
func phaseError(why string) error { return fmt.Errorf("%w: %s", ErrPhase, why) }

// MismatchError means that a peer cannot play with us. It names the first item that differs.
type MismatchError struct {
	Players      PlayerSet // of the peer; empty if a spectator compares itself with a host
	Item         string    // such as "build"
	Ours, Theirs string
}

// Error names the item and both values.
func (e *MismatchError) Error() string {
	if e.Players == 0 {
		return fmt.Sprintf("the %s differs: here %s, there %s", e.Item, e.Ours, e.Theirs)
	}
	return fmt.Sprintf("%v cannot join: the %s differs: here %s, there %s", e.Players, e.Item, e.Ours, e.Theirs)
}

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
