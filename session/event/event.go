package event

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Aliases of types of package rollback.
type (
	Frame     = rollback.Frame
	PlayerSet = rollback.PlayerSet
)

// What is the kind of an [Event].
type What uint8

const (
	_ What = iota
	// Connected means that the peer of these players has answered and plays the same game.
	Connected
	// Open means that all peers are connected and matches can be proposed.
	Open
	// Message means that the application of these players has sent Data.
	Message
	// Proposed means that the host proposes a match; see session.Machine.Proposal.
	Proposed
	// Accepted means that these players accept the match.
	Accepted
	// Refused means that these players refuse the match; Text says why.
	Refused
	// Started means that the match begins here. Frame is the next frame: 0, unless a newcomer, a client of a server
	// or a replay begins in the middle of the match, or a server goes on from its journal (Text says so).
	Started
	// Waiting means that the session has been waiting for these players for the time For; Text says for what. Without
	// Players it is a server, which waits for its journal.
	Waiting
	// Resumed means that the wait is over.
	Resumed
	// Slowed means that the match has become slower than its tick rate, because frames wait for these players again
	// and again. For is the time lost; Text says within how long, and why. It is reported once, until the match is
	// at full speed again.
	Slowed
	// Silent means that nothing has arrived from these players for the time For.
	Silent
	// Heard means that something has arrived from them again, after the time For.
	Heard
	// Moved means that these players have a new address, Text.
	Moved
	// Restarted means that the process of these players was restarted and has forgotten the match: Lost or Dropped
	// follows. Without Players it is the server at the address Text, where the client asks for a place under its
	// ID; Connected and Started follow, with another match. Effects that are being shown are forgotten: stop them.
	Restarted
	// Left means that these players have left; in a match, Frame is the first without them. A spectator gets it for
	// all players that are gone, whatever the reason. Without Players it is the host (Text), which has left after
	// the whole match had arrived.
	Left
	// Lost means that these players were silent for too long, or violated the protocol (Text); Frame is the first
	// without them. Without Players it is the host (Text) of a spectator or of a newcomer: the next one is tried.
	Lost
	// Revoked means that the token of the match no longer admits anybody, because somebody was kicked; see
	// session.Machine.SetToken.
	Revoked
	// Dropped means that the match continues without these players (Text says why), and Frame is the first without
	// them.
	Dropped
	// Joined means that these players have joined, and Frame is the first with them.
	Joined
	// Paused means that these players asked for a pause, and the match is paused from Frame on.
	Paused
	// Unpaused means that these players asked for the end of the pause, which lasted For.
	Unpaused
	// Frozen means that these players are silent, and without them too few are left to continue.
	Frozen
	// Quorate means that enough players are back to continue.
	Quorate
	// Desync means that these players have a different state than this machine; Frame is the frame of the
	// comparison that showed it, and Ours and Theirs are the checksums that differ: of all states up to it, of the
	// last one, or, for a spectator, of that one. Both are 0 if the difference is only known from another peer's
	// report.
	Desync
	// Reported means that a desync of the match is explained by Data, to be decoded by desync.Decode, which is the
	// same at all peers; in a match that a server owns, the client has it. Without Data it could not be explained,
	// and Text says why.
	Reported
	// Live means that a spectator has caught up with the host.
	Live
	// SpectatorJoined means that a spectator watches from the address Text.
	SpectatorJoined
	// SpectatorLeft means that a spectator is gone; Text says why.
	SpectatorLeft
	// Warning means that the recording of a replay is from another build, damaged at Frame, or incomplete, as Text
	// says; at a server, that the match goes on from Frame without its journal, and why.
	Warning
	// Recorded means that a recording is complete and its writer is no longer used; Frame is the frame after the
	// last one in it. If it ended before the match, Text says why.
	Recorded
	// Ended means that the match is over; Frame is the number of its frames. See session.Machine.Outcome.
	Ended
	// Closed means that the session is over; Text says why.
	Closed
)

var whatNames = [...]string{
	"nothing", "connected", "open", "message", "proposed", "accepted", "refused", "started", "waiting", "resumed", "slowed",
	"silent", "heard", "moved", "restarted", "left", "lost", "revoked", "dropped", "joined", "paused", "unpaused", "frozen", "quorate", "desync", "reported", "live", "spectator joined", "spectator left", "warning", "recorded", "ended", "closed",
}

// String returns the name in lower case.
func (w What) String() string {
	if int(w) < len(whatNames) {
		return whatNames[w]
	}
	return "unknown"
}

// Event is something that has happened in a session, for the application to show or to act on. Fields that the
// description of its kind does not mention are zero.
type Event struct {
	What    What
	Players PlayerSet // the players concerned
	Match   uint32    // number of the match, 1 for the first
	Frame   Frame
	For     time.Duration
	Text    string
	Data    []byte // the application's own
	// Ours and Theirs are checksums of states that differ.
	Ours, Theirs uint64
}

// String formats the event as a line for a log.
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
