//go:build !js

package hall_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/hall"
)

// looks fails if a screen is hardly more than a plain colour. The pictures are stored as artifacts for inspection.
func looks(c *client, name string) {
	c.Helper()
	if n := c.shot(name); n < 60 {
		c.Errorf("%s has %d colours", name, n)
	}
}

// The screens on this machine.
func TestScreensAlone(t *testing.T) {
	alone(t)
	pictures := func(c *client, n int) {
		for range n {
			c.Picture(c.c, &c.d, c.w, c.h, 1.0/60)
		}
	}
	setup := start(t, "Ada", false, hall.Config{Page: "http://127.0.0.1/", Dial: hall.UDP})
	pictures(setup, 30)
	looks(setup, "tanks setup")

	auto := start(t, "Bo", true, hall.Config{})
	pictures(auto, 1500)
	looks(auto, "tanks bots")
	pictures(auto, 5*60*60-1500+60)
	looks(auto, "tanks end")

	alone := start(t, "Cy", false, hall.Config{})
	pictures(alone, 2)
	alone.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	alone.d.Keys = append(alone.d.Keys, "KeyW", "Space")
	pictures(alone, 240)
	looks(alone, "tanks drive")
	alone.d.Keys = nil
	pictures(alone, 2400) // it stands still, and is destroyed
	looks(alone, "tanks later")

	phone := start(t, "Dot", false, hall.Config{})
	pictures(phone, 2)
	phone.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	phone.w, phone.h = 844, 390
	phone.d.Touch, phone.d.Touches = true, []draw.Point{{X: 90, Y: 300}}
	pictures(phone, 200)
	looks(phone, "tanks phone")
}

// The screens with others.
func TestScreensWithOthers(t *testing.T) {
	alone(t)
	page := serveRooms(t)
	gone := guest(t, "Bo", page+"#room=nothing", false, hall.Config{})
	until(t, "no such room", []*client{gone}, func() bool { return gone.Status().Mode == "failed" })
	during([]*client{gone}, 300*time.Millisecond)
	looks(gone, "tanks room gone")

	ada := hosts(t, page, true, hall.Config{Fill: 8}) // of minutes: it is not over before all have been seen
	all := []*client{ada}
	during(all, 500*time.Millisecond)
	looks(ada, "tanks host")
	bo := guest(t, "Bo", ada.Status().Room, true, hall.Config{})
	all = append(all, bo)
	bo.picture()
	looks(bo, "tanks connecting")
	until(t, "Bo to play", all, func() bool { return bo.Status().Seat >= 0 && bo.Status().Frame > 100 })
	during(all, 2*time.Second)
	looks(bo, "tanks guest")
	ada.press("Escape")
	during(all, 300*time.Millisecond)
	looks(ada, "tanks menu")
	ada.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
	during(all, 300*time.Millisecond)
	looks(ada, "tanks players")
	ada.leaves(t, all)

	ada = hosts(t, page, true, hall.Config{Fill: 8, Ticks: 420})
	bo = guest(t, "Bo", ada.Status().Room, true, hall.Config{})
	all = []*client{ada, bo}
	until(t, "the end", all, func() bool { return ada.Status().Matches > 0 && bo.Status().Matches > 0 })
	during(all, 2500*time.Millisecond)
	looks(ada, "tanks end host")
	looks(bo, "tanks end guest")
}
