package stream_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
)

// Every kind of entry has its name from the source.
func TestEntriesHaveNames(t *testing.T) {
	for k, want := range map[stream.EntryKind]string{
		stream.EntryLeave: "leave", stream.EntryDrop: "drop", stream.EntryKick: "kick", stream.EntryJoin: "join",
		stream.EntryPause: "pause", stream.EntryResume: "resume", stream.EntryEnd: "end", 0: "none",
		stream.EntryResume + 1: "unknown", 99: "unknown",
	} {
		if got := k.String(); got != want {
			t.Errorf("%d is called %q, want %q", k, got, want)
		}
	}
	for k := range stream.EntryResume {
		if k.String() == "" {
			t.Errorf("%d has no name, though a later one has", k)
		}
	}
	e := stream.Entry{Kind: stream.EntryDrop, Players: rollback.PlayerSet(2), Frame: 70}
	if got := e.String(); got != "drop: player 1, frame 70" {
		t.Errorf("%q", got)
	}
}
