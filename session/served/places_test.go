package served_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/stream"
)

var clean = netem.Link{Delay: 30 * ms}

// has reports whether one of the server's events contains a text.
func (h *house) has(text string) bool {
	for _, e := range h.events {
		if strings.Contains(e, text) {
			return true
		}
	}
	return false
}

// Rule: a client that has left, was lost or has moved gets its place back, if it comes with its ID;
// another one gets one that nobody had, as long as there are some.
func TestPlacesAreKeptForThoseWhoComeBack(t *testing.T) {
	h := newHouse(t, 1, 6, clean, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) { c.Players = 4 })
	h.tune = func(c *served.ClientConfig) { c.Players = 4 }
	for node := 1; node <= 3; node++ {
		h.join(node)
	}
	h.run(2 * time.Second)
	second := h.clients[1]
	p, _ := second.Player()
	second.Leave("")
	h.run(time.Second)
	if h.server.Members().Has(p) || !h.has("left: ") {
		t.Fatalf("%v play, and %v has left: %v", h.server.Members(), p, h.events)
	}
	fourth := h.join(4)
	h.run(time.Second)
	again := h.join(2) // with the same ID
	h.run(time.Second)
	q, _ := fourth.Player()
	if r, ok := again.Player(); !ok || r != p || q == p {
		t.Errorf("it played %d, and plays %d now; another one plays %d", p, r, q)
	}
	h.run(2 * time.Second)
	if again.Health() != stream.Healthy || again.Known()+5 < h.server.Frame() {
		t.Errorf("it knows state %d of %d: %v", again.Known(), h.server.Frame(), again.Health())
	}
	// All four are taken: a fifth machine is told so, but not one that has moved.
	fifth := h.join(5)
	h.run(2 * time.Second)
	var bye *served.ByeError
	if !errors.As(fifth.Err(), &bye) || bye.Reason != "all places are taken" {
		t.Errorf("the fifth one: %v", fifth.Err())
	}
	third, _ := h.clients[2].Player()
	h.clients[2] = nil // it is gone without a word
	h.run(2 * time.Second)
	h.tune = func(c *served.ClientConfig) { c.Players, c.ID = 4, 1003 }
	moved := h.join(6)
	h.run(2 * time.Second)
	if r, ok := moved.Player(); !ok || r != third || moved.Phase() != session.Playing {
		t.Errorf("it played %d, and %d, %v from elsewhere: %v", third, r, ok, moved.Err())
	}
}

// Rule: a client that is silent is lost, its place is empty, and it learns so when it wakes up.
func TestASilentClientIsLost(t *testing.T) {
	h := newHouse(t, 1, 2, clean, nil, nil)
	h.join(1)
	h.join(2)
	h.run(3 * time.Second)
	h.wake[1] = h.now + 7*time.Second
	h.run(6 * time.Second)
	if h.server.Members() != 0b10 || !h.has("lost: player 0") {
		t.Fatalf("%v play: %v", h.server.Members(), h.events)
	}
	h.run(3 * time.Second)
	var bye *served.ByeError
	if g := h.clients[0]; !errors.As(g.Err(), &bye) || !strings.Contains(bye.Reason, "silent") {
		t.Errorf("it is told %v", g.Err())
	}
	h.clients[1].Events()
	h.server.Leave("the server stops")
	h.run(time.Second)
	if g := h.clients[1]; !errors.As(g.Err(), &bye) || bye.Reason != "the server stops" || !h.server.Done() || h.server.Err() != session.ErrClosed {
		t.Errorf("the other one is told %v; the server is over: %v, %v", g.Err(), h.server.Done(), h.server.Err())
	}
}

// Rule: with a token only those that know it get a place. A kick revokes it, until there is another.
func TestTokensAndKicks(t *testing.T) {
	token, other := []byte("0123456789abcdef"), []byte("fedcba9876543210")
	h := newHouse(t, 1, 6, clean, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) { c.Token = token })
	enter := func(node int, token []byte) *guest {
		h.tune = func(c *served.ClientConfig) { c.Token = token }
		g := h.join(node)
		h.run(2 * time.Second)
		return g
	}
	refused := func(g *guest, reason string) {
		t.Helper()
		var bye *served.ByeError
		if !errors.As(g.Err(), &bye) || bye.Reason != reason {
			t.Errorf("%v, want %q", g.Err(), reason)
		}
	}
	uninvited := func(g *guest, want admission.TokenError) {
		t.Helper()
		var e *admission.TokenError
		if !errors.As(g.Err(), &e) || *e != want || g.Phase() != session.Over {
			t.Errorf("%v, want %v", g.Err(), &want)
		}
	}
	uninvited(enter(1, nil), admission.TokenError{Reason: admission.WhyUninvited, Missing: true})
	uninvited(enter(2, other), admission.TokenError{Reason: admission.WhyUninvited})
	g := enter(3, token)
	p, ok := g.Player()
	if !ok || g.Phase() != session.Playing {
		t.Fatalf("with the token: %v", g.Err())
	}
	if err := h.server.Kick(p+1, "nobody"); err == nil {
		t.Error("nobody is kicked")
	}
	if err := h.server.Kick(p, "it cheats"); err != nil {
		t.Fatal(err)
	}
	h.run(time.Second)
	refused(g, "kicked: it cheats")
	if h.server.Members() != 0 || !h.has("revoked") || !h.has("dropped: player 0") {
		t.Errorf("%v play: %v", h.server.Members(), h.events)
	}
	uninvited(enter(4, token), admission.TokenError{Reason: admission.WhyRevoked, Revoked: true})
	if err := h.server.SetToken([]byte("short")); err == nil {
		t.Error("a short token is taken")
	}
	if err := h.server.SetToken(other); err != nil {
		t.Fatal(err)
	}
	uninvited(enter(5, token), admission.TokenError{Reason: admission.WhyRevoked, Revoked: true})
	if g := enter(6, other); g.Phase() != session.Playing {
		t.Errorf("with the new token: %v", g.Err())
	}
}

