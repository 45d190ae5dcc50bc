package session

import (
	"fmt"
	"time"
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
	// Proposed: the host proposes a match; see [Machine.Proposal].
	Proposed
	// Accepted: these players will play it.
	Accepted
	// Refused: these players will not play it, and Text says why.
	Refused
	// Started: frame 0 of the match is next.
	Started
	// Waiting: nothing goes on for so long (For) because these players are awaited;
	// Text says for what.
	Waiting
	// Resumed: what was awaited has come.
	Resumed
	// Silent: nothing has come from these players for so long (For).
	Silent
	// Heard: they are back, after so long.
	Heard
	// Moved: these players have another address now, Text.
	Moved
	// Left: these players have left; Frame is the first without them, in a match. A spectator gets it
	// for all who are gone, whatever the reason. Without Players it is the host (Text), which
	// has left after all of the match had come.
	Left
	// Lost: these players have been silent for too long, or broke the protocol
	// (Text); Frame is the first without them. Without Players it is a host (Text) that a
	// spectator has watched, or a newcomer has asked: the next one is tried.
	Lost
	// Revoked: the token of the match lets nobody in any more, since somebody was sent
	// away; see [Machine.Invite].
	Revoked
	// Dropped: the others of a match go on without these players (Text says why),
	// and Frame is the first without them. Joined: they have come, and Frame is the first with them.
	Dropped
	Joined
	// Paused: these players have asked for the match to stand still, and from Frame
	// on it does. Unpaused: they have asked for it to go on, after so long (For).
	Paused
	Unpaused
	// Frozen: without these players, of whom nothing is heard, we are not enough to
	// go on. Quorate: we are again.
	Frozen
	Quorate
	// Desync: these players have another state than this machine; Frame is that of the
	// comparison that showed it, and Ours and Theirs are the checksums that differ: of all
	// states up to it, of the last one, or, at a spectator, of that one. Both are 0 if the
	// difference is only known because another peer has said so.
	Desync
	// Reported: a desync of the match is explained by Data, which desync.Decode reads,
	// and which is the same at all peers; or without Data it could not be, and Text
	// says why.
	Reported
	// Live: a spectator has caught up with the host.
	Live
	// SpectatorJoined: somebody watches from the address Text. SpectatorLeft: no more,
	// and Text says why.
	SpectatorJoined
	SpectatorLeft
	// Warning: a replay has something to say of the recording, Text: it is of another
	// build, damaged at Frame, or not complete.
	Warning
	// Recorded: a recording is complete, and its writer is used no more; Frame is one
	// behind the last frame in it. Text says why it has ended before the match, if it has.
	Recorded
	// Ended: the match is over, after so many frames. See [Machine.Outcome].
	Ended
	// Closed: the session is over; Text says why.
	Closed
)

var whatNames = [...]string{
	"nothing", "connected", "open", "message", "proposed", "accepted", "refused", "started", "waiting", "resumed",
	"silent", "heard", "moved", "left", "lost", "revoked", "dropped", "joined", "paused", "unpaused", "frozen", "quorate", "desync", "reported", "live", "spectator joined", "spectator left", "warning", "recorded", "ended", "closed",
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

const (
	// maxEvents bounds what waits for an application that does not ask: of
	// everything but messages, each peer causes a few a second at most.
	maxEvents = 256
	// maxMessages and maxMessageBytes bound the messages of other applications
	// among them, so that no flood of these pushes out the rest.
	maxMessages     = 128
	maxMessageBytes = 1 << 20
)

// events are what has happened since the application asked.
type events struct {
	list, given     []Event
	messages, bytes int // among those in list
	dropped         uint64
	observe         func(Event) // nil: nobody
}

// message adds a message of another application, unless too many wait.
func (ev *events) message(from PlayerSet, b []byte) {
	if ev.messages == maxMessages || ev.bytes+len(b) > maxMessageBytes {
		ev.dropped++
		return
	}
	ev.messages++
	ev.bytes += len(b)
	ev.add(Event{What: Message, Players: from, Data: append([]byte(nil), b...)})
}

func (ev *events) add(e Event) {
	if ev.observe != nil {
		ev.observe(e)
	}
	if len(ev.list) == maxEvents {
		copy(ev.list, ev.list[1:])
		ev.list = ev.list[:maxEvents-1]
		ev.dropped++
	}
	ev.list = append(ev.list, e)
}

// take returns the events, which are valid until the next call.
func (ev *events) take() []Event {
	ev.list, ev.given = ev.given[:0], ev.list
	ev.messages, ev.bytes = 0, 0
	return ev.given
}
