package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Rule: on a clean way all inputs come in time, and every client knows what it may.
func TestClientsPlayAtAServer(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		h := newHouse(t, 1, 16, netem.Link{Delay: 50 * ms}, look, nil)
		h.run(2 * time.Second)
		for node := range 16 {
			h.join(node + 1)
			h.run(100 * ms)
		}
		h.run(30 * time.Second)
		for node, g := range h.clients {
			if g.Phase() != session.Playing || g.Err() != nil {
				t.Fatalf("client %d is %v: %v; %v", node, g.Phase(), g.Err(), g.Events())
			}
			p, _ := g.Player()
			s, ok := h.server.Client(p)
			t.Logf("client %d: %+v, frame %d of %d, known %d, health %v, compared %d", node, s, g.Frame(), h.server.Frame(), g.Known(), g.Health(), g.compared)
			if !ok || g.Known() < h.server.Frame()-5 {
				t.Errorf("client %d knows %d of %d", node, g.Known(), h.server.Frame())
			}
		}
		t.Log(h.events)
	})
}
