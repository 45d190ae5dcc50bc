package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// Rule: every client has the last state at the end, although a quarter of all datagrams is lost.
func TestAllHoldTheLastState(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		for seed := range uint64(5) {
			h := newHouse(t, seed, 8, netem.Link{Delay: 50 * ms}, look, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
				c.Match.Frames = 100
			})
			for node := range 8 {
				h.join(node + 1)
			}
			h.run(4 * time.Second)
			if err := h.net.SetAll(netem.Link{Delay: 50 * ms, Loss: 25 * netem.Percent}); err != nil {
				t.Fatal(err)
			}
			h.run(2950 * ms)
			for node, g := range h.clients {
				if out, over := g.Outcome(); !over || g.Phase() != session.Ending || g.Final() == nil || out.Frames != 100 {
					t.Errorf("seed %d, client %d is %v (%v), knows state %d, outcome %+v, %v", seed, node, g.Phase(), g.Err(), g.Known(), out, over)
				}
			}
		}
	})
}

// Rule: a client that gets the last state gets the outcome with it; one that gets neither for most of the time
// for which the server stays has both as soon as a datagram arrives.
func TestTheOutcomeComesSoon(t *testing.T) {
	for _, silence := range []time.Duration{0, 1700 * ms} {
		h := newHouse(t, 1, 1, netem.Link{Delay: 50 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			c.Match.Frames = 100
		})
		g := h.join(1)
		for h.server.Frame() < 100 {
			if h.run(ms); silence > 0 && h.server.Frame() == 99 {
				h.net.Cut(0, 1, true)
			}
		}
		ended := h.now
		h.run(silence)
		h.net.Cut(0, 1, false)
		for ; g.Known() < 100; h.run(ms) {
			if h.now > ended+silence+110*ms {
				t.Fatalf("after %v of silence and %v, state %d is known", silence, h.now-ended-silence, g.Known())
			}
		}
		if out, over := g.Outcome(); !over || out.Frames != 100 {
			t.Errorf("after %v of silence, the last state is there, and the outcome is %+v, %v", silence, out, over)
		}
	}
}

// Rule: at the end an update is based on a state that the client is known to hold, however likely it is that it
// holds a newer one: no acknowledgement would ever show that it does not.
func TestTheLastStateIsToldFromWhatIsHeld(t *testing.T) {
	h := newHouse(t, 1, 1, netem.Link{Delay: 200 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
		c.Match.Frames = 100
	})
	g := h.join(1)
	for h.server.Frame() < 92 {
		h.run(ms)
	}
	h.net.Cut(0, 1, true) // the states of the last ticks, all possible baselines, are lost
	for h.server.Frame() < 100 {
		h.run(ms)
	}
	h.run(20 * ms)
	h.net.Cut(0, 1, false)
	h.run(600 * ms)
	if out, over := g.Outcome(); g.Known() != 100 || g.Final() == nil || !over || out.Frames != 100 {
		t.Errorf("state %d is known, the outcome is %+v, %v", g.Known(), out, over)
	}
}

// Rule: a client that knows how the match has ended, and hears nothing more, has reached the end. It has not
// lost its server.
func TestAServerThatIsGoneAfterTheEnd(t *testing.T) {
	h := newHouse(t, 1, 2, netem.Link{Delay: 50 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
		c.Match.Frames = 100
	})
	for node := range 2 {
		h.join(node + 1)
	}
	h.run(5500 * ms)
	if err := h.net.SetAll(netem.Link{Loss: netem.Always}); err != nil {
		t.Fatal(err)
	}
	h.run(7 * time.Second)
	for node, g := range h.clients {
		if out, over := g.Outcome(); !over || out.Frames != 100 || g.Err() != served.ErrEnd {
			t.Errorf("client %d: %v, outcome %+v, %v", node, g.Err(), out, over)
		}
	}
}
