package stream

import (
	"fmt"

	"github.com/tickback/tickback/rollback"
)

// EntryKind is the kind of an [Entry].
type EntryKind uint8

const (
	// EntryLeave means that the players left voluntarily.
	EntryLeave EntryKind = 1 + iota
	// EntryDrop means that the players were lost.
	EntryDrop
	// EntryEnd means that the match ends for everyone after this many frames.
	EntryEnd
	// EntryKick means that the players were kicked.
	EntryKick
	// EntryJoin means that the players joined.
	EntryJoin
	// EntryPause means that no frame runs from there on, until EntryResume.
	EntryPause
	// EntryResume means that frames run again.
	EntryResume
)

// Entry is one line of the membership log of a match: what changed, and from which frame
// on. All peers apply the same entries in the same order.
type Entry struct {
	Kind    EntryKind
	Players rollback.PlayerSet // the players concerned; for a pause, those that asked for it
	Frame   rollback.Frame     // the first frame without them, with them, or that does not run; for EntryEnd the number of frames
}

var entryNames = [...]string{
	0:          "none",
	EntryLeave: "leave", EntryDrop: "drop", EntryKick: "kick", EntryJoin: "join",
	EntryPause: "pause", EntryResume: "resume", EntryEnd: "end",
}

// String returns the name in lower case: "leave", "drop", "kick", "join", "pause", "resume", "end".
func (k EntryKind) String() string {
	if int(k) < len(entryNames) {
		return entryNames[k]
	}
	return "unknown"
}

// String formats the entry as a line for a log.
func (e Entry) String() string { return fmt.Sprintf("%v: %v, frame %d", e.Kind, e.Players, e.Frame) }
