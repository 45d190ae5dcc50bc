//go:build !js

package netplay_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// Rule: whoever is left alone in a duel sees what has happened for as long as it lasts, and can go at once
// with the win.
func TestWhoeverIsLeftAloneCanClaimTheWin(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	ada.Auto, bo.Auto = false, false // nobody wins before
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	during(both, 300*time.Millisecond)
	ada.press("Enter") // the focus is on Start
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 150 && bo.Status().Frame > 150 })
	bo.Close()
	until(t, "news of the one that has gone", both[:1], func() bool { return len(ada.Status().Members) == 1 || ada.member("Bo").State == "lost" })
	during(both[:1], 8*time.Second) // longer than any notice that goes by itself
	ada.shot(t, "duel left alone")
	ada.click(640, 281)
	during(both[:1], 500*time.Millisecond)
	if s := ada.Status(); s.Mode != "room" {
		t.Errorf("after the claim the scene is %q", s.Mode)
	}
	ada.shot(t, "duel claimed")
}
