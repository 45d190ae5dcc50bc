package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// Rule: a client whose path takes many ticks gets in, and gets each state: updates are based on states that
// it was sent before, and its references to them are unambiguous, however many ticks its acknowledgements
// take.
func TestAWayOfManyTicks(t *testing.T) {
	for _, trip := range []time.Duration{200 * ms, 300 * ms, 400 * ms} {
		random := uint64(9)
		cfg := served.ServerConfig{Game: served.Game{ID: "small", Players: 4, TickRate: 100}, Random: func() uint64 { random++; return random * 0x9E3779B97F4A7C15 }}
		server, err := served.NewServer(smallGame(), cfg, served.ServerHooks[small, uint8]{})
		if err != nil {
			t.Fatal(err)
		}
		client, err := served.NewClient(smallGame(), served.ClientConfig{Server: addr(0), Game: cfg.Game, Random: cfg.Random}, served.ClientHooks[small, uint8]{
			Sample: func(rollback.Player) uint8 { return 1 },
		})
		if err != nil {
			t.Fatal(err)
		}
		net, err := netem.NewDatagrams(2, 1, 1000)
		if err != nil {
			t.Fatal(err)
		}
		link := netem.Link{Delay: trip / 2, Jitter: 20 * ms, Distribution: netem.Exponential}
		if err := net.SetAll(link); err != nil {
			t.Fatal(err)
		}
		now := time.Duration(0)
		for ; now < 12*time.Second; now += ms {
			if now == 2*time.Second { // the server begins before
				client.Update(now)
			}
			server.Update(now)
			if now >= 2*time.Second {
				client.Update(now)
			}
			for d, any := net.Receive(now); any; d, any = net.Receive(now) {
				if d.To == 0 {
					server.Receive(now, addr(1), d.Payload)
				} else {
					client.Receive(now, addr(0), d.Payload)
				}
			}
			for _, b := range server.Outgoing() {
				net.Send(now, 0, 1, b)
			}
			for _, b := range client.Outgoing() {
				net.Send(now, 1, 0, b)
			}
		}
		n := client.Counts()
		if client.Phase() != session.Playing || n.Wholes > 2 || n.Updates < 700 || client.Known()+rollback.Frame(trip/2/(10*ms))+20 < server.Frame() {
			t.Errorf("round trip of %v: %v, %v; %d wholes, %d updates, knows %d of %d", trip, client.Phase(), client.Err(), n.Wholes, n.Updates, client.Known(), server.Frame())
		}
	}
}
