package stream

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
)

// EntryKind is what an [Entry] says.
type EntryKind uint8

const (
	// EntryLeave: the players left voluntarily.
	EntryLeave EntryKind = 1 + iota
	// EntryDrop: the players were lost.
	EntryDrop
	// EntryEnd: the match ends for all after this many frames.
	EntryEnd
	// EntryKick: the players were kicked.
	EntryKick
	// EntryJoin: the players have joined.
	EntryJoin
	// EntryPause: no frame runs from there on, until EntryResume.
	EntryPause
	// EntryResume: frames run again.
	EntryResume
)

// Entry is one line of the membership log of a match: what changed, and from which frame
// on. All peers apply the same entries in the same order.
type Entry struct {
	Kind    EntryKind
	Players rollback.PlayerSet // whom it is about; for a pause, the ones that asked for it
	Frame   rollback.Frame     // the first one without them, with them, or that does not run; for EntryEnd the number of frames
}

var entryNames = [...]string{
	0:          "none",
	EntryLeave: "leave", EntryDrop: "drop", EntryKick: "kick", EntryJoin: "join",
	EntryPause: "pause", EntryResume: "resume", EntryEnd: "end",
}

// String names the kind in lower case: "leave", "drop", "kick", "join", "pause",
// "resume", "end".
func (k EntryKind) String() string {
	if int(k) < len(entryNames) {
		return entryNames[k]
	}
	return "unknown"
}

// String returns a line for a log.
func (e Entry) String() string { return fmt.Sprintf("%v: %v, frame %d", e.Kind, e.Players, e.Frame) }
