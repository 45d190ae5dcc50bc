package served_test

import (
	"bytes"
	"errors"
	"slices"
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
	"github.com/tickback/tickback/wire/datagram"
)

// kill ends the process of the server: nothing is received or sent any more.
func (h *house) kill() {
	for node := range h.clients {
		h.net.Cut(0, node+1, true)
		h.net.Cut(node+1, 0, true)
	}
}

// restart starts the server again, as another process.
func (h *house) restart(tune func(c *served.ServerConfig)) {
	h.t.Helper()
	cfg := served.ServerConfig{Game: h.about(), Random: h.random.Uint64}
	if tune != nil {
		tune(&cfg)
	}
	hooks := served.ServerHooks[tanks.State, tanks.Input]{Sight: h.look}
	if h.look != nil {
		cfg.Match.Seed, hooks.Start = 9, start
	}
	var err error
	if h.server, err = served.NewServer(h.game, cfg, hooks); err != nil {
		h.t.Fatal(err)
	}
	h.states, h.ran, h.wake[0] = append(h.states[:0], *h.server.State()), nil, h.now
	for node, g := range h.clients {
		h.net.Cut(0, node+1, false)
		h.net.Cut(node+1, 0, false)
		if g != nil {
			g.deaf = true // for a while its states are those of the previous server
		}
	}
}

// kinds returns the kinds of a client's events since the last call.
func (g *guest) kinds() (list []event.What) {
	for _, e := range g.Events() {
		list = append(list, e.What)
	}
	return list
}

// Rule: clients of a server that was killed and started again come back by themselves, to their places, and play its
// match, within half a second and a few round trips of its start, however long it was away.
func TestClientsComeBackToARestartedServer(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		for _, away := range []time.Duration{0, 100 * ms, 3 * time.Second} {
			h := newHouse(t, 1, 16, netem.Link{Delay: 30 * ms, Jitter: 5 * ms, Distribution: netem.Exponential, Loss: netem.Percent}, look, nil)
			places := make([]rollback.Player, 16)
			for node := range 16 {
				h.join(node + 1)
			}
			h.run(5 * time.Second)
			for i, g := range h.clients {
				places[i], _ = g.Player()
				g.kinds()
			}
			h.kill()
			h.run(away)
			h.restart(nil)
			h.run(3 * time.Second)
			for i, g := range h.clients {
				p, ok := g.Player()
				if g.Phase() != session.Playing || g.Known()+10 < h.server.Frame() || g.Frame() > h.server.Frame()+20 {
					t.Fatalf("away for %v, client %d: %v, knows %d of %d, at %d: %v", away, i, g.Phase(), g.Known(), h.server.Frame(), g.Frame(), g.Err())
				}
				if !ok || p != places[i] {
					t.Errorf("away for %v, client %d plays player %d, and was %d", away, i, p, places[i])
				}
				came := slices.DeleteFunc(g.kinds(), func(w event.What) bool { return w == event.Joined || w == event.Left })
				if want := []event.What{event.Restarted, event.Connected, event.Started}; !slices.Equal(came, want) {
					t.Errorf("away for %v, client %d: %v", away, i, came)
				}
				g.compared, g.deaf = 0, false
			}
			h.run(2 * time.Second)
			for i, g := range h.clients {
				if s, _ := h.server.Client(places[i]); g.compared < 30 || s.Inputs < 30 {
					t.Errorf("away for %v, client %d: %d states compared, %+v", away, i, g.compared, s)
				}
			}
		}
	})
}

// Rule: an interrupted path is not a restart, and neither is a slow server: the server says that it is still the same
// process.
func TestASilentServerIsNotARestartedOne(t *testing.T) {
	h := newHouse(t, 1, 2, netem.Link{Delay: 50 * ms}, nil, nil)
	g, asked := h.join(1), 0
	h.run(5 * time.Second)
	g.kinds()
	h.net.Cut(0, 1, true) // the client hears nothing, and the server hears everything
	h.tap = func(b []byte) {
		if b[0] == datagram.KindWelcome {
			asked++
		}
	}
	h.run(3 * time.Second)
	h.net.Cut(0, 1, false)
	h.run(3 * time.Second)
	if list := g.kinds(); len(list) != 0 || g.Phase() != session.Playing || g.Known()+10 < h.server.Frame() {
		t.Errorf("%v, %v, knows %d of %d", list, g.Phase(), g.Known(), h.server.Frame())
	}
	if asked < 8 || asked > 16 { // five times a second
		t.Errorf("it has asked %d times in 3 s", asked)
	}
	asked = 0
	h.run(5 * time.Second)
	if asked > 0 {
		t.Errorf("it asks %d times though it is told all the time", asked)
	}
}

