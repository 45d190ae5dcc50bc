package served

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

const second = time.Second

// gate is a server and any number of clients without a delay between them, whose addresses may
// change.
type gate struct {
	t       testing.TB
	now     time.Duration
	random  *rand.Rand
	server  *Server[count, uint16]
	clients map[netip.AddrPort]*Client[count, uint16]
	order   []netip.AddrPort
	// tap may take a datagram away.
	tap func(from, to netip.AddrPort, b []byte) (away bool)
	// each is called in every millisecond.
	each func()
}

func newServer(t testing.TB, tune func(c *ServerConfig)) *Server[count, uint16] {
	t.Helper()
	cfg := ServerConfig{Game: countAbout, Random: rand.New(rand.NewPCG(7, 7)).Uint64}
	if tune != nil {
		tune(&cfg)
	}
	s, err := NewServer(countGame(), cfg, ServerHooks[count, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newGate(t testing.TB, tune func(c *ServerConfig)) *gate {
	return &gate{t: t, random: rand.New(rand.NewPCG(8, 8)), server: newServer(t, tune), clients: map[netip.AddrPort]*Client[count, uint16]{}}
}

// join has a client come from an address.
func (g *gate) join(at string) *Client[count, uint16] {
	return g.joinAs(at, func(*ClientConfig) {})
}

func (g *gate) joinAs(at string, tune func(c *ClientConfig)) *Client[count, uint16] {
	c := newClient(g.t, countGame(), g.random.Uint64, tune)
	a := netip.MustParseAddrPort(at)
	g.clients[a] = c
	g.order = append(g.order, a)
	return c
}

// enter has a client come and play.
func (g *gate) enter(at string, tune func(c *ClientConfig)) *Client[count, uint16] {
	g.t.Helper()
	if tune == nil {
		tune = func(*ClientConfig) {}
	}
	c := g.joinAs(at, tune)
	g.run(second)
	if c.Phase() != session.Playing {
		g.t.Fatalf("%s does not play: %v", at, c.Err())
	}
	return c
}

// move gives the client at an address another address.
func (g *gate) move(from, to string) {
	a, b := netip.MustParseAddrPort(from), netip.MustParseAddrPort(to)
	g.clients[b] = g.clients[a]
	delete(g.clients, a)
	for i := range g.order {
		if g.order[i] == a {
			g.order[i] = b
		}
	}
}

func (g *gate) run(d time.Duration) {
	for until := g.now + d; g.now < until; g.now += time.Millisecond {
		g.server.Update(g.now)
		for to, b := range g.server.Outgoing() {
			if g.tap != nil && g.tap(serverAddr, to, b) {
				continue
			}
			if c := g.clients[to]; c != nil {
				c.Receive(g.now, serverAddr, b)
			}
		}
		for _, at := range g.order {
			c := g.clients[at]
			c.Update(g.now)
			for _, b := range c.Outgoing() {
				if g.tap == nil || !g.tap(at, serverAddr, b) {
					g.server.Receive(g.now, at, bytes.Clone(b))
				}
			}
		}
		if g.each != nil {
			g.each()
		}
	}
}
