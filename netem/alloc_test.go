package netem_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// In the steady state nothing is allocated, whatever happens on the links.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, p := range netem.Profiles() {
		d := datagrams(t, 8, 1, p.Link)
		m := benchMatch{d: d, nodes: 8, step: 1, turn: benchTick / 8}
		for range 100_000 {
			m.send()
		}
		if n := testing.AllocsPerRun(10, func() {
			for range 1000 {
				m.send()
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations in 1000 datagrams", p.Name, n)
		}
	}
	n := network(t, 2, netem.Awful(), netem.Options[[4]int]{})
	now := time.Duration(0)
	exchange := func() {
		for i := range 1000 {
			now += ms
			n.Send(now, i&1, 1-i&1, 25, [4]int{})
			for ok := true; ok; _, ok = n.Receive(now) {
			}
		}
	}
	exchange()
	if n := testing.AllocsPerRun(10, exchange); n != 0 {
		t.Errorf("%v allocations in 1000 values", n)
	}
}