// Rule: an attacker who does not see the traffic can neither end a connection nor move it: with no Welcome, of whatever
// process, whose tag uses another nonce than that of the Hello, and with none that was seen before. Nor can it while
// the server is heard.
func TestNobodyCanForgeARestart(t *testing.T) {
	h := newHouse(t, 1, 2, netem.Link{Delay: 50 * ms}, nil, nil)
	var seen [][]byte
	h.tap = func(b []byte) {
		if b[0] == datagram.KindWelcome {
			seen = append(seen, bytes.Clone(b))
		}
	}
	g := h.join(1)
	h.run(5 * time.Second)
	g.kinds()
	if len(seen) == 0 {
		t.Fatal("there is no Welcome")
	}
	before, forged := g.Stats(nil).Strangers, uint64(0)
	forge := func() {
		forged += uint64(20 + len(seen))
		for n := range uint64(20) {
			w := datagram.Welcome{Version: datagram.Version, Nonce: n, Attempt: byte(n), Run: n + 1}
			w.Items = datagram.Items{Game: "tanks", Build: "1", Players: 16, TickRate: tanks.TicksPerSecond, Rule: 0x80}
			g.Receive(h.now, addr(0), datagram.Key(n).Seal(w.Append(nil), 0, 0))
		}
		for _, b := range seen {
			g.Receive(h.now, addr(0), b)
		}
	}
	forge()
	h.kill()
	for range 30 {
		h.run(50 * ms)
		forge()
	}
	h.net.Cut(0, 1, false)
	h.net.Cut(1, 0, false)
	h.run(2 * time.Second)
	if list := g.kinds(); len(list) != 0 || g.Phase() != session.Playing || g.Known()+10 < h.server.Frame() {
		t.Errorf("%v, %v: %v", list, g.Phase(), g.Err())
	}
	if n := g.Stats(nil).Strangers - before; n < forged || n > forged+uint64(len(seen)) || forged < 30*20 { // a true one may come too late, and count as well
		t.Errorf("of %d, %d are counted", forged, n)
	}
}

// Rule: a server that comes back with another game or configuration ends its clients, with the difference, or with its
// own reason.
func TestARestartedServerMayBeAnotherOne(t *testing.T) {
	for name, c := range map[string]struct {
		tune func(c *served.ServerConfig)
		is   func(err error) bool
	}{
		"another build": {
			func(c *served.ServerConfig) { c.Build = "2" },
			func(err error) bool {
				var differs *session.MismatchError
				return errors.As(err, &differs) && differs.Item == "build" && strings.HasPrefix(err.Error(), "the server was started again: the build differs")
			},
		},
		"a token": {
			func(c *served.ServerConfig) { c.Token = bytes.Repeat([]byte{7}, 16) },
			func(err error) bool {
				var none *admission.TokenError
				return errors.As(err, &none)
			},
		},
	} {
		h := newHouse(t, 1, 2, netem.Link{Delay: 20 * ms}, nil, nil)
		g := h.join(1)
		h.run(2 * time.Second)
		h.kill()
		h.restart(c.tune)
		h.run(2 * time.Second)
		if g.Phase() != session.Over || !c.is(g.Err()) {
			t.Errorf("%s: %v, %v", name, g.Phase(), g.Err())
		}
	}
}

// Rule: a server that is started again while a client asks for a place admits it; for the application that is no
// restart, since it has had no match yet.
func TestAServerRestartsWhileAClientComes(t *testing.T) {
	h := newHouse(t, 1, 2, netem.Link{Delay: 50 * ms}, nil, nil)
	g := h.join(1)
	h.run(120 * ms) // a Welcome has arrived, and the Attach is in flight
	h.kill()
	h.restart(nil)
	h.run(2 * time.Second)
	if list := g.kinds(); !slices.Equal(list, []event.What{event.Connected, event.Started}) || g.Phase() != session.Playing {
		t.Errorf("%v, %v: %v", list, g.Phase(), g.Err())
	}
}
