package dtls

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// handshakeCosts returns the median time until two transports that begin together can
// send, in both directions, and the bytes that both have sent until then, over some runs
// in virtual time.
func handshakeCosts(t *testing.T, rtt time.Duration, loss, runs int) (median, slowest time.Duration, bytes int) {
	var times []time.Duration
	var sizes []int
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, uint64(loss)))
			n, token := newNetwork(rtt/2), tickback.NewToken()
			sent := 0
			n.onWay(func(d passing) []passing {
				if d.bytes[0] != recordCID { // one can send before the other
					sent += len(d.bytes)
				}
				if rng.IntN(100) < loss {
					return nil
				}
				return []passing{d}
			})
			a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
			took := eventually(t, "both are connected", func() bool {
				toB, toA := a.Send(addr(bob), nil), b.Send(addr(alice), nil)
				return toB == nil && toA == nil
			})
			times, sizes = append(times, took), append(sizes, sent)
			a.Close()
			b.Close()
		})
	}
	slices.Sort(times)
	slices.Sort(sizes)
	return times[runs/2], times[runs-1], sizes[runs/2]
}

// The figures of docs/benchmarks.md: go test ./online/dtls -run HandshakeFigures -v. A
// handshake takes at most four round trips, and a few kilobytes.
func TestHandshakeFigures(t *testing.T) {
	runs := 101
	if testing.Short() {
		runs = 5
	}
	t.Log("| RTT | loss | median | slowest | bytes, both together |")
	for _, rtt := range []time.Duration{0, 50 * time.Millisecond, 150 * time.Millisecond} {
		for _, loss := range []int{0, 5, 20} {
			median, slowest, bytes := handshakeCosts(t, rtt, loss, runs)
			t.Logf("| %v | %d %% | %v | %v | %d |", rtt, loss, median, slowest, bytes)
			if loss == 0 && (slowest > 4*rtt+10*time.Millisecond || bytes > 4096) {
				t.Errorf("it takes %v and %d bytes", slowest, bytes)
			}
			if runs > 100 && median > 4*rtt+500*time.Millisecond || slowest > 10*time.Second {
				t.Errorf("it takes %v, at most %v", median, slowest)
			}
		}
	}
}