// Rule: a client of another game learns at once what differs, and one without a server learns after
// a while that there is none.
func TestWhoCannotPlay(t *testing.T) {
	h := newHouse(t, 1, 8, clean, nil, nil)
	var differs *session.MismatchError
	for item, tune := range map[string]func(c *served.ClientConfig){
		"game":                     func(c *served.ClientConfig) { c.Game.ID = "duel" },
		"build":                    func(c *served.ClientConfig) { c.Build = "2" },
		"platform":                 func(c *served.ClientConfig) { c.Platform = "amd64" },
		"number of players":        func(c *served.ClientConfig) { c.Players = 15 },
		"tick rate":                func(c *served.ClientConfig) { c.TickRate = 30 },
		"limit of orders in bytes": func(c *served.ClientConfig) { c.MaxOrders = 5 },
	} {
		h.tune = tune
		g := h.join(1)
		h.run(time.Second)
		if !errors.As(g.Err(), &differs) || differs.Item != item {
			t.Errorf("%s: %v", item, g.Err())
		}
	}
	h.tune = nil
	look := h.look
	h.look = tanks.Sight
	g := h.join(2)
	h.look = look
	h.run(time.Second)
	if !errors.As(g.Err(), &differs) || *differs != (session.MismatchError{Item: "Sight", Ours: "given", Theirs: "not given", Server: true}) {
		t.Errorf("partial sight: %v", g.Err())
	}
	if got, want := g.Err().Error(), "the Sight is given here, and not given at the server: give the same one to Serve and Connect, or none to both"; got != want {
		t.Errorf("it says %q", got)
	}
	h.tune = func(c *served.ClientConfig) { c.Server = addr(7); c.ConnectTimeout = 3 * time.Second }
	g = h.join(3)
	h.run(4 * time.Second)
	var lost *served.LostError
	if !errors.As(g.Err(), &lost) || lost.Long < 3*time.Second {
		t.Errorf("without a server: %v", g.Err())
	}
}

// Rule: a match ends for all with the tick that ends it, and everybody learns the result.
func TestAMatchEnds(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		h := newHouse(t, 1, 3, clean, look, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) { c.Match.Frames = 200 })
		for node := 1; node <= 3; node++ {
			h.join(node)
		}
		h.run(10*time.Second + 500*ms)
		o, over := h.server.Outcome()
		if !over || o.Frames != 200 || h.server.Frame() != 200 || h.server.Final() == nil || !h.has("ended, frame 200") {
			t.Fatalf("%+v, %v, frame %d", o, over, h.server.Frame())
		}
		for node, g := range h.clients {
			got, over := g.Outcome()
			hash, chain := o.Hash, o.Chain
			if p, _ := g.Player(); look != nil { // of what the client may know
				last := *h.server.Final()
				look(&last, p)
				hash, chain = h.plan.Hash(&last), 0
			}
			if !over || got.Frames != o.Frames || got.Hash != hash || got.Chain != chain || got.Health != stream.Healthy {
				t.Errorf("client %d: %+v, %v, want %+v", node+1, got, over, o)
			}
			if g.Frame() > 200 || g.Final() == nil {
				t.Errorf("client %d is at frame %d, and shows %v", node+1, g.Frame(), g.Final())
			}
		}
		h.run(3 * time.Second)
		if h.server.Err() != served.ErrEnd || !h.server.Done() {
			t.Errorf("the server: %v, %v", h.server.Err(), h.server.Done())
		}
		for node, g := range h.clients {
			if g.Err() != served.ErrEnd {
				t.Errorf("client %d: %v", node+1, g.Err())
			}
		}
	})
}

// Rule: a client with a different step notices it, reports it, and still shows the server's states.
func TestAClientWithAnotherStepIsCorrected(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		h := newHouse(t, 1, 3, clean, look, nil)
		right := h.game
		for node := 1; node <= 2; node++ {
			h.join(node)
		}
		h.run(3 * time.Second)
		h.game.Step = func(s *tanks.State, k *rollback.Tick[tanks.Input]) {
			right.Step(s, k)
			s.Tanks[0].Kills++
		}
		wrong := h.join(3)
		unchecked := wrong.client
		h.clients[2].checked = rollback.NoFrame
		h.clients[2].deaf = true
		h.run(2 * time.Second)
		desyncs := 0
		for _, e := range unchecked.Events() {
			if e.What == event.Desync {
				desyncs++
			}
		}
		if desyncs != 1 || unchecked.Health() != stream.Desynced {
			t.Fatalf("%d desyncs, %v: %v", desyncs, unchecked.Health(), unchecked.Err())
		}
		p, _ := unchecked.Player()
		if s, ok := h.server.Client(p); !ok || !s.Plain {
			t.Fatalf("the server does not know it: %+v, %v", s, ok)
		}
		h.clients[2].deaf = false // from now on every state must be right
		h.clients[2].plain = true
		h.run(5 * time.Second)
		if h.clients[2].compared < 50 {
			t.Errorf("%d states are compared", h.clients[2].compared)
		}
	})
}
