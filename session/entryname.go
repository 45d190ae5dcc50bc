package session

import "fmt"

var entryNames = [...]string{
	0: "none", EntryLeave: "leave", EntryDrop: "drop", EntryEnd: "end", EntryKick: "kick",
	EntryJoin: "join", EntryPause: "pause", EntryResume: "resume",
}

// String names the kind in lower case: "leave", "drop", "kick", "join", "pause",
// "resume", "end".
func (k EntryKind) String() string {
	if int(k) < len(entryNames) {
		return entryNames[k]
	}
	return "unknown"
}

// String is a line for a log.
func (e Entry) String() string { return fmt.Sprintf("%v: %v, frame %d", e.Kind, e.Players, e.Frame) }
