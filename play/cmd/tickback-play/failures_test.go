//go:build !js

package main_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Scripts that take something away from a page before it starts.
const (
	withoutWebRTC = `delete window.RTCPeerConnection`
	// A network that only lets traffic through a TURN server, and there is none.
	withoutWays = `window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(c) { super({...c, iceTransportPolicy: "relay"}); }
}`
	// The policy of the page forbids connections to other servers: the socket fails at once.
	withoutServer = `window.WebSocket = class extends WebSocket { constructor() { super("ws://127.0.0.1:9/"); } }`
)

// program makes a room natively, as another member for the pages.
func (s site) program(t *testing.T, cfg online.Config) *online.Room {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cfg.GameID, cfg.Seats, cfg.Name, cfg.Loopback = duel.RoundID, 2, "Somebody", true
	r, err := online.Create(ctx, s.url, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// says waits until a page shows a failure screen that contains all of these texts.
func says(t *testing.T, p *browsertest.Page, words ...string) {
	t.Helper()
	s := browsertest.Until(p, "it fails", func(s app.Status) bool { return s.Message != "" })
	for _, w := range words {
		if !strings.Contains(s.Message, w) {
			t.Errorf("%s says %q, and nothing of %q", p.Name, s.Message, w)
		}
	}
	at := s.Pictures
	browsertest.Until(p, "the message is drawn", func(s app.Status) bool { return s.Pictures > at+20 })
	p.Shot(p.Name)
}

// Each failure has a screen that says what is wrong, and what helps. Package netplay tests all of them; here are those
// that differ in a page, and one that does not.
func TestMessagesOfFailures(t *testing.T) {
	site := open(t, rooms.Config{})
	full := site.program(t, online.Config{Build: digest.Build(digest.Duel)})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	other, err := online.Join(ctx, full.Link(), online.Config{GameID: duel.RoundID, Build: digest.Build(digest.Duel), Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	create := site.url + "?mode=online&silent=1&game=duel"
	for _, c := range []struct {
		name, address string
		rarely        bool
		words         []string
		script        string
		forgive       []string
	}{
		{name: "full", rarely: true, address: full.Link(), words: []string{"The room is full"}},
		{name: "gone", address: site.url + "#room=ABCDEFGHIJKLMNOPQRSTUV", words: []string{"The room is gone", "new link"}},
		{
			name: "another version", rarely: true, address: site.program(t, online.Config{Build: "play 0"}).Link(),
			words: []string{"Another version", `"play 0"`, digest.Build(digest.Duel), "Load the page again"},
		},
		{name: "no WebRTC", address: create, script: withoutWebRTC, words: []string{"WebRTC", "another browser"}},
		{name: "no server", address: create, script: withoutServer, words: []string{"The server cannot be reached"}, forgive: []string{"Content Security Policy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.rarely {
				browsertest.Rarely(t)
			}
			p := visit(t, c.name, c.address, 960, 540, c.script)
			p.Forgive(c.forgive...)
			says(t, p, c.words...)
			p.Close()
		})
	}
}

// If the network lets nothing through, the other members are named, with what helps.
func TestABlockedNetwork(t *testing.T) {
	browsertest.Rarely(t)
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=duel&start=2")
	bo := guest(t, "Bo", link, "", withoutWays)
	bo.Name = "blocked"
	until(t, ada, "Bo is not connected", func(s app.Status) bool { m, _ := member(s, "Bo"); return m.Connection == "failed" })
	bo.Shot("the room of who is blocked")
	s := browsertest.Until(bo, "it says so", func(s app.Status) bool {
		m, _ := member(s, "Ada")
		return m.Connection == "failed"
	})
	if s.Frame != 0 {
		t.Errorf("a match runs: %+v", s)
	}
}

// A server that stops during a match does not disturb it: both players reach the same end, and are informed then.
func TestAServerThatEnds(t *testing.T) {
	browsertest.Rarely(t)
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=duel&frames=600&start=2")
	bo := guest(t, "Bo", link, "")
	reaches(t, ada, 60)
	if s := reaches(t, bo, 60); s.Matches != 0 {
		t.Errorf("it is over already: %+v", s)
	}
	for _, p := range []*browsertest.Page{ada, bo} {
		p.Forgive("WebSocket")
	}
	site.stop()
	agree(t, 1, ada, bo) // there is no further round without a server
	ada.Name = "the server has ended"
	says(t, ada, "server", "shut down")
}
