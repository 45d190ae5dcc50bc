//go:build !js

package netplay_test

import (
	"testing"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// Rule: a host who is about to start a match starts it, even if a spectator joins at that moment, for whom there is a
// button to kick them above it.
func TestAWatcherMovesNoFocus(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	bo := guest(t, "Bo", ada, netplay.Config{})
	all := []*client{ada, bo}
	until(t, "both to be ready", all, func() bool { return ada.shows("Both are ready") && ada.shows("Start") })
	cy := guest(t, "Cy", ada, netplay.Config{Watch: true})
	all = append(all, cy)
	until(t, "a watcher", all, func() bool {
		return ada.member("Cy").Seat == -1 && ada.member("Cy").State == "here" && ada.shows("Start")
	})
	ada.press("Enter")
	until(t, "the match", all, func() bool { return ada.Status().Mode == "match" })
}
