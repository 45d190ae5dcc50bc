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

// pair returns a host and a guest of a room that are connected, and a list of both, in a test that does not run in
// parallel.
func pair(t *testing.T, cfg netplay.Config) (ada, bo *client, both []*client) {
	t.Helper()
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada = host(t, page, cfg)
	bo = guest(t, "Bo", ada, netplay.Config{})
	both = []*client{ada, bo}
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	during(both, 300*time.Millisecond)
	return ada, bo, both
}

// Rule: a player who is left alone in a duel sees what has happened for as long as that lasts, and can leave with the
// win. No single key of the fight does that.
func TestWhoeverIsLeftAloneCanClaimTheWin(t *testing.T) {
	ada, bo, both := pair(t, netplay.Config{Game: "duel"})
	ada.Auto, bo.Auto = false, false // nobody wins before
	ada.press("Enter")               // the focus is on Start
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 150 && bo.Status().Frame > 150 })
	bo.Close() // it takes a moment, during which we hang: its goodbye waits for us, and is read
	until(t, "the goodbye", both[:1], func() bool { return strings.Contains(strings.Join(ada.texts(), "\n"), "Bo has left") })
	during(both[:1], 2*time.Second)
	ada.shot(t, "duel just left alone")
	during(both[:1], 6*time.Second) // longer than any notice that disappears by itself
	if b := ada.Status().Banner; !strings.Contains(b, "Bo is gone") {
		t.Errorf("it says %q", b)
	}
	ada.shot(t, "duel left alone")
	ada.press("ArrowUp", "Space") // jumps and hits of a player who is still fighting
	if s := ada.Status(); s.Mode != "match" {
		t.Fatalf("a key of the fight has ended the match: %q", s.Mode)
	}
	ada.press("Escape", "Escape") // whatever was chosen, the player can choose again
	ada.choose("Claim the win")
	during(both[:1], 500*time.Millisecond)
	if s := ada.Status(); s.Mode != "match" {
		t.Errorf("the first press has ended the match: %q", s.Mode)
	}
	ada.choose("End the match?")
	during(both[:1], 500*time.Millisecond)
	if s := ada.Status(); s.Mode != "room" {
		t.Errorf("after the claim the scene is %q", s.Mode)
	}
	ada.shot(t, "duel claimed")
}

// Rule: after the room has ended, no text says that a link leads back, or to wait.
func TestNobodyComesBackToARoomThatHasEnded(t *testing.T) {
	inRealTime(t)
	page, server := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	ada.Auto, bo.Auto = false, false // nobody wins before
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 30 && bo.Status().Frame > 30 })
	go bo.Close()
	until(t, "news of the one that has gone", both[:1], func() bool { return strings.Contains(ada.Status().Banner, "Bo is gone") })
	if b := ada.Status().Banner; !strings.Contains(b, "The link leads back") {
		t.Errorf("while there is a room, it says %q", b)
	}
	closed := make(chan error, 1)
	go func() { closed <- server.Close(t.Context()) }()
	until(t, "news of the end", both[:1], func() bool { return strings.Contains(ada.Status().Banner, "has ended") })
	for _, text := range ada.texts() {
		if strings.Contains(text, "leads back") && strings.Contains(text, "Wait") || text == "Wait" {
			t.Errorf("after the room has ended, it says %q", text)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// Rule: a guest asks for a rematch, and the host sees it, even after the guest has been away. Going to the room
// withdraws the request.
func TestAGuestAsksForARematch(t *testing.T) {
	ada, bo, both := pair(t, netplay.Config{Game: "arena", Frames: 60}) // of one round, after which none begins by itself
	ada.press("Enter")
	until(t, "the end of the match", both, func() bool { return ada.Status().Outcome != nil && bo.Status().Outcome != nil })
	until(t, "what can be done then", both, func() bool { return bo.shows("Ask for a rematch") })
	bo.settle()
	bo.press("Enter", "Enter") // the focus is there, and stays
	until(t, "Bo to ask", both, func() bool { return ada.member("Bo").State == "rematch" })
	ada.shot(t, "rematch asked for")
	bo.App.SetAway(true)
	until(t, "Bo to be away", both, func() bool { return ada.member("Bo").State == "away" })
	bo.App.SetAway(false)
	until(t, "Bo to ask still", both, func() bool { return ada.member("Bo").State == "rematch" })
	if ada.Status().Outcome == nil {
		t.Fatal("another match has begun meanwhile")
	}
	bo.press("Escape") // to the room
	until(t, "Bo to ask no more", both, func() bool { return ada.member("Bo").State != "rematch" })
	if bo.Status().Mode != "room" || ada.Status().Outcome == nil {
		t.Errorf("Bo is in %q, and Ada sees the end of the match: %v", bo.Status().Mode, ada.Status().Outcome != nil)
	}
}
