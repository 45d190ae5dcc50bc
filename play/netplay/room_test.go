//go:build !js

package netplay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/netplay"
)

// member returns what a client knows about a member.
func (c *client) member(name string) (m app.Member) {
	for _, m = range c.Status().Members {
		if m.Name == name {
			return m
		}
	}
	return app.Member{State: "nowhere"}
}

// host starts a client that makes a room, and waits for it.
func host(t *testing.T, page string, cfg netplay.Config) *client {
	t.Helper()
	cfg.Page, cfg.Create = page, true
	c := start(t, "Ada", cfg)
	until(t, "a room", []*client{c}, func() bool { return c.Status().Room != "" })
	return c
}

// guest starts a client that follows the link to a room.
func guest(t *testing.T, name string, of *client, cfg netplay.Config) *client {
	t.Helper()
	cfg.Link = of.Status().Room
	return start(t, name, cfg)
}

// A link leads to its room whichever game is played there, although each game has its own build.
func TestALinkLeadsToARoomOfAnyGame(t *testing.T) {
	for _, game := range []string{"duel", "arena", "skirmish"} {
		t.Run(game, func(t *testing.T) {
			page, _ := roomstest.Serve(t, rooms.Config{})
			ada := host(t, page, netplay.Config{Game: game})
			bo := guest(t, "Bo", ada, netplay.Config{})
			until(t, "an answer", []*client{ada, bo}, func() bool { return bo.Status().Mode != "connecting" })
			if s := bo.Status(); s.Mode != "room" {
				t.Errorf("%s: %s", s.Mode, s.Message)
			}
		})
	}
}

// In an arena of three with one free place: a page is opened twice, and the second one takes over the seat; a late
// visitor plays in the free place; one watches; one leaves by the menu. All that are left reach the same end.
func TestComingAndGoing(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 4, Start: 3, Frames: 1500})
	bo, cy := guest(t, "Bo", ada, netplay.Config{}), guest(t, "Cy", ada, netplay.Config{})
	all := []*client{ada, bo, cy}
	until(t, "the match", all, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })

	seat := bo.Status().Seat
	// The same tab once more, with its session storage.
	again := guest(t, "Bo", ada, netplay.Config{Machine: netplay.Machine{Kept: func() string { return bo.ticket }}})
	all = append(all, again)
	until(t, "the first page to be told", all, func() bool { return strings.Contains(bo.Status().Message, "another page") })
	all = []*client{ada, cy, again}
	until(t, "the second page to play", all, func() bool { return again.Status().Mode == "match" && again.Status().Frame > 60 })
	if s := again.Status(); s.Seat != seat {
		t.Errorf("who comes back has seat %d, and had %d", s.Seat, seat)
	}
	dot, eve := guest(t, "Dot", ada, netplay.Config{}), guest(t, "Eve", ada, netplay.Config{Watch: true})
	all = append(all, dot, eve)
	until(t, "the late ones", all, func() bool { return dot.Status().Frame > 60 && eve.Status().Frame > 60 })
	if a, b := dot.Status().Seat, eve.Status().Seat; a != 3 || b != -1 {
		t.Errorf("who came late has the seats %d and %d", a, b)
	}
	cy.press("Escape", "ArrowUp", "Enter", "Enter")
	until(t, "Cy to leave", []*client{ada, cy, again, dot, eve}, func() bool { return cy.Status().Mode == "title" && ada.member("Cy").State == "nowhere" })
	if cy.link != "" || cy.ticket != "" {
		t.Errorf("who has left keeps %q and %q", cy.link, cy.ticket)
	}
	all = []*client{ada, again, dot, eve}
	until(t, "the end", all, func() bool {
		for _, c := range all {
			if c.Status().Matches == 0 {
				return false
			}
		}
		return true
	})
	for _, c := range all {
		if s := c.Status(); *s.Outcome != *ada.Status().Outcome || s.Outcome.Frame != 1500 || s.Verdict == "desynced" {
			t.Errorf("%s ends with %+v, %s", c.name, s.Outcome, s.Verdict)
		}
	}
}

