package served_test

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: clients get in while strangers send Hellos from everywhere, before they would give up, which is
// after 15 s. A Hello has 512 bytes: 5000 of them in a second are 20 Mbit.
func TestClientsGetInWhileStrangersSayHello(t *testing.T) {
	tries := uint64(6)
	if testing.Short() {
		tries = 2
	}
	for _, c := range []struct {
		rate  int // Hellos of strangers in a second
		limit time.Duration
	}{{0, 200 * ms}, {1000, 2 * time.Second}, {5000, 14 * time.Second}} {
		for seed := range tries {
			h := newHouse(t, seed, 2, netem.Link{Delay: 20 * ms, Jitter: 5 * ms, Distribution: netem.Normal}, nil, nil)
			r := rand.New(rand.NewPCG(seed, 9))
			h.run(300 * ms)
			g, begun := h.join(1), h.now
			for due := 0.0; ; {
				if _, placed := g.Player(); placed {
					break
				}
				if h.now > begun+c.limit {
					t.Errorf("%d strangers a second, seed %d: it is not in after %v", c.rate, seed, h.now-begun)
					break
				}
				before := h.now
				h.run(time.Duration(20+r.IntN(160)) * time.Microsecond)
				for due += float64(c.rate) * (h.now - before).Seconds(); due >= 1; due-- {
					hello := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: r.Uint64(), Attempt: 1}.AppendPadded(nil, 512)
					from := netip.AddrFrom4([4]byte{byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), 7})
					h.server.Receive(h.now, netip.AddrPortFrom(from, uint16(r.Uint32())), hello)
					for range h.server.Outgoing() { // it answers some of them
					}
				}
			}
		}
	}
}
