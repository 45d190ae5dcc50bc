package session_test

import (
	"testing"

	"github.com/tickback/tickback/session"
)

// Every kind of entry has its own name, whatever the order of the kinds.
func TestEntriesHaveNames(t *testing.T) {
	for k, want := range map[session.EntryKind]string{
		session.EntryLeave: "leave", session.EntryDrop: "drop", session.EntryEnd: "end", session.EntryKick: "kick",
		session.EntryJoin: "join", session.EntryPause: "pause", session.EntryResume: "resume",
		0: "none", session.EntryResume + 1: "unknown",
	} {
		if name := k.String(); name != want {
			t.Errorf("kind %d is called %q, not %q", k, name, want)
		}
	}
	e := session.Entry{Kind: session.EntryDrop, Players: session.PlayerSet(2), Frame: 70}
	if got := e.String(); got != "drop: player 1, frame 70" {
		t.Errorf("%q", got)
	}
	if got := session.EntryKind(99).String(); got != "unknown" {
		t.Errorf("%q", got)
	}
}
