package session_test

import (
	"testing"

	"github.com/tickback/tickback/session"
)

// Every kind of entry has the name that it has in the source.
func TestEntriesHaveNames(t *testing.T) {
	for k, want := range map[session.EntryKind]string{
		session.EntryLeave: "leave", session.EntryDrop: "drop", session.EntryKick: "kick", session.EntryJoin: "join",
		session.EntryPause: "pause", session.EntryResume: "resume", session.EntryEnd: "end", 0: "none", 99: "unknown",
	} {
		if got := k.String(); got != want {
			t.Errorf("%d is called %q, want %q", k, got, want)
		}
	}
	e := session.Entry{Kind: session.EntryDrop, Players: session.PlayerSet(2), Frame: 70}
	if got := e.String(); got != "drop: player 1, frame 70" {
		t.Errorf("%q", got)
	}
}
