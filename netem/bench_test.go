package netem_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// benchTick is the time between two datagrams on a link: 60 a second.
const benchTick = time.Second / 60

// A match: each node sends 25 bytes to every other one 60 times a second, the nodes one after the other within the
// period, and each datagram is received when it is due. One operation is one datagram: its Send, and its share of
// Receive.
func BenchmarkDatagrams(b *testing.B) {
	for _, nodes := range []int{2, 8} {
		for _, p := range netem.Profiles() {
			b.Run(fmt.Sprintf("%dnodes/%s", nodes, p.Name), func(b *testing.B) {
				d := must(netem.NewDatagrams(nodes, 1, 0))
				if err := d.SetAll(p.Link); err != nil {
					b.Fatal(err)
				}
				m := benchMatch{d: d, nodes: nodes, step: 1, turn: benchTick / time.Duration(nodes)}
				for d.TotalStats().Delivered < 10_000 {
					m.send()
				}
				b.ReportAllocs()
				for b.Loop() {
					m.send()
				}
				b.ReportMetric(float64(d.InFlight()), "in-flight")
			})
		}
	}
}

type benchMatch struct {
	d                 *netem.Datagrams
	nodes, from, step int
	now, turn         time.Duration // turn is the part of a tick that belongs to a node
	payload           [25]byte
	bytes             int
}

func (m *benchMatch) send() {
	m.d.Send(m.now, m.from, (m.from+m.step)&(m.nodes-1), m.payload[:])
	if m.step++; m.step < m.nodes {
		return
	}
	m.step = 1
	m.from = (m.from + 1) & (m.nodes - 1)
	m.now += m.turn
	for {
		d, ok := m.d.Receive(m.now)
		if !ok {
			return
		}
		m.bytes += len(d.Payload)
	}
}
