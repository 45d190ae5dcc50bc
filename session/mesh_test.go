package session

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// mesh is the machines of a match in virtual time, some of which come later, on links
// that all have the same delay and loss.
type mesh struct {
	testing.TB
	now    time.Duration
	step   time.Duration // of the time
	r      *rand.Rand
	way    time.Duration
	loss   int // percent
	rate   int // bytes a second of each way, or 0
	nodes  []*node
	flying []flight
	busy   map[[2]netip.AddrPort]time.Duration
	cfg    func(i int, c *Config)
	cut    func(from, to netip.AddrPort) bool // ways that carry nothing
	orders func(n *node) []byte               // that a player gives in a frame
	// loses, if given, is called with everything that is sent, and drops a datagram
	// by returning true.
	loses func(from, to netip.AddrPort, b []byte) bool
	game  rollback.Definition[sum, uint16] // sumGame, if not given
}

// node is a machine.
type node struct {
	*Session[sum, uint16]
	addr    netip.AddrPort
	down    bool
	seen    []Event
	hold    invariants
	agreed  []meshFrame // from first on
	first   Frame
	sampled uint16
	data    int // bytes of the parameters, as a test has seen them
}

type meshFrame struct {
	inputs   []uint16
	statuses []rollback.Status
	hash     uint64
}

type flight struct {
	at       time.Duration
	from, to netip.AddrPort
	bytes    []byte
}

var meshToken = []byte("everybody may come in")

// newMesh makes machines with one player each; the places in reserved are still
// empty.
func newMesh(t testing.TB, players int, reserved PlayerSet, cfg func(i int, c *Config)) *mesh {
	m := &mesh{TB: t, step: 2 * time.Millisecond, r: rand.New(rand.NewPCG(1, 7)), way: 30 * time.Millisecond, cfg: cfg, busy: map[[2]netip.AddrPort]time.Duration{}}
	for i := range players {
		if reserved.Has(Player(i)) {
			continue
		}
		var peers []Peer
		for k := range players {
			if k != i && !reserved.Has(Player(k)) {
				peers = append(peers, Peer{PlayerSet(1) << k, addrOf(k)})
			}
		}
		m.add(addrOf(i), i, Config{Players: players, Peers: peers, Reserved: reserved})
	}
	return m
}

// add adds a machine for a player.
func (m *mesh) add(addr netip.AddrPort, player int, c Config) *node {
	m.Helper()
	n := &node{addr: addr}
	seed := m.r.Uint64() | 1
	c.GameID, c.OnLeave, c.Random, c.MaxOrders = "sum", Continue, func() uint64 { seed = seed*6364136223846793005 + 1442695040888963407; return seed }, 300
	if c.Token == nil {
		c.Token = meshToken
	}
	c.DropAfter, c.WarnAfter = time.Second, 500*time.Millisecond
	if m.cfg != nil {
		m.cfg(player, &c)
	}
	hooks := Hooks[sum, uint16]{
		Sample: func(Player) uint16 { n.sampled++; return n.sampled },
		Agreed: func(a *rollback.Agreed[uint16]) {
			if len(n.agreed) == 0 {
				n.first = a.Frame
			}
			if a.Frame != n.first+Frame(len(n.agreed)) {
				m.Fatalf("%v: frame %d is agreed after %d", addr, a.Frame, len(n.agreed))
			}
			n.agreed = append(n.agreed, meshFrame{slices.Clone(a.Inputs), slices.Clone(a.Statuses), a.Hash})
		},
	}
	hooks.Orders = func(Player) []byte {
		if m.orders == nil {
			return nil
		}
		return m.orders(n)
	}
	if m.game == nil {
		m.game = sumGame()
	}
	s, err := New(m.game, c, hooks)
	if err != nil {
		m.Fatal(err)
	}
	n.Session = s
	m.nodes = append(m.nodes, n)
	return n
}

// join adds a machine that joins as a player.
func (m *mesh) join(addr netip.AddrPort, player int, hosts ...netip.AddrPort) *node {
	m.Helper()
	return m.joinWith(meshToken, addr, player, hosts...)
}

