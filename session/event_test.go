package session

import (
	"testing"
	"time"
)

// The maximum number of waiting messages, and of their bytes.
const maxMessages, maxMessageBytes = 128, 1 << 20

// A flood of messages from another application displaces no other event; the
// amount held is bounded, and dropped messages are counted.
func TestMessagesPushOutNothing(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	m := tr.peers[0]
	m.Events()
	m.events.Add(Event{What: Silent, Players: 0b10})
	flood := func(n, size int) {
		for range n {
			if err := tr.peers[1].Send(0b01, make([]byte, size)); err != nil {
				t.Fatal(err)
			}
			for tr.way(1, 0).Channel.Pending() > 60<<10 {
				tr.exchange()
			}
		}
		for tr.way(1, 0).Channel.Pending() > 0 {
			tr.exchange()
		}
	}
	flood(600, 1)
	m.events.Add(Event{What: Heard, Players: 0b10})
	if n := m.events.Len(); n > 256 || maxMessages != 128 || maxMessageBytes != 1<<20 {
		t.Errorf("%d events are held", n)
	}
	list := m.Events()
	if list[0].What != Silent || list[len(list)-1].What != Heard || len(list) != maxMessages+2 {
		t.Errorf("of %d events the first is %v, and the last %v", len(list), list[0], list[len(list)-1])
	}
	if d := m.Stats(nil).DroppedEvents; d != 600-maxMessages {
		t.Errorf("%d are counted", d)
	}
	// Large ones are bounded in bytes.
	flood(40, MaxMessage)
	held := 0
	for _, e := range m.Events() {
		held += len(e.Data)
	}
	if held != maxMessageBytes {
		t.Errorf("%d bytes are held", held)
	}
	if d := m.Stats(nil).DroppedEvents; d != 600-maxMessages+uint64(40-held/MaxMessage) {
		t.Errorf("%d are counted", d)
	}
	// Once they are fetched, there is room again.
	flood(maxMessageBytes/MaxMessage, MaxMessage)
	if list := m.Events(); len(list) != maxMessageBytes/MaxMessage {
		t.Errorf("after that: %v", list)
	}
}

// exchange lets a keep-alive pass, without fetching events.
func (tr *trio) exchange() {
	tr.now += 20 * time.Millisecond
	for _, p := range tr.peers {
		p.Update(tr.now)
	}
	tr.carry()
}

// The line for an event contains the fields that it has, and no others.
func TestLinesOfEvents(t *testing.T) {
	for want, e := range map[string]Event{
		"open":                       {What: Open},
		"connected: player 1":        {What: Connected, Players: 0b10},
		"silent: player 1, for 1.5s": {What: Silent, Players: 0b10, For: 1500 * time.Millisecond},
		"left: players 0 and 2, frame 7 (had dinner)": {What: Left, Players: 0b101, Frame: 7, Text: "had dinner"},
		"ended, frame 0": {What: Ended},
		"desync: player 1, frame 9, checksum 000000000000000a here and 000000000000000b there": {What: Desync, Players: 0b10, Frame: 9, Ours: 10, Theirs: 11},
		"message: player 0, 3 bytes": {What: Message, Players: 1, Data: []byte("abc")},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
