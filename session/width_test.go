package session

import (
	"bytes"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// narrow is links that carry datagrams of 576 bytes with their headers, and no larger
// ones.
type narrow struct {
	here   func(from, to netip.AddrPort) bool // it is one of those
	lost   int                                // datagrams that were too large, without Hellos
	hellos int                                // and Hellos,
	probes int                                // and probes of hosts
}

// newNarrow makes some of the links of a mesh narrow.
func newNarrow(m *mesh, here func(from, to netip.AddrPort) bool) *narrow {
	n := &narrow{here: here}
	m.loses = func(from, to netip.AddrPort, b []byte) bool {
		if len(b)+28 <= 576 || !n.here(from, to) {
			return false
		}
		switch {
		case b[0] == datagram.KindHello || b[0] == datagram.KindWatch:
			n.hellos++
		case datagram.IsWatch(b) && b[0]&0x10 == 0 && len(b) == datagram.MaxSize:
			n.probes++ // without control stream
		case b[0] == datagram.KindWelcome && m.now < 3*time.Second:
			// It has the offer, and nobody knows yet that the path is narrow.
		default:
			n.lost++
		}
		return true
	}
	return n
}

func everywhere(netip.AddrPort, netip.AddrPort) bool { return true }

// limits returns the limits that the links of a machine report.
func (n *node) limits() (list []int) {
	for _, l := range n.Stats(nil).Links {
		list = append(list, l.Limit)
	}
	return list
}

// Over paths that carry only small datagrams, even in one direction only, peers connect
// and play, and send nothing that is too large except a few Hellos.
func TestPeersPlayOverNarrowPaths(t *testing.T) {
	data := bytes.Repeat([]byte("a level of the game. "), 3000)
	for players := 2; players <= 3; players++ {
		for name, here := range map[string]func(from, to netip.AddrPort) bool{
			"everywhere":        everywhere,
			"from the host":     func(from, _ netip.AddrPort) bool { return from == addrOf(0) },
			"to the host":       func(_, to netip.AddrPort) bool { return to == addrOf(0) },
			"between two alone": func(from, to netip.AddrPort) bool { return from != addrOf(2) && to != addrOf(2) },
		} {
			for _, size := range []int{0, 900, len(data)} {
				t.Run(fmt.Sprintf("%d players, %s, %d bytes", players, name, size), func(t *testing.T) {
					m := newMesh(t, players, 0, func(_ int, c *Config) { c.Match.Frames, c.Match.Data = 600, data[:size] })
					w := newNarrow(m, here)
					m.orders = func(n *node) []byte { return data[:int(n.sampled)%40/37*(int(n.sampled)%300)] }
					m.until("the end", 40*time.Second, func() bool {
						all := true
						for _, n := range m.nodes {
							if p, number := n.Proposal(); number > 0 {
								n.data = len(p.Data)
							}
							_, over := n.Outcome()
							all = all && over
						}
						return all
					})
					m.same()
					for _, n := range m.nodes {
						if o, _ := n.Outcome(); o.Frames != 600 || o.Health != Healthy || n.data != size {
							t.Errorf("%v: %+v", n.addr, o)
						}
						for i, l := range n.Stats(nil).Links {
							want := datagram.MaxSize
							if here(n.addr, l.Addr) {
								want = datagram.MinSize
							}
							if l.Limit != want {
								t.Errorf("%v, link %d: the limit is %d, want %d", n.addr, i, l.Limit, want)
							}
						}
					}
					if w.lost > 0 || w.hellos == 0 {
						t.Errorf("%d datagrams were too large, besides %d Hellos", w.lost, w.hellos)
					}
				})
			}
		}
	}
}

// A newcomer joins over narrow paths, and is a player like the others.
func TestANewcomerComesOverANarrowPath(t *testing.T) {
	m := newMesh(t, 3, 0b100, nil)
	w := newNarrow(m, everywhere)
	m.playing()
	m.run(3 * time.Second)
	n := m.join(addrOf(2), 2, addrOf(0), addrOf(1))
	m.until("the newcomer", 10*time.Second, func() bool { return n.Phase() == Playing && !n.lateJoin.observing() })
	from := n.Frame()
	m.run(5 * time.Second)
	m.same()
	if n.Frame() < from+200 || n.Health() != Healthy {
		m.dump()
		t.Errorf("frame %d, %d when it came, %v", n.Frame(), from, n.Health())
	}
	for _, n := range m.nodes {
		if got := n.limits(); len(got) != 2 || got[0] != datagram.MinSize || got[1] != datagram.MinSize {
			t.Errorf("%v: the limits are %v", n.addr, got)
		}
	}
	if w.lost > 0 || w.probes > 4 {
		t.Errorf("%d datagrams were too large, besides %d probes", w.lost, w.probes)
	}
}

// On wide paths nothing is small, even if a peer comes late and small Hellos have been
// sent for a while, and even if its first answer is lost.
func TestALatePeerIsNotTakenForANarrowPath(t *testing.T) {
	for _, lost := range []int{0, 1, 3} {
		m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Match.Frames = 600 })
		left, small := lost, 0
		m.loses = func(from, _ netip.AddrPort, b []byte) bool {
			if m.nodes[1].down {
				if b[0] == datagram.KindHello && len(b) == datagram.MinSize {
					small++
				}
				return true
			}
			if len(b) == datagram.HelloSize && left > 0 && b[0] == datagram.KindHello {
				left--
				return true
			}
			return false
		}
		m.nodes[1].down = true
		m.run(4 * time.Second)
		if small == 0 {
			t.Fatal("nobody was asked with small Hellos: this tests nothing")
		}
		m.nodes[1].down = false
		m.playing()
		m.run(time.Second)
		for _, n := range m.nodes {
			if got := n.limits(); got[0] != datagram.MaxSize {
				t.Errorf("%d lost: the limit of %v is %d", lost, n.addr, got[0])
			}
		}
	}
}

