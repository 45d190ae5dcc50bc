package session_test

import (
	"testing"

	"github.com/tickback/tickback/session"
)

// Every kind of entry has a name of its own.
func TestEntriesHaveNames(t *testing.T) {
	seen := map[string]bool{"unknown": true}
	for k := session.EntryLeave; k <= session.EntryEnd; k++ {
		if name := k.String(); seen[name] {
			t.Errorf("kind %d is called %q", k, name)
		} else {
			seen[name] = true
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
