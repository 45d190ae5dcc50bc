package match

import (
	"errors"
	"fmt"
	"time"
)

// Phase is the phase of a session.
type Phase uint8

const (
	// Connecting means that some peers have not answered yet.
	Connecting Phase = iota
	// Lobby means that all peers are connected and no match is proposed; the session also returns here after a
	// match.
	Lobby
	// Starting means that a match is proposed and not all peers are ready.
	Starting
	// Playing means that frames run.
	Playing
	// Ending means that the last frame is agreed, or we leave, and we wait for the other peers.
	Ending
	// Over means that the session has ended.
	Over
)

var phaseNames = [...]string{"connecting", "lobby", "starting", "playing", "ending", "over"}

// String returns the name of the phase in lower case.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// ErrPhase means that a call is not possible in the current phase.
var ErrPhase = errors.New("not in this phase of the session")

// ErrNotHost means that only the host can make this call.
var ErrNotHost = errors.New("only the host, who has player 0, proposes matches")

// PhaseError wraps [ErrPhase] with a reason.
func PhaseError(why string) error { return fmt.Errorf("%w: %s", ErrPhase, why) }

// RemovedError means that the other peers continue without us, or have ended the match. With Config.Join we can
// come back to a match that continues.
type RemovedError struct {
	Frame  Frame // the first frame without us
	Kicked bool  // on purpose
	Reason string
}

// Error gives the reason and the first frame without us.
func (e *RemovedError) Error() string {
	how := "the others have gone on without us"
	if e.Kicked {
		how = "we were kicked"
	}
	if e.Reason != "" {
		how += ": " + e.Reason
	}
	return fmt.Sprintf("%s (frame %d)", how, e.Frame)
}

// QuorumError means that the rest of the match cannot be reached and too few peers are left to continue.
type QuorumError struct {
	Players PlayerSet // those who cannot be reached
	After   time.Duration
}

// Error names who is missing.
func (e *QuorumError) Error() string {
	return fmt.Sprintf("waited %v for %v: without them we are no majority of the match", e.After.Round(time.Millisecond), e.Players)
}
