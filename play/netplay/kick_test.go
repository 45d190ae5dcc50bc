//go:build !js

package netplay_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// The host sends somebody away from the room, who is told so; asked once it does nothing.
func TestTheHostSendsSomebodyAway(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "both", both, func() bool { return ada.member("Bo").Seat == 1 && len(bo.Status().Members) == 2 })
	bo.click(570, 258) // where the host's row would have the button
	bo.click(570, 258)
	ada.click(570, 316)
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	ada.click(570, 316)
	until(t, "Bo to be told", both, func() bool {
		s := bo.Status()
		return s.Mode == "failed" && strings.Contains(s.Message, "sent away")
	})
	until(t, "the room without Bo", []*client{ada}, func() bool { return ada.member("Bo").State == "nowhere" })
	if m := ada.Status().Mode; m != "room" {
		t.Errorf("the host is in %q", m)
	}
}

// In the midst of a match, too: the others go on, and have the same states.
func TestTheHostSendsSomebodyAwayFromAMatch(t *testing.T) {
	inRealTime(t)
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
	ada.click(920, y)
	ada.click(920, y)
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
