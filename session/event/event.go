package event

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Names of package rollback.
type (
	Frame     = rollback.Frame
	PlayerSet = rollback.PlayerSet
)

// What is the kind of an [Event].
type What uint8

const (
	_ What = iota
	// Connected: the peer of these players has answered, and plays the same game.
	Connected
	// Open: all peers are connected, and matches can be proposed.
	Open
	// Message: the application of these players has sent Data.
	Message
	// Proposed: the host proposes a match; see session.Machine.Proposal.
	Proposed
	// Accepted: these players will play it.
	Accepted
	// Refused: these players will not play it, and Text says why.
	Refused
	// Started: frame 0 of the match is next.
	Started
	// Waiting: the session has waited for so long (For) for these players; Text says for what.
	Waiting
	// Resumed: the wait is over.
	Resumed
	// Slowed: the match has become slower than its tick rate, since frames wait for these players again
	// and again: For so long of a time that Text names, and Text says why. It comes once, until the match
	// is as fast as it should be.
	Slowed
	// Silent: nothing has come from these players for so long (For).
	Silent
	// Heard: something has come from them, after so long.
	Heard
	// Moved: these players have another address now, Text.
	Moved
	// Restarted: the process of these players was started again, and has forgotten the match: Lost or Dropped
	// follows. Without Players it is the server at the address Text, of a client that asks for a place under its ID;
	// Connected and Started follow, with another match. Effects that are shown are forgotten: stop them.
	Restarted
	// Left: these players have left; in a match, Frame is the first without them. A spectator gets it
	// for all players that are gone, whatever the reason. Without Players it is the host (Text),
	// which has left after the whole match had come.
	Left
	// Lost: these players have been silent for too long, or broke the protocol
	// (Text); Frame is the first without them. Without Players it is the host (Text) of a
	// spectator or of a newcomer: the next one is tried.
	Lost
	// Revoked: the token of the match lets nobody in any more, since somebody was kicked; see
	// session.Machine.SetToken.
	Revoked
	// Dropped: the match continues without these players (Text says why), and Frame is the first
	// without them.
	Dropped
	// Joined: these players have joined, and Frame is the first with them.
	Joined
	// Paused: these players have asked for a pause, and the match is paused from Frame on.
	Paused
	// Unpaused: these players have asked for the end of the pause, after so long (For).
	Unpaused
	// Frozen: nothing is heard of these players, and without them too few are left to continue.
	Frozen
	// Quorate: enough players are back to continue.
	Quorate
	// Desync: these players have another state than this machine; Frame is that of the
	// comparison that showed it, and Ours and Theirs are the checksums that differ: of all
	// states up to it, of the last one, or, at a spectator, of that one. Both are 0 if the
	// difference is only known because another peer has said so.
	Desync
	// Reported: a desync of the match is explained by Data, which desync.Decode reads, and which
	// is the same at all peers; in a match that a server owns, the client has it. Without Data it could not be explained, and Text says why.
	Reported
	// Live: a spectator has caught up with the host.
	Live
	// SpectatorJoined: a spectator watches from the address Text.
	SpectatorJoined
	// SpectatorLeft: a spectator has gone, and Text says why.
	SpectatorLeft
	// Warning: the recording of a replay is of another build, damaged at Frame, or not complete,
	// as Text says.
	Warning
	// Recorded: a recording is complete, and its writer is not used any more; Frame follows the last
	// frame in it. If it has ended before the match, Text says why.
	Recorded
	// Ended: the match is over, after so many frames. See session.Machine.Outcome.
	Ended
	// Closed: the session is over; Text says why.
	Closed
)

var whatNames = [...]string{
	"nothing", "connected", "open", "message", "proposed", "accepted", "refused", "started", "waiting", "resumed", "slowed",
	"silent", "heard", "moved", "restarted", "left", "lost", "revoked", "dropped", "joined", "paused", "unpaused", "frozen", "quorate", "desync", "reported", "live", "spectator joined", "spectator left", "warning", "recorded", "ended", "closed",
}

// String names the kind in lower case.
func (w What) String() string {
	if int(w) < len(whatNames) {
		return whatNames[w]
	}
	return "unknown"
}

// Event is something that has happened in a session, for the application to show
// or to act on. Fields that its kind does not mention are zero.
type Event struct {
	What    What
	Players PlayerSet // whom it is about
	Match   uint32    // number of the match, from 1 on
	Frame   Frame
	For     time.Duration
	Text    string
	Data    []byte // the application's own
	// Ours and Theirs are checksums of states that differ.
	Ours, Theirs uint64
}

// String is a line for a log.
func (e Event) String() string {
	s := e.What.String()
	if e.Players != 0 {
		s += ": " + e.Players.String()
	}
	if e.For != 0 {
		s += fmt.Sprintf(", for %v", e.For.Round(time.Millisecond))
	}
	switch e.What {
	case Left, Lost, Dropped, Joined, Paused, Unpaused, Desync, Live, Warning, Recorded, Ended:
		s += fmt.Sprintf(", frame %d", e.Frame)
	case Message, Reported:
		s += fmt.Sprintf(", %d bytes", len(e.Data))
	}
	if e.Ours != e.Theirs {
		s += fmt.Sprintf(", checksum %016x here and %016x there", e.Ours, e.Theirs)
	}
	if e.Text != "" {
		s += " (" + e.Text + ")"
	}
	return s
}
