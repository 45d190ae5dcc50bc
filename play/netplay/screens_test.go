//go:build !js

package netplay_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/netplay"
)

// Every screen is more than a plain colour. The pictures are stored as artifacts for inspection.
func TestScreens(t *testing.T) {
	alone(t)
	look := func(c *client, name string) {
		t.Helper()
		if n := c.shot(t, name); n < 60 {
			t.Errorf("%s has %d colours", name, n)
		}
	}
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := start(t, "Ada", netplay.Config{Page: page})
	all := []*client{ada}
	during(all, 300*time.Millisecond)
	look(ada, "setup")

	bo := start(t, "Bo", netplay.Config{Page: page, Link: page + "#room=nothing"})
	until(t, "no such room", []*client{bo}, func() bool { return bo.Status().Mode == "failed" })
	during([]*client{bo}, 300*time.Millisecond)
	look(bo, "room gone")

	host := start(t, "Ada", netplay.Config{Page: page, Create: true, Game: "arena", Seats: 5})
	all = []*client{host}
	until(t, "a room", all, func() bool { return host.Status().Room != "" })
	during(all, 300*time.Millisecond)
	look(host, "room alone")
	for _, name := range []string{"Bo", "Cy", "Dot"} {
		all = append(all, start(t, name, netplay.Config{Page: page, Link: host.Status().Room, Watch: name == "Dot"}))
	}
	until(t, "all to be connected", all, func() bool {
		n := 0
		for _, m := range host.Status().Members {
			if m.Connection == "connected" {
				n++
			}
		}
		return n == 3
	})
	host.click(1100, 320)
	host.click(1100, 320) // normal bots
	during(all, 300*time.Millisecond)
	look(host, "room arena")
	look(all[1], "room guest")
	host.click(940, 506)
	until(t, "the match", all, func() bool { return all[3].Status().Frame > 260 })
	look(host, "match arena")
	look(all[3], "match watched")
	all[1].hidden = true
	all[1].SetAway(true)
	during(all, 700*time.Millisecond)
	look(host, "match away")
	all[1].hidden = false
	all[1].SetAway(false)
	all[2].Close()
	all = append(all[:2], all[3])
	during(all, 1500*time.Millisecond)
	look(host, "match left")
	host.press("Escape", "F1")
	during(all, 300*time.Millisecond)
	look(host, "menu")
}

// The screens of a skirmish, from the setup to the result.
func TestScreensOfASkirmish(t *testing.T) {
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	first := start(t, "Ada", netplay.Config{Page: page, Game: "skirmish"})
	during([]*client{first}, 200*time.Millisecond)
	first.shot(t, "skirmish online setup")
	cfg, slowed := netplay.Config{Game: "skirmish", Seats: 5}, tickback.PlayerSet(0)
	cfg.Slow(func() tickback.PlayerSet { return slowed })
	ada := host(t, page, cfg)
	bo, cy := guest(t, "Bo", ada, netplay.Config{}), guest(t, "Cyrus Young", ada, netplay.Config{})
	all := []*client{ada, bo, cy}
	ada.Auto = false
	until(t, "connections", all, func() bool {
		return ada.member("Bo").Connection == "connected" && ada.member("Cyrus Young").Connection == "connected"
	})
	during(all, 300*time.Millisecond)
	ada.shot(t, "skirmish room")
	bo.shot(t, "skirmish room guest")
	ada.click(940, 600)
	until(t, "the match", all, func() bool { return ada.Status().Frame > 150 && bo.Status().Frame > 150 })
	ada.shot(t, "skirmish match")
	ada.drag(draw.Point{X: 300, Y: 70}, draw.Point{X: 980, Y: 540})
	during(all, 500*time.Millisecond)
	ada.press("F1")
	ada.shot(t, "skirmish match figures")
	slowed = tickback.SetOf(1, 2)
	ada.shot(t, "skirmish match slow")
	slowed = 0
	ada.press("F1", "Escape")
	during(all, 200*time.Millisecond)
	ada.shot(t, "skirmish menu")
	ada.press("ArrowDown", "ArrowDown", "Enter")
	bo.Auto, cy.Auto = false, false
	bo.press("Escape", "ArrowDown", "ArrowDown", "Enter")
	cy.press("Escape", "ArrowDown", "ArrowDown", "Enter")
	during(all, time.Second)
	cy.shot(t, "skirmish beaten")
	cy.w, cy.h = 844, 390
	cy.d.Touch = true
	cy.shot(t, "skirmish beaten phone")
}

// The screens of a duel, from the room to the rematch.
func TestScreensOfADuel(t *testing.T) {
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := start(t, "Ada", netplay.Config{Page: page, Create: true, Game: "duel", Frames: 200})
	until(t, "a room", []*client{ada}, func() bool { return ada.Status().Room != "" })
	bo := start(t, "Bo", netplay.Config{Page: page, Link: ada.Status().Room})
	both := []*client{ada, bo}
	until(t, "a connection", both, func() bool {
		s := ada.Status()
		return len(s.Members) == 2 && s.Members[1].Connection == "connected"
	})
	during(both, 300*time.Millisecond)
	ada.shot(t, "duel room")
	ada.click(940, 506)
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 170 })
	ada.shot(t, "duel fight")
	until(t, "the end", both, func() bool { return ada.Status().Rounds == 1 })
	during(both, 800*time.Millisecond)
	ada.shot(t, "duel round over")
	until(t, "the end", both, func() bool { s := ada.Status(); return s.Wins[0] == 2 || s.Wins[1] == 2 || s.Rounds == 5 })
	during(both, 4*time.Second)
	ada.shot(t, "duel over")
	bo.shot(t, "duel over guest")
}

// The screens of the local network, from the setup to the room.
func TestScreensOfTheLocalNetwork(t *testing.T) {
	alone(t)
	n := newNetwork(t)
	ada := n.start("Ada", netplay.Config{Create: true, Game: "arena", Seats: 4})
	all := []*client{ada, n.start("Bo", netplay.Config{})}
	until(t, "a room", all, ada.is("room"))
	during(all, 1500*time.Millisecond)
	all[1].shot(t, "lan setup")
	all = append(all, n.start("Cy", netplay.Config{Link: at(ada)}))
	until(t, "a guest", all, func() bool { return connected(ada, 2)() && connected(all[2], 2)() })
	during(all, 500*time.Millisecond) // until its screen has come in
	ada.shot(t, "lan room")
	all[2].shot(t, "lan room guest")
}
