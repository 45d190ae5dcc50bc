package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// BenchmarkServer measures the cost of a client to the server of a match of 16 busy tanks, per
// tick: the two datagrams that it receives from the client, the client's share of the tick, and the
// datagram that it sends.
func BenchmarkServer(b *testing.B) {
	for _, c := range []struct {
		name string
		look func(*tanks.State, rollback.Player) rollback.PlayerSet
	}{{"full", nil}, {"partial", tanks.Sight}} {
		b.Run(c.name, func(b *testing.B) {
			const ticks = 400
			clients, spent := 0, time.Duration(0)
			for b.Loop() {
				h := newHouse(b, 1, 16, netem.Link{Delay: 50 * ms}, c.look, nil)
				for node := range 16 {
					h.join(node + 1)
				}
				h.run(5 * time.Second)
				for _, g := range h.clients {
					if g.Phase() != session.Playing {
						b.Fatal(g.Err())
					}
				}
				before := h.spent
				h.run(ticks * tanks.Tick)
				spent += h.spent - before
				clients += 16 * ticks
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(clients), "ns/client-tick")
			b.ReportMetric(0, "ns/op")
		})
	}
}
