//go:build !js

package netplay_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// Both reach the end of a round while one of them cannot reach the server, which is shown, with a way out; the next
// round begins when the server can be reached.
func TestTheServerIsLostAtTheEndOfARound(t *testing.T) {
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	way := newDetour(t, page)
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2, Frames: 240})
	bo := start(t, "Bo", netplay.Config{Link: way.around(ada.Status().Room)})
	both := []*client{ada, bo}
	until(t, "the match", both, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	way.close()
	until(t, "its end", both, func() bool { return ada.Status().Rounds == 1 && bo.Status().Matches == 1 })
	during(both, 5*time.Second) // with the cheers
	bo.shot(t, "adrift")
	bo.choose("To the room")
	if m := bo.Status().Mode; m != "room" {
		t.Errorf("there is no way from the end of the round to the room, but to %q", m)
	}
	way.open()
	until(t, "the next round", both, func() bool { return ada.Status().Rounds == 2 && bo.Status().Matches == 2 })
}