// joinWith adds a machine that joins with a token.
func (m *mesh) joinWith(token []byte, addr netip.AddrPort, player int, hosts ...netip.AddrPort) *node {
	m.Helper()
	return m.add(addr, player, Config{Players: m.nodes[0].cfg.Players, Local: PlayerSet(1) << player, Token: token, Join: &Join{Hosts: hosts}})
}

// run lets time pass.
func (m *mesh) run(d time.Duration) {
	m.Helper()
	for end := m.now + d; m.now < end; m.now += m.step {
		m.deliver()
		for _, n := range m.nodes {
			if n.down {
				continue
			}
			n.Update(m.now)
			n.settled(m)
			m.carry(n)
			news := n.Events()
			n.seen = append(n.seen, news...)
			n.hold.see(m, n.Machine, news)
			n.Effects()
		}
	}
}

func (m *mesh) carry(n *node) {
	for to, b := range n.Outgoing() {
		if m.r.IntN(100) < m.loss || m.cut != nil && m.cut(n.addr, to) || m.loses != nil && m.loses(n.addr, to, b) {
			continue
		}
		at, way := m.now+m.way, [2]netip.AddrPort{n.addr, to}
		if m.rate > 0 {
			m.busy[way] = max(m.busy[way], m.now) + time.Duration(len(b)+28)*time.Second/time.Duration(m.rate)
			at = m.busy[way] + m.way
		}
		m.flying = append(m.flying, flight{at, n.addr, to, slices.Clone(b)})
	}
}

func (m *mesh) deliver() {
	kept := m.flying[:0]
	for _, f := range m.flying {
		if f.at > m.now {
			kept = append(kept, f)
			continue
		}
		for _, n := range m.nodes {
			if n.addr == f.to && !n.down {
				n.Receive(m.now, f.from, f.bytes)
				n.settled(m)
			}
		}
	}
	m.flying = kept
}

// until runs until something holds.
func (m *mesh) until(what string, limit time.Duration, holds func() bool) {
	m.Helper()
	for end := m.now + limit; !holds(); m.run(10 * time.Millisecond) {
		if m.now >= end {
			m.dump()
			m.Fatalf("%v: %s has not come within %v", m.now, what, limit)
		}
	}
}

func (m *mesh) dump() {
	for _, n := range m.nodes {
		m.Logf("%v: %v, frame %d, confirmed %d, agreed %d, %v, log %v", n.addr, n.Phase(), n.Frame(), n.sim.Confirmed(), n.sim.Agreed(), n.Err(), n.Log())
		if j := n.lateJoin; j != nil {
			m.Logf("  joins: loaded %v, marked %v, known %v, direct %v, at %d", j.loaded, n.stream.Chain.Known(), j.known, j.direct, j.at)
		}
		for l := range n.allLinks() {
			m.Logf("  link to %v at %v: state %d, doubtful %v, received %d, confirmed %d", l.players, l.Addr, l.state, l.doubtful(), l.Counts.Received, l.confirmed)
		}
		for _, e := range n.seen {
			m.Logf("  %v", e)
		}
	}
}

// same checks that everything agreed is the same on all machines that have it.
func (m *mesh) same() {
	m.Helper()
	for _, a := range m.nodes {
		a.played(m)
		for _, b := range m.nodes {
			for f := max(a.first, b.first); f < min(a.first+Frame(len(a.agreed)), b.first+Frame(len(b.agreed))); f++ {
				x, y := a.agreed[f-a.first], b.agreed[f-b.first]
				if !slices.Equal(x.inputs, y.inputs) || !slices.Equal(x.statuses, y.statuses) || x.hash != y.hash {
					m.dump()
					m.Fatalf("frame %d is %v at %v and %v at %v", f, x, a.addr, y, b.addr)
				}
			}
		}
	}
}

func (n *node) saw(w What) (e Event, count int) {
	for _, s := range n.seen {
		if s.What == w {
			e, count = s, count+1
		}
	}
	return e, count
}

func (m *mesh) playing() {
	m.Helper()
	m.until("the match", 5*time.Second, func() bool {
		for _, n := range m.nodes {
			if n.Phase() != Playing {
				return false
			}
		}
		return true
	})
}