// A path that becomes wide is noticed within a minute, and one that stays narrow costs a
// few Hellos.
func TestAWayThatGetsWideIsNoticed(t *testing.T) {
	m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Match.Frames = 0 })
	wide := false
	w := newNarrow(m, func(netip.AddrPort, netip.AddrPort) bool { return !wide })
	m.playing()
	before := w.hellos
	m.run(20 * time.Second)
	if n := w.hellos - before; n < 4 || n > 16 || w.lost > 0 {
		t.Errorf("%d Hellos in 20 s, %d other datagrams that are too large", n, w.lost)
	}
	wide = true
	m.run(40 * time.Second)
	for _, n := range m.nodes {
		if got := n.limits(); got[0] != datagram.MaxSize || n.Health() != Healthy {
			t.Errorf("%v: the limit is %d, %v", n.addr, got[0], n.Health())
		}
	}
}

// A Welcome never has more bytes than the Hello that it answers; it contains the offer if
// that fits.
func TestAWelcomeIsNoLargerThanItsHello(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	offered := Parameters{Frames: 100, Data: make([]byte, 700)}
	if err := tr.peers[0].Propose(offered); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	offers := 0
	for size := datagram.MinSize - 1; size <= datagram.MaxSize+1; size++ {
		tr.run(20 * time.Millisecond)
		tr.sentTo(0, addrOf(1))
		hello := make([]byte, size) // in the name of the peer, with its nonce
		copy(hello, datagram.Hello{Version: datagram.Version, Nonce: tr.way(1, 0).Nonce, Attempt: 1}.Append(nil))
		tr.peers[0].Receive(tr.now, addrOf(1), hello)
		answers := tr.sentTo(0, addrOf(1))
		if size < datagram.MinSize || size > datagram.MaxSize {
			if len(answers) != 0 {
				t.Errorf("%d bytes are answered", size)
			}
			continue
		}
		if len(answers) != 1 || len(answers[0]) > size {
			t.Fatalf("%d bytes: %d answers", size, len(answers))
		}
		body, ok := datagram.Key(tr.way(1, 0).Nonce).Open(answers[0], 0)
		w, err := datagram.ConsumeWelcome(body)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		if w.Offer != nil {
			offers++
		}
	}
	if offers == 0 || offers > datagram.MaxSize-700 {
		t.Errorf("%d Welcomes had the offer", offers)
	}
}
