//go:build !js

package netplay_test

import (
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/online/lan"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/netplay"
)

// network is a local network of clients: they find each other at a port of their own.
type network struct {
	*testing.T
	port int
}

// searchPorts counts the networks of this process.
var searchPorts atomic.Int32

// newNetwork chooses a free port that is not one of those that systems assign: otherwise a parallel test could get it
// before it is used.
func newNetwork(t *testing.T) *network {
	t.Helper()
	for range 100 {
		port := 20000 + (os.Getpid()*16+int(searchPorts.Add(1)))%10000
		if l, err := net.ListenUDP("udp4", &net.UDPAddr{Port: port}); err == nil {
			_ = l.Close()
			return &network{t, port}
		}
	}
	t.Fatal("there is no free port")
	return nil
}

// start starts a client in the mode for the local network.
func (n *network) start(name string, cfg netplay.Config) *client {
	n.Helper()
	return startIn(n.T, name, cfg, func(c netplay.Config) app.Mode {
		return netplay.LAN(c, lan.Options{Listen: "127.0.0.1:0", SearchPort: n.port})
	})
}

// at is the address of a host.
func at(host *client) string {
	rest, _ := strings.CutPrefix(host.Status().Room, "http://")
	address, _, _ := strings.Cut(rest, "/")
	return address
}

func (c *client) is(mode string) func() bool { return func() bool { return c.Status().Mode == mode } }

func connected(c *client, members int) func() bool {
	return func() bool {
		n := 0
		for _, m := range c.Status().Members {
			if m.Connection == "connected" || m.Connection == "self" {
				n++
			}
		}
		return n == members
	}
}

// A host is found automatically, and joined with the keyboard; two play rounds, one leaves and joins again by the
// address, and they continue.
func TestTwoPlayOnTheLocalNetwork(t *testing.T) {
	inRealTime(t)
	n := newNetwork(t)
	ada := n.start("Ada", netplay.Config{Create: true, Game: "duel", Start: 2, Frames: 200})
	until(t, "a room", []*client{ada}, ada.is("room"))
	bo := n.start("Bo", netplay.Config{})
	both := []*client{ada, bo}
	until(t, "the screen of the local network", both, bo.is("lan"))
	for tries := 0; bo.Status().Mode == "lan" && tries < 100; tries++ {
		during(both, 100*time.Millisecond) // until the host is the first one in the list
		bo.click(900, 290)
	}
	until(t, "the end of a round", both, func() bool { return ada.Status().Matches == 1 && bo.Status().Matches == 1 })
	a, b := ada.Status(), bo.Status()
	if *a.Outcome != *b.Outcome || a.Outcome.Frame == 0 || a.Verdict != "healthy" || b.Verdict != "healthy" || b.Seat != 1 {
		t.Errorf("%+v %q and %+v %q", a.Outcome, a.Verdict, b.Outcome, b.Verdict)
	}
	bo.Close()
	until(t, "the guest has gone", []*client{ada}, func() bool { return len(ada.Status().Members) == 1 })
	again := n.start("Bo", netplay.Config{Link: at(ada)})
	both[1] = again
	until(t, "the end of another round", both, func() bool { return again.Status().Matches == 1 && ada.Status().Matches >= 2 })
	if b := again.Status(); b.Seat != 1 || b.Verdict != "healthy" {
		t.Errorf("back again: %+v", b)
	}
}

// When the host leaves, the guest is told, and can go back to the screen that lists hosts.
func TestTheHostOfTheLocalNetworkGoes(t *testing.T) {
	inRealTime(t)
	n := newNetwork(t)
	ada := n.start("Ada", netplay.Config{Create: true, Game: "arena", Seats: 3})
	until(t, "a room", []*client{ada}, ada.is("room"))
	bo := n.start("Bo", netplay.Config{Link: at(ada)})
	until(t, "they are connected", []*client{ada, bo}, connected(bo, 2))
	ada.Close()
	until(t, "the guest is told", []*client{bo}, bo.is("failed"))
	if m := bo.Status().Message; !strings.HasPrefix(m, "The host has left: ") {
		t.Errorf("%q", m)
	}
	bo.press("Enter") // try again
	until(t, "nobody is there", []*client{bo}, func() bool { return strings.HasPrefix(bo.Status().Message, "Nobody hosts there: ") })
	bo.picture()                    // until then it has no buttons
	bo.press("ArrowRight", "Enter") // another room
	until(t, "the screen of the local network", []*client{bo}, bo.is("lan"))
}

// Each reason for not getting in has its message.
func TestFailuresOnTheLocalNetwork(t *testing.T) {
	inRealTime(t)
	n := newNetwork(t)
	ada := n.start("Ada", netplay.Config{Create: true, Game: "duel"})
	until(t, "a room", []*client{ada}, ada.is("room"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			_, _ = c.Write([]byte("220 mail.example.org\r\n"))
			_ = c.Close()
		}
	}()
	busy := func(c netplay.Config) app.Mode {
		return netplay.LAN(c, lan.Options{Listen: l.Addr().String(), SearchPort: -1})
	}
	for _, c := range []struct {
		says string
		cfg  netplay.Config
		mode func(netplay.Config) app.Mode
	}{
		{fmt.Sprintf("Another version: The host plays build %q, and you have %q.", digest.Build(digest.Duel), "older"), netplay.Config{Link: at(ada), Build: "older"}, nil},
		{"That is no address: ", netplay.Config{Link: "no address"}, nil},
		{"The port is in use: ", netplay.Config{Create: true}, busy},
	} {
		if c.mode == nil {
			c.mode = func(cfg netplay.Config) app.Mode { return netplay.LAN(cfg, lan.Options{SearchPort: n.port}) }
		}
		bo := startIn(t, "Bo", c.cfg, c.mode)
		until(t, "it has failed", []*client{ada, bo}, bo.is("failed"))
		if m := bo.Status().Message; !strings.HasPrefix(m, c.says) {
			t.Errorf("%q, want %q", m, c.says)
		}
	}
}

// An address can be pasted or typed; an invalid one is reported.
func TestAnAddressIsTyped(t *testing.T) {
	inRealTime(t)
	n := newNetwork(t)
	ada := n.start("Ada", netplay.Config{Create: true, Game: "duel"})
	until(t, "a room", []*client{ada}, ada.is("room"))
	bo := n.start("Bo", netplay.Config{})
	both := []*client{ada, bo}
	until(t, "the screen of the local network", both, bo.is("lan"))
	bo.Paste("no address at all")
	bo.click(900, 546) // the field
	bo.d.Text = []rune(at(ada))
	bo.picture()
	bo.d.Text = nil
	bo.press("Enter")
	until(t, "they are connected", both, connected(ada, 2))
}
