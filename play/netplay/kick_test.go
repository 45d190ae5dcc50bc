//go:build !js

package netplay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// clickTwice clicks twice, as a button with a confirmation requires.
func (c *client) clickTwice(x, y float32) {
	c.click(x, y)
	during([]*client{c}, 500*time.Millisecond)
	c.click(x, y)
}

// The host kicks a member from the room, who is told so; a single press of the button does nothing.
func TestTheHostSendsSomebodyAway(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "both", both, func() bool { return ada.member("Bo").Seat == 1 && len(bo.Status().Members) == 2 })
	bo.clickTwice(570, 258) // where the host's row would have the button
	ada.click(570, 316)
	ada.click(570, 316) // a double click
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	during(both, 500*time.Millisecond)
	if bo.Status().Mode != "room" {
		t.Error("a double click sends somebody away")
	}
	ada.click(570, 316)
	until(t, "Bo to be told", both, func() bool {
		s := bo.Status()
		return s.Mode == "failed" && strings.Contains(s.Message, "sent away")
	})
	until(t, "the room without Bo", []*client{ada}, func() bool { return ada.member("Bo").State == "nowhere" })
	if bo.link != "" || bo.ticket != "" {
		t.Errorf("who was sent away keeps %q and %q", bo.link, bo.ticket)
	}
	if m := ada.Status().Mode; m != "room" {
		t.Errorf("the host is in %q", m)
	}
}

// During a match, too: the others continue, and have the same states.
func TestTheHostSendsSomebodyAwayFromAMatch(t *testing.T) {
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 3, Start: 3})
	bo, cy := guest(t, "Bo", ada, netplay.Config{}), guest(t, "Cy", ada, netplay.Config{})
	all := []*client{ada, bo, cy}
	until(t, "the match", all, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 && cy.Status().Frame > 60 })
	ada.press("Escape", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	if n := ada.shot(t, "players"); n < 60 {
		t.Errorf("the players have %d colours", n)
	}
	seat := ada.member("Bo").Seat
	y := 146 + 58*float32(seat)
	ada.clickTwice(920, y)
	until(t, "Bo to be told", all, func() bool {
		s := bo.Status()
		return s.Mode == "failed" && strings.Contains(s.Message, "sent away")
	})
	ada.press("Escape", "Escape")
	others := []*client{ada, cy}
	until(t, "Bo to be gone", others, func() bool { return ada.member("Bo").State == "nowhere" && cy.member("Bo").State == "nowhere" })
	at := ada.Status().Agreed.Frame
	until(t, "the others to go on", others, func() bool { return ada.Status().Agreed.Frame > at+120 && cy.Status().Agreed.Frame > at+120 })
	until(t, "the same state", others, func() bool { return ada.Status().Agreed == cy.Status().Agreed })
}

// A spectator can be kicked, too.
func TestTheHostSendsAWatcherAway(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{Watch: true})
	both := []*client{ada, bo}
	until(t, "both", both, func() bool { return ada.member("Bo").Seat == -1 && len(ada.Status().Members) == 2 })
	ada.clickTwice(220, 364)
	until(t, "Bo to be told", both, func() bool { return strings.Contains(bo.Status().Message, "sent away") })
	until(t, "the room without Bo", both, func() bool { return len(ada.Status().Members) == 1 })
}

// A member who is kicked while the host cannot reach the server leaves when the server is back.
func TestTheServerHearsLaterOfWhoIsSentAway(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	way := newDetour(t, page)
	ada := host(t, way.page, netplay.Config{Game: "duel"})
	bo := start(t, "Bo", netplay.Config{Link: way.direct(ada.Status().Room)})
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	way.close()
	until(t, "the loss", both, func() bool { return bo.member("Ada").State == "lost" })
	ada.clickTwice(570, 316)
	way.open()
	until(t, "Bo to be told", both, func() bool { return strings.Contains(bo.Status().Message, "sent away") })
}

// A member hangs when a match begins, and is kicked: the others give that match up, and begin another one.
func TestWhoDoesNotComeIsSentAway(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 3})
	bo := guest(t, "Bo", ada, netplay.Config{})
	until(t, "Bo", []*client{ada, bo}, func() bool { return ada.member("Bo").Seat == 1 })
	cy := guest(t, "Cy", ada, netplay.Config{})
	all := []*client{ada, bo, cy}
	until(t, "connections", all, func() bool {
		for _, c := range all {
			for _, name := range []string{"Ada", "Bo", "Cy"} {
				if name != c.name && c.member(name).Connection != "connected" {
					return false
				}
			}
		}
		return true
	})
	others := []*client{ada, cy}
	ada.click(940, 506)
	until(t, "the others to wait for Bo", others, func() bool { return ada.Status().Mode == "match" && cy.Status().Mode == "match" })
	ada.press("Escape", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	ada.clickTwice(920, 204)
	until(t, "the match to be given up", others, func() bool { return ada.Status().Mode == "room" && cy.Status().Mode == "room" })
	if f := ada.Status().Frame; f > 0 {
		t.Errorf("it has begun, and has %d frames", f)
	}
	pressed := time.Now()
	until(t, "another match", others, func() bool {
		if time.Since(pressed) > 500*time.Millisecond {
			pressed = time.Now()
			ada.click(940, 506) // which starts one when all are ready
		}
		return ada.Status().Mode == "match"
	})
	until(t, "both to play", others, func() bool { return ada.Status().Frame > 60 && cy.Status().Frame > 60 })
}
