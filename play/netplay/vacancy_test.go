//go:build !js

package netplay_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/netplay"
)

const vacantBuild = "vacant"

// vanishes makes a client's page close: its place is kept, without anybody there.
func (c *client) vanishes(game string) {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := online.Join(ctx, c.link, online.Config{GameID: game, Build: vacantBuild, Ticket: c.ticket, Loopback: true})
	if err != nil {
		c.Fatal(err)
	}
	r.Abandon()
}

func watches(c *client) bool { return c.Status().Seat == rooms.NoSeat }

// A player's page is closed during a match, and the link is opened elsewhere: the new page is offered the place, and
// continues there, in the same match. The old page that comes back is told who has its place, and watches.
func TestALeftPlaceIsOffered(t *testing.T) {
	alone(t)
	page, _ := roomstest.Serve(t, rooms.Config{Vacancy: 50 * time.Millisecond})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 3, Start: 3, Build: vacantBuild})
	bo, cy := guest(t, "Bo", ada, netplay.Config{Build: vacantBuild}), guest(t, "Cy", ada, netplay.Config{Build: vacantBuild})
	all := []*client{ada, bo, cy}
	until(t, "the match", all, func() bool {
		return ada.Status().Frame > 60 && bo.Status().Frame > 60 && cy.Status().Frame > 60
	})
	dot := guest(t, "Dot", ada, netplay.Config{Build: vacantBuild})
	all = append(all, dot)
	until(t, "one more to watch", all, func() bool { return dot.Status().Mode == "match" && dot.Status().Frame > 60 })
	if _, offered := dot.find("A place is free: take it"); offered || !watches(dot) {
		t.Fatalf("while all are there, %+v is offered a place", dot.Status())
	}
	seat, ticket := bo.Status().Seat, bo.ticket
	bo.vanishes("arena")
	until(t, "the first page to be told", all, func() bool { return bo.Status().Mode == "failed" })
	all = []*client{ada, cy, dot}
	const offer = "Bo has gone: take the place"
	until(t, "the offer", all, func() bool { return dot.shows(offer) })
	if ada.shows(offer) {
		t.Error("a player is offered a second place")
	}
	if n := dot.shot(t, "offer"); n < 60 {
		t.Errorf("the offer has %d colours", n)
	}
	dot.press("Escape", "ArrowDown", "ArrowDown", "Enter") // the players
	if !dot.shows("Take it") {
		t.Errorf("among the players there is %q", dot.texts())
	}
	dot.shot(t, "players, one gone")
	dot.press("Escape", "Escape")
	until(t, "the match again", all, func() bool { return dot.shows(offer) })
	dot.choose(offer)
	until(t, "Dot to play", all, func() bool { return dot.Status().Seat == seat && dot.Status().Frame > ada.Status().Frame-60 })
	at := ada.Status().Agreed.Frame
	until(t, "the same state", all, func() bool {
		a, d := ada.Status(), dot.Status()
		return a.Agreed == d.Agreed && a.Agreed.Frame > at+60
	})
	if a := ada.Status(); a.Matches != 0 || a.Mode != "match" {
		t.Errorf("the others are in %q after %d matches", a.Mode, a.Matches)
	}
	back := guest(t, "Bo", ada, netplay.Config{Build: vacantBuild, Machine: netplay.Machine{Kept: func() string { return ticket }}})
	all = append(all, back)
	said := func() bool { return back.shows("Dot has taken your place.") }
	until(t, "Bo to be told", all, said)
	until(t, "Bo to watch", all, func() bool { return watches(back) && back.Status().Mode == "match" && back.Status().Frame > at })
}

// cable is a listener whose connections can be cut.
type cable struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (c *cable) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conns = append(c.conns, conn)
	return conn, err
}

func (c *cable) cut() {
	_ = c.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		if conn != nil {
			_ = conn.Close()
		}
	}
}

// byCable returns another address of a server of rooms, and a function that cuts it off.
func byCable(t *testing.T, server *rooms.Server) (page string, cut func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{Listener: l}
	mux := http.NewServeMux()
	mux.Handle("/rooms", server)
	web := &http.Server{Handler: mux}
	var running sync.WaitGroup
	running.Go(func() { _ = web.Serve(c) })
	t.Cleanup(func() { c.cut(); _ = web.Close(); running.Wait() })
	return "http://" + l.Addr().String() + "/", c.cut
}

// A device goes silent: the server of rooms only misses it, and the match could continue without the server. The host's
// machine knows more, and reports it: then the place is offered.
func TestTheHostSaysThatADeviceIsSilent(t *testing.T) {
	inRealTime(t)
	page, server := roomstest.Serve(t, rooms.Config{Vacancy: 50 * time.Millisecond})
	ada := host(t, page, netplay.Config{Game: "arena", Seats: 2, Start: 2})
	other, cut := byCable(t, server)
	bo := start(t, "Bo", netplay.Config{Link: strings.Replace(ada.Status().Room, page, other, 1)})
	both := []*client{ada, bo}
	until(t, "the match", both, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	dot := guest(t, "Dot", ada, netplay.Config{})
	all := []*client{ada, bo, dot}
	until(t, "one more to watch", all, func() bool { return dot.Status().Mode == "match" && dot.Status().Frame > 60 })
	cut()
	until(t, "the server to miss Bo", all, func() bool { return ada.member("Bo").State == "lost" })
	at := bo.Status().Frame
	until(t, "the match to go on", all, func() bool { return bo.Status().Frame > at+60 })
	const offer = "Bo has gone: take the place"
	if dot.shows(offer) {
		t.Fatal("the place of a player is offered that still plays")
	}
	all = []*client{ada, dot} // Bo's device draws no more pictures, and sends nothing
	until(t, "the offer", all, func() bool { return dot.shows(offer) })
	dot.choose(offer)
	until(t, "Dot to play", all, func() bool { return dot.Status().Seat == 1 && dot.Status().Frame > ada.Status().Frame-60 })
}

// A player has a link to the player's own place: another device continues there, as the same member, and the link
// invites nobody else.
func TestAPlaceMovesToAnotherDevice(t *testing.T) {
	inRealTime(t)
	page, _ := roomstest.Serve(t, rooms.Config{})
	ada := host(t, page, netplay.Config{Game: "duel", Start: 2})
	bo := guest(t, "Bo", ada, netplay.Config{})
	all := []*client{ada, bo}
	until(t, "the match", all, func() bool { return ada.Status().Frame > 60 && bo.Status().Frame > 60 })
	bo.press("Escape")
	bo.choose("Players")
	bo.choose("Play on another device")
	until(t, "the link", all, func() bool { return bo.shows("Copied. Open it on the other device, and send it to nobody else.") })
	if !strings.Contains(bo.copied, "&place=") || online.RoomOf(bo.copied) == "" {
		t.Fatalf("copied is %q", bo.copied)
	}
	seat := bo.Status().Seat
	laptop := start(t, "Bo", netplay.Config{Link: bo.copied})
	all = append(all, laptop)
	until(t, "the first device to be told", all, func() bool { return strings.Contains(bo.Status().Message, "another page") })
	all = []*client{ada, laptop}
	until(t, "the other device to play", all, func() bool { return laptop.Status().Mode == "match" && laptop.Status().Frame > 60 })
	if s := laptop.Status(); s.Seat != seat || len(s.Members) != 2 || strings.Contains(laptop.link, "place") {
		t.Errorf("it has seat %d of %+v, and keeps %q", s.Seat, s.Members, laptop.link)
	}
}
