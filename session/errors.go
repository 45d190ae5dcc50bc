package session

import (
	"errors"
	"fmt"
	"time"
)

// ErrClosed is the end of a session that was left.
var ErrClosed = errors.New("the session is closed")

// ErrPhase is a call that is not possible in the present phase.
var ErrPhase = errors.New("not in this phase of the session")

// ErrNotHost is a call that only the host can make.
var ErrNotHost = errors.New("only the host, who has player 0, proposes matches")

// phaseError is [ErrPhase] with the reason.
func phaseError(why string) error { return fmt.Errorf("%w: %s", ErrPhase, why) }

// MismatchError says that a peer cannot play with us: the first thing in which it
// differs.
type MismatchError struct {
	Players      PlayerSet // of the peer; none if a spectator compares itself with a host
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

// TimeoutError says who did not appear, or was not ready, in time.
type TimeoutError struct {
	Players PlayerSet
	For     string // what was awaited
	After   time.Duration
}

// Error names the players and what was awaited.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("waited %v for %s of %v", e.After.Round(time.Millisecond), e.For, e.Players)
}

// RefusedError says who refuses the match that the host proposes.
type RefusedError struct {
	Players PlayerSet
	Reason  string
}

// Error names the players and gives the reason.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%v refused the match: %s", e.Players, e.Reason)
}

// LostError says who is gone, so that the session cannot continue.
type LostError struct {
	Players PlayerSet
	Why     string
	Left    bool // they have said so; nothing is missing of a match
	// Restarted are those whose process was started again, and has forgotten the session.
	Restarted PlayerSet
}

// Error names the players.
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

// reasonOf returns an error as the peers are told: without numbers of players, which an application
// may show in another way.
func reasonOf(err error) string {
	if err == ErrClosed {
		return "it has left" // to spectators of ours
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
