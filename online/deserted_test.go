//go:build !js

package online

import (
	"testing"

	"github.com/tickback/tickback/online/rooms"
)

// A member that joins a match that its players are just leaving, or waits for its beginning
// with them, is told that nobody plays it any more.
func TestADesertedMatch(t *testing.T) {
	t.Parallel()
	cfg := config("Ada")
	cfg.Seats = 3
	a := must(t)(Create(within(t), serveRooms(t), cfg))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, a)
	wait(t, b)
	if a.Abandoned() {
		t.Error("a match that is not played here is deserted")
	}
	first, second := match(t, a, 120), match(t, b, 120)
	c := must(t)(Join(within(t), a.Link(), config("Cy")))
	wait(t, c)
	joins := match(t, c, 120)
	if a.Abandoned() || c.Abandoned() {
		t.Error("deserted, and there are others")
	}
	second.Close()
	sees(t, c, "one left", func(s rooms.State) bool { return s.Members[1].Playing == 0 })
	if c.Abandoned() {
		t.Error("deserted, and there is one")
	}
	first.Close()
	sees(t, c, "nobody left", func(s rooms.State) bool { return s.Members[0].Playing == 0 })
	if !c.Abandoned() {
		t.Error("a match that nobody plays is not deserted")
	}
	joins.Close()
	sees(t, a, "no match", func(s rooms.State) bool { return s.Match == 0 })
	if c.Abandoned() {
		t.Error("deserted, and nothing is played here")
	}
}

// A member that begins a match with one whose page is reloaded before it has begun is told
// so, too, even if the reloaded page joins it now; and so is a member that joins those that
// give it up.
func TestAMatchThatCannotBeginIsDeserted(t *testing.T) {
	t.Parallel()
	a := must(t)(Create(within(t), serveRooms(t), config("Ada")))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, a)
	wait(t, b)
	begins := match(t, a, 120)
	if a.Abandoned() {
		t.Error("deserted, and both are there")
	}
	cfg := config("Bob")
	cfg.Ticket = b.Ticket()
	again := must(t)(Join(within(t), a.Link(), cfg))
	wait(t, again)
	joins := match(t, again, 120)
	sees(t, a, "Bob again", func(s rooms.State) bool { return s.Members[1].Playing == 1 && s.Starters[1].Gone })
	if !a.Abandoned() || again.Abandoned() {
		t.Errorf("deserted for who begins: %v, for who joins there: %v", a.Abandoned(), again.Abandoned())
	}
	begins.Close()
	sees(t, again, "that it is given up", func(s rooms.State) bool { return s.Members[0].Playing == 0 })
	if !again.Abandoned() {
		t.Error("not deserted for who joins where it was given up")
	}
	joins.Close()
}
