package session

import (
	"net/netip"
	"testing"
	"time"
)

// A newcomer gets the orders that do not travel with their input, including those given
// before it was admitted.
func TestWhoJoinsGetsLongOrders(t *testing.T) {
	for _, size := range []int{100, 300} {
		for _, delay := range []int{0, 5, 20} {
			m := newMesh(t, 3, 0b100, func(player int, c *Config) {
				c.Match.Frames = 400
				c.Delay[player] = delay
			})
			m.loss = 5
			m.orders = func(n *node) []byte { return make([]byte, size*int(n.sampled%4)/3) }
			m.playing()
			m.run(time.Second)
			n := m.join(m.somewhere(), 2, addrOf(1))
			m.theEnd(30 * time.Second)
			if o, over := n.Outcome(); !over || o.Left != 0 || o.Health != Healthy {
				t.Errorf("orders of %d bytes, delay %d: %v, %+v", size, delay, over, o)
			}
		}
	}
}

// A player leaves, far ahead because of its delay, while a newcomer that does not hear of
// it is being admitted: the others send what the newcomer lacks, instead of waiting for
// each other for ever.
func TestWhoJoinsGetsTheInputsOfWhoLeaves(t *testing.T) {
	for _, vanish := range []bool{false, true} {
		for k := 0; k < 8; k += 1 + shortly(3) {
			m := newMesh(t, 4, 0b1000, func(player int, c *Config) {
				c.Match.Frames = 400
				c.Delay[player] = []int{0, 0, 25, 0}[player]
			})
			m.playing()
			m.run(time.Second)
			n, leaver := m.newcomer(3, m.nodes[1]), m.nodes[2]
			m.cut = func(from, to netip.AddrPort) bool { return from == leaver.addr && to == n.addr }
			m.run(time.Duration(k) * 14 * time.Millisecond)
			if leaver.down = vanish; !vanish {
				leaver.Leave("later")
			}
			m.theEnd(30 * time.Second)
			if o, over := n.Outcome(); !over || o.Left != 0b100 || o.Health != Healthy {
				m.dump()
				t.Fatalf("vanishes %v, %d: %v, %+v", vanish, k, over, o)
			}
		}
	}
}

// shortly is n with -short, or 0.
func shortly(n int) int {
	if testing.Short() {
		return n
	}
	return 0
}
