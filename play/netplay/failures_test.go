//go:build !js

package netplay_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

// fails waits until a client shows a failure that contains all of these texts.
func (c *client) fails(words ...string) {
	c.Helper()
	until(c.T, "a failure", []*client{c}, func() bool { return c.Status().Mode == "failed" })
	c.picture()
	for _, w := range words {
		if !strings.Contains(c.Status().Message, w) {
			c.Errorf("%q does not say %q", c.Status().Message, w)
		}
	}
}

// Each failure of a server leads to a screen that says what is wrong and what helps.
func TestFailuresAtTheDoor(t *testing.T) {
	page, _ := roomstest.Serve(t, rooms.Config{RoomsPerAddress: 4})
	room := func(cfg online.Config) *online.Room {
		t.Helper()
		cfg.GameID, cfg.Seats, cfg.Loopback = "duel-round", max(cfg.Seats, 2), true
		r, err := online.Create(t.Context(), page, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
	full := room(online.Config{Build: digest.Build(digest.Duel)})
	second, err := online.Join(t.Context(), full.Link(), online.Config{GameID: "duel-round", Build: digest.Build(digest.Duel), Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	other := room(online.Config{Build: "older"})
	wide := room(online.Config{Build: digest.Build(digest.Duel), Seats: rooms.MaxSeats})
	room(online.Config{Build: digest.Build(digest.Duel)})
	strict, _ := roomstest.Serve(t, rooms.Config{Games: []string{"chess"}})
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, c := range []struct {
		name  string
		cfg   netplay.Config
		words []string
	}{
		{"full", netplay.Config{Link: full.Link()}, []string{"The room is full", "create a room"}},
		{"gone", netplay.Config{Link: page + "#room=ABCDEFGHIJKLMNOPQRSTUV"}, []string{"The room is gone", "new link"}},
		{"another build", netplay.Config{Link: other.Link()}, []string{"Another version", `"older"`, digest.Build(digest.Duel), "Load the page again"}},
		{"too many seats", netplay.Config{Link: wide.Link()}, []string{"Too many seats", "has 16 seats, and its game 2", "create a room"}},
		{"too many rooms", netplay.Config{Page: page, Create: true}, []string{"Too much at once", "Wait a minute"}},
		{"no such game", netplay.Config{Page: strict, Create: true}, []string{"Not on this server", "duel-round"}},
		{"no server", netplay.Config{Page: closed.URL, Create: true}, []string{"The server cannot be reached", "try again"}},
		{"no link", netplay.Config{Link: "gopher://x"}, []string{"no link to a room", "paste"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := start(t, "Ada", c.cfg)
			client.fails(c.words...)
			client.press("ArrowRight", "Enter") // another room
			if m := client.Status().Mode; m != "online" {
				t.Errorf("it leads to %q", m)
			}
		})
	}
}

// Members of a room are informed when the server stops, or when the room is too old.
func TestFailuresInTheRoom(t *testing.T) {
	page, server := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel"})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := server.Close(ctx); err != nil {
		t.Error(err)
	}
	ada.fails("The server has shut down", "create a new room")
	page, _ = roomstest.Serve(t, rooms.Config{MaxAge: 300 * time.Millisecond})
	bo := host(t, page, netplay.Config{Game: "duel"})
	bo.fails("The room has ended", "Create a new one")
	bo.press("ArrowRight", "Enter")
	if m := bo.Status().Mode; m != "title" {
		t.Errorf("it leads to %q", m)
	}
}

// A client that plays by other rules is noticed, and both show from which frame on, in which field, and offer the
// report.
func TestADesyncIsExplained(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2, Frames: 300})
	wrong := netplay.Config{}
	wrong.Corrupt(100)
	bo := guest(t, "Bo", ada, wrong)
	both := []*client{ada, bo}
	said, saidAtEnd := "", ""
	until(t, "both to notice", both, func() bool {
		s := ada.Status()
		switch {
		case !strings.Contains(s.Banner, "different matches"):
		case s.Outcome == nil:
			said = s.Banner
		default:
			saidAtEnd = s.Banner
		}
		return s.Mode == "failed" && bo.Status().Mode == "failed"
	})
	if !strings.Contains(said, "Leave by the menu") || !strings.Contains(saidAtEnd, "A report is made") {
		t.Errorf("the banner says %q during the match, and %q after it", said, saidAtEnd)
	}
	for _, c := range both {
		if n := c.Status().Rounds; n != 0 {
			t.Errorf("a match that differed counts as %d", n)
		}
		c.fails("The game has come apart", "From frame 101 on", "Hp", "Save the report")
	}
	ada.settle()
	ada.press("ArrowRight", "ArrowRight", "Enter")
	if len(ada.saved) == 0 {
		t.Error("there is no report")
	}
	ada.press("ArrowLeft", "ArrowLeft", "Enter")
	if m := ada.Status().Mode; m == "failed" || m == "title" {
		t.Errorf("the way back leads to %q", m)
	}
}
