//go:build !js

package netplay_test

import (
	"testing"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/netplay"
)

// Two meet in a room by its link, and play rounds of a duel that begin automatically; both see the same ends.
func TestTwoPlayADuelByLink(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := start(t, "Ada", netplay.Config{Page: page, Create: true, Game: "duel", Start: 2, Frames: 240})
	until(t, "a room", []*client{ada}, func() bool { return ada.Status().Room != "" })
	if s := ada.Status(); s.Mode != "room" || s.Seat != 0 || s.Players != 2 || len(s.Members) != 1 {
		t.Fatalf("%+v", s)
	}
	bo := start(t, "Bo", netplay.Config{Page: page, Link: ada.Status().Room})
	both := []*client{ada, bo}
	// A player is shown which keys to press, until they were pressed; a bot is not.
	ada.Auto = false
	until(t, "the keys are shown", both, func() bool { return ada.shows("jump") && ada.shows("run") && ada.shows("hit") })
	if bo.shows("jump") {
		t.Error("a bot is shown what to press")
	}
	for _, k := range []controls.Key{"KeyA", "KeyW", "KeyJ"} {
		ada.press(k)
	}
	if ada.shows("run") || ada.shows("jump") || ada.shows("hit") {
		t.Error("keys are shown after they were pressed")
	}
	ada.Auto = true
	for n := 1; n <= 2; n++ {
		until(t, "the end of a match", both, func() bool { return ada.Status().Matches == n && bo.Status().Matches == n })
		a, b := ada.Status(), bo.Status()
		if *a.Outcome != *b.Outcome || a.Outcome.Frame == 0 || a.Verdict != "healthy" || b.Verdict != "healthy" {
			t.Errorf("match %d: %+v %q and %+v %q", n, a.Outcome, a.Verdict, b.Outcome, b.Verdict)
		}
		if a.Wins != b.Wins || a.Rounds != b.Rounds {
			t.Errorf("match %d: the score is %v after %d, and %v after %d", n, a.Wins, a.Rounds, b.Wins, b.Rounds)
		}
	}
}
