package session

import (
	"net/netip"
	"testing"
	"time"
)

// groups makes machines with several players each.
func (m *mesh) groups(players int, reserved PlayerSet, sets ...PlayerSet) {
	for i, s := range sets {
		c := Config{Players: players, Local: s, Reserved: reserved}
		for k, other := range sets {
			if k != i {
				c.Peers = append(c.Peers, Peer{other, addrOf(k)})
			}
		}
		m.add(addrOf(i), i, c)
	}
}

// Machines with several players come and go; the players of one come back on two. The
// current host is present at the end, whoever was the host before.
func TestGroupsComeAndGo(t *testing.T) {
	m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames = 900 })
	m.orders = func(n *node) []byte { return make([]byte, int(n.sampled%9)/8*150) }
	m.groups(8, 0b1100_0000, 0b11, 0b1100, 0b11_0000)
	m.playing()
	m.run(time.Second)
	join := func(s PlayerSet, hosts ...netip.AddrPort) *node {
		n := m.add(m.somewhere(), 7, Config{Players: 8, Local: s, Token: meshToken, Join: &Join{Hosts: hosts}})
		m.until("the newcomer", 10*time.Second, func() bool { _, c := n.saw(Joined); return c > 0 })
		return n
	}
	join(0b1100_0000, addrOf(1))
	m.nodes[0].down = true
	m.run(1500 * time.Millisecond)
	host, other := join(0b1, addrOf(1)), join(0b10, addrOf(2))
	m.nodes[1].Leave("later")
	m.run(500 * time.Millisecond)
	join(0b1100, host.addr)
	if err := host.Kick(0b10, "out"); err != nil {
		t.Fatal(err)
	}
	m.until("the end of who was kicked", 5*time.Second, func() bool { return other.Phase() == Over })
	for _, n := range m.nodes {
		_ = n.SetToken(meshToken) // the kick has revoked it; it does not matter who has gone
	}
	join(0b10, host.addr, addrOf(2))
	m.theEnd(60 * time.Second)
	m.run(3 * time.Second)
	for _, n := range m.nodes {
		if o, over := n.Outcome(); over && (n.Phase() != Lobby || o.Left != 0 || o.Health != Healthy) {
			t.Errorf("%v: %v, %v, %+v", n.addr, n.Phase(), n.Err(), o)
		}
	}
}
