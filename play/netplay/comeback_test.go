//go:build !js

package netplay_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// again is the page of a client after a reload: its tab has the same storage.
func (c *client) again(t *testing.T, of *client) *client {
	t.Helper()
	return guest(t, c.name, of, netplay.Config{Machine: netplay.Machine{Kept: func() string { return c.ticket }}})
}

// nothingFails ends the test if a screen shows a failure.
func nothingFails(t *testing.T, all []*client) {
	t.Helper()
	for _, c := range all {
		if s := c.Status(); s.Message != "" {
			t.Fatalf("%s: %s", c.name, s.Message)
		}
	}
}

// A page is reloaded just when a match begins with it: no player waits for the old page, and another match begins.
func TestAPageIsLoadedAgainWhenAMatchBegins(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool { return bo.member("Ada").Connection == "connected" })
	until(t, "Ada to wait for Bo", []*client{ada}, func() bool { return ada.Status().Mode == "match" })
	bo = bo.again(t, ada)
	both = []*client{ada, bo}
	until(t, "both to play", both, func() bool {
		nothingFails(t, both)
		return ada.Status().Frame > 30 && bo.Status().Frame > 30
	})
}

// A page that is reloaded at the end of a round is in the next one, however much it has seen of the last.
func TestAPageIsLoadedAgainAtTheEndOfARound(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2, Frames: 120})
	bo := guest(t, "Bo", ada, netplay.Config{})
	both := []*client{ada, bo}
	for round := range 4 {
		until(t, "a round", both, func() bool { return ada.Status().Frame > 60 && ada.Status().Matches == round })
		until(t, "its end", both, func() bool { return ada.Status().Matches == round+1 })
		during(both[:1], time.Duration(round)*400*time.Millisecond)
		bo = bo.again(t, ada)
		both[1] = bo
		until(t, "the next one", both, func() bool {
			nothingFails(t, both)
			return ada.Status().Frame < 60 && bo.Status().Mode == "match" && bo.Status().Frame > 0
		})
	}
}
