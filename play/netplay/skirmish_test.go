//go:build !js

package netplay_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/theatre"
)

// ended fails unless all clients have reached the same end of their first match.
func ended(t *testing.T, all []*client) app.Outcome {
	t.Helper()
	until(t, "the end", all, func() bool {
		for _, c := range all {
			if c.Status().Matches == 0 {
				return false
			}
		}
		return true
	})
	first := all[0].Status().Outcome
	for _, c := range all {
		if s := c.Status(); *s.Outcome != *first || s.Verdict == "desynced" {
			t.Errorf("%s ends with %+v, %s; and %s with %+v", c.name, s.Outcome, s.Verdict, all[0].name, first)
		}
	}
	return *first
}

// Two play a skirmish of three places by link, with a bot in the third one. One watches, and one comes late and takes
// the place of the bot. All reach the same end.
func TestASkirmishByLink(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "skirmish", Seats: 3, Start: 2, Frames: 700})
	bo := guest(t, "Bo", ada, netplay.Config{})
	all := []*client{ada, bo}
	until(t, "the match", all, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	if a, b := ada.Status(), bo.Status(); a.Skirmish == nil || a.Skirmish.All < 30 || a.Seat != 0 || b.Seat != 1 || b.Skirmish.Units == 0 {
		t.Fatalf("%+v %+v", a, b)
	}
	eve, dot := guest(t, "Eve", ada, netplay.Config{Watch: true}), guest(t, "Dot", ada, netplay.Config{})
	all = append(all, eve, dot)
	until(t, "the late ones", all, func() bool { return dot.Status().Frame > 150 && eve.Status().Frame > 150 })
	if d, e := dot.Status(), eve.Status(); d.Seat != 2 || d.Skirmish.Units == 0 || e.Seat != -1 || e.Skirmish.Units != 0 || e.Skirmish.All == 0 {
		t.Errorf("who came late: %+v; who watches: %+v", d, e)
	}
	if end := ended(t, all); end.Frame != 700 || end.Finished {
		t.Errorf("%+v", end)
	}
	until(t, "the recordings", all, func() bool {
		for _, c := range all {
			if c.Status().Recordings != 1 {
				return false
			}
		}
		return true
	})
	for _, c := range all {
		if got := verified(t, c.Recordings()[0].Bytes); got != theatre.Verified {
			t.Errorf("%s has recorded what is not verified: %s", c.name, got)
		}
	}
	if r := ada.Recordings()[0]; r.Game != skirmish.ID || r.Frames != 700 || r.Names[0] != "Ada" || r.Names[1] != "Bo" || r.Rate != skirmish.TicksPerSecond {
		t.Errorf("%s of %q: %d frames", r.Game, r.Names, r.Frames)
	}
}

// verified makes the theatre verify a recording.
func verified(t *testing.T, b []byte) string {
	t.Helper()
	o := theatre.Open("match.tbr", b)
	for !o.Work(time.Second) {
	}
	f, err := o.File()
	if err != nil {
		t.Fatal(err)
	}
	v := f.Verify()
	for !v.Work(time.Second) {
	}
	return v.Text()
}

// commands starts two people in a skirmish, in lockstep or with rollback, as the host chooses.
func commands(t *testing.T, rollback bool) (ada, bo *client) {
	t.Helper()
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada = host(t, page, netplay.Config{Game: "skirmish", Seats: 2})
	bo = guest(t, "Bo", ada, netplay.Config{})
	ada.Auto, bo.Auto = false, false
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool { return ada.member("Bo").Connection == "connected" })
	if rollback {
		ada.click(1180, 232+4*52+20)
	}
	ada.choose("Start")
	until(t, "the match", both, func() bool { return ada.Status().Frame > 40 && bo.Status().Frame > 40 })
	return ada, bo
}

// drag draws a box with the mouse.
func (c *client) drag(from, to draw.Point) {
	c.d.Pointer = from
	c.picture()
	c.d.Down = true
	c.picture()
	c.d.Pointer = to
	c.picture()
	c.picture()
	c.d.Down = false
	c.picture()
}

// Two people command units in a skirmish in lockstep and with rollback: the orders of one have the same effect for the
// other. One resigns, the other has won, and the host begins the rematch.
func TestPeopleCommandOnline(t *testing.T) {
	for _, mode := range []string{"lockstep", "rollback"} {
		t.Run(mode, func(t *testing.T) {
			inRealTime(t)
			ada, bo := commands(t, mode == "rollback")
			both := []*client{ada, bo}
			bo.drag(draw.Point{X: 300, Y: 70}, draw.Point{X: 980, Y: 540})
			until(t, "the selection", both, func() bool { return bo.Status().Skirmish.Selected > 0 })
			bo.d.Pointer = draw.Point{X: 640, Y: 520}
			bo.d.Right = true
			bo.picture()
			bo.d.Right = false
			until(t, "the units to go", both, func() bool { s := bo.Status().Skirmish; return s.Idle <= s.Units-s.Selected })
			if s := ada.Status().Skirmish; s.Selected != 0 || s.Idle != s.Units {
				t.Errorf("what Bo orders is done by Ada's: %+v", *s)
			}
			bo.press("KeyK")
			during(both, 300*time.Millisecond)
			gold := bo.Status().Skirmish.Gold
			bo.press("KeyQ")
			until(t, "a unit to be trained", both, func() bool { return bo.Status().Skirmish.Gold < gold })
			at := ada.Status().Frame
			until(t, "both to go on", both, func() bool { return ada.Status().Frame > at+30 && bo.Status().Frame > at+30 })
			if n := ada.Status().Stalls; mode == "rollback" && ada.Status().Rollbacks+bo.Status().Rollbacks == 0 {
				t.Logf("no rollback was needed; %d stalls", n)
			}
			bo.press("Escape", "ArrowDown", "ArrowDown", "Enter") // gives up
			if end := ended(t, both); !end.Finished || end.Result != 1 {
				t.Errorf("%+v", end)
			}
			until(t, "what can be done then", both, func() bool { return ada.shows("Rematch") })
			ada.choose("Rematch")
			until(t, "the rematch", both, func() bool { return ada.Status().Matches == 1 && ada.Status().Frame > 20 && bo.Status().Frame > 20 })
		})
	}
}
