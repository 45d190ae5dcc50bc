package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

// figures are the measurements of the clients of a match, from 10 s after the last one
// joined.
type figures struct {
	down, up float64 // bytes a second and client, UDP payload
	missing  float64 // inputs, in percent
}

func measure(t testing.TB, seed uint64, perTick int, link func(h *house, node int) netem.Link, look func(*tanks.State, rollback.Player) rollback.PlayerSet, length time.Duration) (f figures) {
	h := newHouse(t, seed, 16, netem.Link{}, look, nil)
	h.tune = func(c *served.ClientConfig) { c.PerTick = perTick }
	for node := range 16 {
		l := link(h, node)
		for _, err := range []error{h.net.SetLink(0, node+1, l), h.net.SetLink(node+1, 0, l)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		h.join(node + 1)
	}
	h.run(12 * time.Second)
	var before [16]served.ClientStats
	for p := range rollback.Player(16) {
		before[p], _ = h.server.Client(p)
	}
	sent := h.server.Stats(nil).Bytes
	up := uint64(0)
	for _, l := range h.server.Stats(nil).Links {
		up += l.ReceivedBytes
	}
	h.run(length)
	var taken, replaced uint64
	for p := range rollback.Player(16) {
		s, ok := h.server.Client(p)
		if !ok {
			t.Fatalf("player %d has gone: %v", p, h.events)
		}
		taken += s.Inputs - before[p].Inputs
		replaced += s.Replaced - before[p].Replaced
	}
	seconds := length.Seconds() * 16
	f.down = float64(h.server.Stats(nil).Bytes-sent) / seconds
	for _, l := range h.server.Stats(nil).Links {
		f.up += float64(l.ReceivedBytes)
	}
	f.up = (f.up - float64(up)) / seconds
	f.missing = 100 * float64(replaced) / float64(taken+replaced)
	return f
}

// ways are the links for which docs/benchmarks.md has figures.
var ways = []struct {
	name     string
	perTick  int
	down, up float64 // the most, in KiB a second
	link     func(h *house, node int) netem.Link
}{
	{"RTT 100 ms", 1, 1.1, 0.45, func(*house, int) netem.Link { return netem.Link{Delay: 50 * ms} }},
	{"RTT 100 ms", 2, 1.1, 0.8, func(*house, int) netem.Link { return netem.Link{Delay: 50 * ms} }},
	{"RTT 20 to 250 ms, jitter 10 ms, loss 5 %", 2, 1.35, 0.95, func(_ *house, node int) netem.Link {
		return netem.Link{Delay: 10*ms + time.Duration(node)*115*ms/15, Jitter: 10 * ms, Distribution: netem.Exponential, Loss: 5 * netem.Percent, Reorder: true}
	}},
	{"RTT 250 ms, jitter 50 ms, loss 10 %", 2, 2.2, 1, func(*house, int) netem.Link {
		return netem.Link{Delay: 125 * ms, Jitter: 50 * ms, Distribution: netem.Exponential, Loss: 10 * netem.Percent, Reorder: true}
	}},
}

// Rule: a client costs its server about a kilobyte a second, and hardly an input is missing.
// docs/benchmarks.md has the figures that -v prints, without -short.
func TestWhatAClientCosts(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		length := 3 * time.Minute
		if testing.Short() {
			length = 10 * time.Second
		}
		for _, w := range ways {
			f := measure(t, 1, w.perTick, w.link, look, length)
			t.Logf("| %s | %d | %.0f (%.2f KiB) | %.0f (%.2f KiB) | %.2f %% |", w.name, w.perTick, f.down, f.down/1024, f.up, f.up/1024, f.missing)
			slack := 1.0
			if testing.Short() { // in a few seconds the bots may do more or less than usual
				slack = 1.1
			}
			if f.down > w.down*1024*slack || f.up > w.up*1024*slack || f.missing > 0.75 {
				t.Errorf("%s: %+v", w.name, f)
			}
		}
	})
}
