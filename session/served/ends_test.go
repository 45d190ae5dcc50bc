package served_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"

	"github.com/tickback/tickback/games/tanks"
)

// Rule: a server that is closed as soon as the match is over still sends all clients the last state and the outcome,
// whatever is lost, and takes no longer than Linger.
func TestAServerThatIsClosedAtTheEndTellsIt(t *testing.T) {
	for seed := range uint64(5) {
		h := newHouse(t, seed, 3, netem.Link{Delay: 30 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			c.Match.Frames = 100
		})
		for node := range 3 {
			h.join(node + 1)
		}
		h.run(3 * time.Second)
		if err := h.net.SetAll(netem.Link{Delay: 30 * ms, Jitter: 10 * ms, Distribution: netem.Uniform, Reorder: true, Loss: 25 * netem.Percent}); err != nil {
			t.Fatal(err)
		}
		for h.server.Frame() < 100 {
			h.run(ms)
		}
		h.server.Leave("closed")
		ended := h.now
		for !h.server.Done() {
			h.run(ms)
		}
		if took := h.now - ended; took > 2200*ms {
			t.Errorf("seed %d: it takes %v", seed, took)
		}
		h.run(100 * ms)
		for node, g := range h.clients {
			if out, over := g.Outcome(); !over || out.Frames != 100 || g.Known() != 100 || g.Final() == nil {
				t.Errorf("seed %d: client %d knows %d, outcome %v, %v (%v)", seed, node, g.Known(), out.Frames, over, g.Err())
			}
		}
	}
}

// Rule: the last event of a session says why it is over, in words that are true for its reader; Err says the same.
// The table has both sides of a match for each way in which it ends.
func TestWhatAnEndSays(t *testing.T) {
	for _, c := range []struct {
		name           string
		end            func(h *house, g *guest, p rollback.Player)
		server, client string // the last message of each; "" if it goes on
		says           string // the event at the server about the client
	}{
		{
			name: "the match is played to its end", server: "the match is over", client: "the match is over",
			end: func(*house, *guest, rollback.Player) {},
		},
		{
			name: "the client leaves", client: "the session is closed", says: "left: player 0, frame 41 (it has left)",
			end: func(_ *house, g *guest, _ rollback.Player) { g.Leave("") },
		},
		{
			name: "the client is kicked", client: "the server says: kicked: rude", says: "dropped: player 0, frame 41 (kicked: rude)",
			end: func(h *house, _ *guest, p rollback.Player) {
				if err := h.server.Kick(p, "rude"); err != nil {
					h.t.Error(err)
				}
			},
		},
		{
			name: "the client is silent", client: "waited 5.0", says: "(silent for 5s)",
			end: func(h *house, _ *guest, _ rollback.Player) { h.kill() },
		},
		{
			name: "the server closes", server: "the session is closed", client: "the server says: closed",
			end: func(h *house, _ *guest, _ rollback.Player) { h.server.Leave("closed") },
		},
	} {
		h := newHouse(t, 1, 1, netem.Link{Delay: 20 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			c.Match.Frames = 160
		})
		g := h.join(1)
		h.run(2 * time.Second)
		p, ok := g.Player()
		if !ok {
			t.Fatal("it has no place")
		}
		h.events = nil
		g.Events()
		c.end(h, g, p)
		for range 5 {
			if h.run(1100 * ms); c.name == "the match is played to its end" {
				h.run(1100 * ms)
			}
		}
		last := ""
		for _, e := range g.Events() {
			if e.What == event.Closed {
				last = e.Text
			}
		}
		if !strings.HasPrefix(last, c.client) || g.Err() == nil || g.Err().Error() != last {
			t.Errorf("%s: the client says %q, and its error is %v", c.name, last, g.Err())
		}
		said := strings.Join(h.events, "; ")
		closed := strings.HasSuffix(said, "closed ("+c.server+")")
		if closed != (c.server != "") || (h.server.Err() != nil) != closed || closed && h.server.Err().Error() != c.server {
			t.Errorf("%s: the server says %s, and its error is %v", c.name, said, h.server.Err())
		}
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: the server says %s", c.name, said)
		}
	}
}