// A hidden page continues and is marked as away; no other player waits for it, and it holds no buttons.
func TestAHiddenPageGoesOn(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2, Frames: 600})
	bo := guest(t, "Bo", ada, netplay.Config{})
	bo.Auto = false
	both := []*client{ada, bo}
	until(t, "the match", both, func() bool { return ada.Status().Frame > 60 })
	bo.d.Keys = append(bo.d.Keys, "KeyA", "KeyJ") // held when it is hidden
	bo.hidden = true
	bo.SetAway(true)
	until(t, "Bo to be away", both, func() bool { return ada.member("Bo").State == "away" })
	from := bo.Status().Agreed.Frame
	until(t, "hidden frames", both, func() bool { return bo.Status().Agreed.Frame > from+200 })
	bo.d.Keys = nil
	bo.hidden = false
	bo.SetAway(false)
	until(t, "Bo to be back", both, func() bool { return ada.member("Bo").State == "here" })
	until(t, "the end", both, func() bool { return ada.Status().Matches == 1 && bo.Status().Matches == 1 })
	if a, b := ada.Status(), bo.Status(); *a.Outcome != *b.Outcome || a.Verdict != "healthy" {
		t.Errorf("%+v %s and %+v", a.Outcome, a.Verdict, b.Outcome)
	}
}

// A pause affects all, and anybody can end it.
func TestAPauseIsForAll(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 2, Start: 2})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "the match", both, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	ada.press("Escape")
	at := ada.Status().Frame
	until(t, "the match to go on beneath the menu", both, func() bool { return ada.Status().Frame > at+30 })
	ada.press("ArrowDown", "Enter")
	still := func() bool {
		before := [2]uint32{ada.Status().Frame, bo.Status().Frame}
		during(both, 400*time.Millisecond)
		return before == [2]uint32{ada.Status().Frame, bo.Status().Frame}
	}
	until(t, "both to stand still", both, still)
	bo.press("Escape", "ArrowDown", "Enter")
	at = ada.Status().Frame
	until(t, "both to go on", both, func() bool { return ada.Status().Frame > at+30 && bo.Status().Frame > at+30 })
}

// The host of a duel gives the other player the first seat, and takes the second.
func TestSeatsAreSwapped(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	ada.click(940, 580)
	until(t, "the other order", both, func() bool { return ada.Status().Seat == 1 && bo.Status().Seat == 0 })
}

// A player who has gone back to the room can get into the match again.
func TestFromTheMatchToTheRoomAndBack(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 3, Start: 2})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "the match", both, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	bo.press("Escape", "ArrowUp", "ArrowUp", "Enter")
	if m := bo.Status().Mode; m != "room" {
		t.Fatalf("the menu leads to %q", m)
	}
	during(both, 500*time.Millisecond)
	at := ada.Status().Frame
	bo.click(940, 506)
	until(t, "both to play", both, func() bool { return bo.Status().Mode == "match" && bo.Status().Frame > at+60 })
	until(t, "the same state", both, func() bool { return bo.Status().Agreed == ada.Status().Agreed && bo.Status().Agreed.Frame > at })
}

// The host exchanges the seats and hands over: the remaining player has the first seat, and is the host.
func TestTheLastOneLeads(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "both", both, func() bool { return bo.Status().Seat == 1 && ada.member("Bo").Seat == 1 })
	dot := guest(t, "Dot", ada, netplay.Config{})
	all := []*client{ada, bo, dot}
	until(t, "one to watch", all, func() bool { return len(dot.Status().Members) == 3 && dot.Status().Seat == -1 })
	ada.press("Escape", "Escape")
	until(t, "the others to take the seats", all, func() bool {
		return ada.Status().Mode == "title" && bo.Status().Seat == 0 && dot.Status().Seat == 1
	})
	if m := bo.Status().Members; len(m) != 2 {
		t.Errorf("%+v", m)
	}
}
