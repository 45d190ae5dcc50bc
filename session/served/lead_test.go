package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

// waysOfLeads are the links for which docs/benchmarks.md has leads, with the maximum that a client may be
// ahead beyond the path, if there is an aim.
var waysOfLeads = []struct {
	loss   netem.PPM
	jitter time.Duration
	most   time.Duration
}{{0, 0, 5 * ms}, {0, 10 * ms, 0}, {5, 10 * ms, 60 * ms}, {10, 10 * ms, 0}, {0, 50 * ms, 0}, {10, 50 * ms, 130 * ms}}

func leadLink(delay, jitter time.Duration, loss netem.PPM) netem.Link {
	return netem.Link{Delay: delay, Jitter: jitter, Distribution: netem.Exponential, Loss: loss * netem.Percent, Reorder: jitter > 0}
}

// lead returns how far ahead of the server a client makes its inputs, from one tick to another.
func (h *house) lead(g *guest, from, to rollback.Frame) time.Duration {
	sum := time.Duration(0)
	for f := from; f < to; f++ {
		sum += h.ran[f] - g.made[f]
	}
	return sum / time.Duration(to-from)
}

// Rule: with everything that is between a client and its server, at most 0.75 % of the inputs are missing
// from the tenth second on, and the client is not much further ahead than its path takes.
// docs/benchmarks.md has the figures that -v prints, without -short.
func TestInputsComeInTime(t *testing.T) {
	const delay, warm = 50 * ms, 12 * time.Second
	length, clients, slack := 5*time.Minute, 16, time.Duration(0)
	if testing.Short() {
		length, clients, slack = 40*time.Second, 3, 10*ms // it is still settling
	}
	for _, perTick := range []int{2, 1} {
		for _, w := range waysOfLeads {
			if testing.Short() && (w.most == 0 || perTick == 1) {
				continue
			}
			h := newHouse(t, 3, clients, leadLink(delay, w.jitter, w.loss), nil, nil)
			h.tune = func(c *served.ClientConfig) { c.PerTick = perTick }
			for node := range clients {
				h.join(node + 1)
			}
			h.run(warm)
			var before [16]served.ClientStats
			for p := range rollback.Player(clients) {
				before[p], _ = h.server.Client(p)
			}
			from := h.server.Frame()
			h.run(length)
			to := h.server.Frame()
			missing, of, worst, beyond := uint64(0), uint64(0), 0.0, time.Duration(0)
			for _, g := range h.clients {
				p, _ := g.Player()
				s, _ := h.server.Client(p)
				n, all := s.Replaced-before[p].Replaced, s.Replaced+s.Inputs-before[p].Replaced-before[p].Inputs
				missing, of, worst = missing+n, of+all, max(worst, 100*float64(n)/float64(all))
				beyond += (h.lead(g, from, to) - delay) / time.Duration(clients)
			}
			share := 100 * float64(missing) / float64(of)
			t.Logf("| %d %% | %v | %d | %.2f %% | %.2f %% | %.0f ms |", w.loss, w.jitter, perTick, share, worst, beyond.Seconds()*1000)
			if share > 0.75 || beyond <= 0 || perTick == 2 && w.most > 0 && beyond > w.most+slack {
				t.Errorf("%d %%, %v, %d a tick: %.2f %% missing, %v ahead, want %v", w.loss, w.jitter, perTick, share, beyond, w.most)
			}
		}
	}
}

// Rule: when the path of a client has become longer by 100 ms, in both directions, its inputs are in time
// again within 3 s: all of them on a clean path, and as many as before on others.
func TestInputsAreInTimeAgain(t *testing.T) {
	const delay, grows, within = 50 * ms, 100 * ms, 3 * time.Second
	runs, clients, most := 4, 16, 0.75
	if testing.Short() {
		runs, clients, most = 1, 3, 2 // of 420 inputs
	}
	for _, w := range waysOfLeads {
		if testing.Short() && w.most == 0 {
			continue
		}
		during, after, of, last := uint64(0), uint64(0), 0, time.Duration(0)
		for seed := range runs {
			h := newHouse(t, uint64(seed), clients, leadLink(delay, w.jitter, w.loss), nil, nil)
			for node := range clients {
				h.join(node + 1)
			}
			h.run(30 * time.Second)
			if err := h.net.SetAll(leadLink(delay+grows, w.jitter, w.loss)); err != nil {
				t.Fatal(err)
			}
			replaced := func() (n uint64) {
				for p := range rollback.Player(clients) {
					s, _ := h.server.Client(p)
					n += s.Replaced
				}
				return n
			}
			begin, first := h.now, replaced()
			for n := first; h.now < begin+within; {
				h.run(tanks.Tick)
				if now := replaced(); now > n {
					n, last = now, max(last, h.now-begin)
				}
			}
			settled := replaced()
			h.run(7 * time.Second)
			during, after, of = during+settled-first, after+replaced()-settled, of+clients*7*tanks.TicksPerSecond
		}
		share := 100 * float64(after) / float64(of)
		t.Logf("| %d %% | %v | %.1f | %.2f s | %.2f %% |", w.loss, w.jitter, float64(during)/float64(clients*runs), last.Seconds(), share)
		clean := w.loss == 0 && w.jitter == 0
		if share > most || clean && after > 0 || during < 5*uint64(clients*runs) {
			t.Errorf("%d %%, %v: in 3 s %d are missing, then %.2f %%", w.loss, w.jitter, during, share)
		}
	}
}
