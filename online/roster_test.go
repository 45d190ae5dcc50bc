package online

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
)

// Others can read a server's report about its players.
func TestARosterIsRead(t *testing.T) {
	var r Roster
	for p := range tickback.Player(tickback.MaxPlayers) {
		r.Set(p, strings.Repeat(`"`, rooms.MaxName))
	}
	r.Set(3, "Dot\nand \xff somebody, whose name is much longer than any name can be")
	r.Set(tickback.MaxPlayers, "nobody")
	text := r.text()
	if len(text) > rooms.MaxSettings {
		t.Errorf("%d bytes", len(text))
	}
	names := ParseRoster(text)
	if names != r.Names() || names[3] != "Dot and   somebody, whose name i" || r.Name(99) != "" {
		t.Errorf("%q", names)
	}
	r = Roster{}
	r.Hear(nil, &tickback.Event{What: tickback.Joined, Players: tickback.SetOf(2), Text: "127.0.0.1:7000"})
	if r.Name(2) != "Player 3" {
		t.Errorf("%q", r.Names())
	}
	r.Hear(nil, &tickback.Event{What: tickback.Lost, Players: tickback.SetOf(2)})
	if r.Names() != [tickback.MaxPlayers]string{} {
		t.Errorf("%q", r.Names())
	}
}

// The settings of a room come from others: whatever they are, there are names, or none.
func FuzzParseRoster(f *testing.F) {
	f.Add(`{"names":["Ada","","Bo"]}`)
	f.Add(`{"names":[null,1]}`)
	f.Add(``)
	many, _ := json.Marshal(rosterText{make([]string, 100)})
	f.Add(string(many))
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range ParseRoster(text) {
			if len(name) > rooms.MaxName {
				t.Errorf("a name of %d bytes", len(name))
			}
		}
	})
}
