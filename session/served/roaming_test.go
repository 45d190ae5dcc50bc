package served

import (
	"bytes"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/wire/datagram"
)

const (
	home  = "203.0.113.9:1"
	away  = "198.51.100.7:77"
	enemy = "192.0.2.66:6"
)

// Rule: a client whose address changes plays on, without connecting again, and loses hardly any
// input.
func TestAClientIsFollowedToAnotherAddress(t *testing.T) {
	for _, to := range []string{away, "203.0.113.9:2"} {
		g := newGate(t, nil)
		c := g.enter(home, nil)
		g.enter("203.0.113.10:1", nil)
		p, _ := c.Player()
		g.server.Events()
		before := *g.server.State()
		g.move(home, to)
		g.run(2 * second)
		after := *g.server.State()
		if n := after.Ticks[p] - before.Ticks[p]; n != 100 {
			t.Errorf("it was there in %d of 100 ticks", n)
		}
		if n := after.Sum[p] - before.Sum[p]; n < 99 { // 50 ms are less than what is held
			t.Errorf("it has made %d of 100 inputs", n)
		}
		stats, ok := g.server.Client(p)
		if !ok || stats.Behind > 3 || c.Phase() != session.Playing || c.Known()+3 < g.server.Frame() {
			t.Errorf("%+v, %v; it knows state %d of %d", stats, c.Phase(), c.Known(), g.server.Frame())
		}
		if n := g.server.Counts(); n.Moved != 1 || n.Strangers > 0 {
			t.Errorf("%+v", n)
		}
		moved := 0
		for _, e := range g.server.Events() {
			if e.What == event.Moved && e.Players.Has(p) && e.Text == to {
				moved++
			} else if e.What != event.Moved {
				t.Errorf("%v", e)
			}
		}
		if moved != 1 {
			t.Errorf("%d events tell it", moved)
		}
	}
}

// Rule: losses, and a second change before the first one is proved, cost a client time, but not its
// place.
func TestAClientThatChangesItsAddressOftenIsFollowed(t *testing.T) {
	g := newGate(t, nil)
	c := g.enter(home, nil)
	p, _ := c.Player()
	lost := 0
	g.tap = func(_, _ netip.AddrPort, b []byte) bool {
		away := g.random.IntN(4) == 0
		if away {
			lost++
		}
		return away
	}
	at := home
	for i, to := range []string{away, "198.51.100.8:1", "198.51.100.9:1", home, away} {
		g.move(at, to)
		at = to
		g.run(30 * time.Millisecond)
		at, to = fmt.Sprintf("198.51.100.200:%d", i+1), at
		g.move(to, at)
		g.run(second)
	}
	if _, ok := g.server.Client(p); !ok || c.Phase() != session.Playing || c.Known()+10 < g.server.Frame() {
		t.Errorf("%v, %v; it knows state %d of %d", ok, c.Phase(), c.Known(), g.server.Frame())
	}
	if n := g.server.Counts(); n.Moved < 5 || lost == 0 {
		t.Errorf("%+v, %d are lost", n, lost)
	}
}

// bytesTo counts the bytes to and from an address.
type bytesTo struct{ to, from int }

func (g *gate) meter(at string) *bytesTo {
	a, n, before := netip.MustParseAddrPort(at), new(bytesTo), g.tap
	g.tap = func(from, to netip.AddrPort, b []byte) bool {
		if to == a {
			n.to += len(b)
		}
		if from == a {
			n.from += len(b)
		}
		return before != nil && before(from, to, b)
	}
	return n
}

// Rule: an attacker who forwards, repeats or holds back a client's datagrams, from an address of its
// own or in the name of a victim's, does not take the client's place, and does not make the server
// send more bytes there than have come from there.
func TestNobodyElseTakesAClientsAddress(t *testing.T) {
	from := netip.MustParseAddrPort(enemy)
	for name, how := range map[string]struct {
		again, hold bool // the client's datagrams arrive as well; or, for a while, only from elsewhere
		answers     bool // the other address answers with what it has received
	}{
		"it forwards":                        {again: true},
		"it forwards, and sends answers":     {again: true, answers: true},
		"it holds back for a while":          {hold: true},
		"it holds back, and sends it all on": {hold: true, answers: true},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t, nil)
			c := g.enter(home, nil)
			p, _ := c.Player()
			m := g.meter(enemy)
			begun := g.now
			meter := g.tap
			sent := 0
			g.tap = func(by, to netip.AddrPort, b []byte) bool {
				meter(by, to, b)
				if to == from && how.answers && b[0] == datagram.KindChallenge {
					// It has no key, so it can only send back or forward what it receives.
					echo := bytes.Clone(b)
					g.server.Receive(g.now, from, echo)
					echo = bytes.Clone(b)
					echo[0] = datagram.KindAnswer
					g.server.Receive(g.now, from, echo)
					sent += 2 * len(b)
					c.Receive(g.now, from, b) // not from the server: it gets no answer
				}
				if by != netip.MustParseAddrPort(home) {
					return false
				}
				g.server.Receive(g.now, from, bytes.Clone(b))
				sent += len(b)
				return how.hold && g.now < begun+400*time.Millisecond
			}
			g.run(2 * second)
			if a := g.server.clients.of[p].pipe.Addr.String(); a != home {
				t.Errorf("it is at %s now", a)
			}
			if m.to > sent {
				t.Errorf("%d bytes have come from there, and %d go there", sent, m.to)
			}
			if how.hold != (m.to > 0) {
				t.Errorf("%d bytes of challenges", m.to)
			}
			n := g.server.Counts()
			if n.Moved != 0 || n.Elsewhere+n.Repeated == 0 || max(n.Elsewhere, n.Repeated) > 1000 {
				t.Errorf("%+v", n)
			}
			if c.Phase() != session.Playing || c.Known()+3 < g.server.Frame() {
				t.Errorf("%v: state %d of %d", c.Phase(), c.Known(), g.server.Frame())
			}
		})
	}
}

// Rule: a client that lies about its address causes nothing but challenges to be sent there, whatever
// it claims, and no more bytes than it has sent.
func TestAClientCannotHaveOthersFlooded(t *testing.T) {
	g := newGate(t, nil)
	c := g.enter(home, nil)
	m := g.meter(enemy)
	meter := g.tap
	kinds := map[byte]int{}
	g.tap = func(by, to netip.AddrPort, b []byte) bool {
		if to == netip.MustParseAddrPort(enemy) {
			kinds[b[0]]++
		}
		return meter(by, to, b) || by == netip.MustParseAddrPort(home)
	}
	sent := 0
	g.each = func() {
		for range 20 {
			b := c.server.pipe.Append(nil, g.now)
			sent += len(b)
			g.server.Receive(g.now, netip.MustParseAddrPort(enemy), b)
		}
	}
	g.run(3 * second)
	if m.to == 0 || m.to > sent/20 || len(kinds) != 1 || kinds[datagram.KindChallenge] == 0 {
		t.Errorf("%d bytes for %d: %v", m.to, sent, kinds)
	}
	if n := g.server.Counts(); n.Moved != 0 {
		t.Errorf("%+v", n)
	}
}

// Rule: an address has no more places if clients move there; a client of that address may change
// ports.
func TestNoClientMovesWhereThereAreEnough(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.PerAddress = 1 })
	c := g.enter(home, nil)
	other := g.enter("198.51.100.7:1", nil)
	g.move(home, away) // where the other one is
	g.run(second)
	if n := g.server.Counts(); n.Moved != 0 || n.Elsewhere == 0 {
		t.Errorf("%+v", n)
	}
	g.move(away, "203.0.113.9:55")
	g.run(second)
	if n := g.server.Counts(); n.Moved != 1 || c.Phase() != session.Playing || other.Phase() != session.Playing {
		t.Errorf("%+v, %v, %v", n, c.Phase(), other.Phase())
	}
}

// Rule: an invalid challenge, or one that is not from the server, gets no answer.
func TestOnlyTheServersChallengesAreAnswered(t *testing.T) {
	g := newGate(t, nil)
	c := g.enter(home, nil)
	p, _ := c.Player()
	pipe := g.server.clients.of[p].pipe
	seal := func(d datagram.Challenge) []byte { return pipe.Out.Seal(d.Append(nil), 0, 0) }
	wrong := seal(datagram.Challenge{Kind: datagram.KindChallenge, Token: 5})
	wrong[3] ^= 1
	for name, k := range map[string]struct {
		from string
		b    []byte
		want bool
	}{
		"the server's":      {serverAddr.String(), seal(datagram.Challenge{Kind: datagram.KindChallenge, Token: 5}), true},
		"from elsewhere":    {enemy, seal(datagram.Challenge{Kind: datagram.KindChallenge, Token: 5}), false},
		"an answer":         {serverAddr.String(), seal(datagram.Challenge{Kind: datagram.KindAnswer, Token: 5}), false},
		"with another byte": {serverAddr.String(), wrong, false},
		"cut off":           {serverAddr.String(), pipe.Out.Seal([]byte{datagram.KindChallenge, 1}, 0, 0), false},
	} {
		for range c.Outgoing() {
		}
		before := c.server.strangers
		c.Receive(g.now, netip.MustParseAddrPort(k.from), k.b)
		n := 0
		for to, b := range c.Outgoing() {
			if b[0] == datagram.KindAnswer && to == serverAddr {
				n++
			}
		}
		if (n == 1) != k.want || n > 1 || (c.server.strangers > before) == k.want {
			t.Errorf("%s: %d answers", name, n)
		}
	}
}

// Rule: a client that has left the match is not moved by an answer that it had sent before.
func TestWhoHasLeftIsNotMoved(t *testing.T) {
	for _, left := range []bool{false, true} {
		g := newGate(t, nil)
		c := g.enter(home, nil)
		p, _ := c.Player()
		one := g.server.clients.of[p]
		var answer []byte
		g.tap = func(_, to netip.AddrPort, b []byte) bool {
			if to == serverAddr && b[0] == datagram.KindAnswer {
				answer = bytes.Clone(b)
				return true
			}
			return false
		}
		g.move(home, away)
		for range 500 {
			if g.run(time.Millisecond); answer != nil {
				break
			}
		}
		if answer == nil {
			t.Fatal("it was not challenged")
		}
		one.plays = !left
		g.server.Receive(g.now, netip.MustParseAddrPort(away), answer)
		if n := g.server.Counts(); n.Moved != map[bool]uint64{false: 1}[left] || one.pipe.Addr.String() != map[bool]string{true: home, false: away}[left] {
			t.Errorf("left %v: it is at %v, %+v", left, one.pipe.Addr, n)
		}
	}
}

// Rule: a client that was last heard at its address a moment ago is not followed to another one, and what comes from there
// is counted; after two ticks of silence, or 50 ms, it is challenged.
func TestAfterWhatSilenceAClientIsFollowed(t *testing.T) {
	for silent, followed := range map[time.Duration]bool{50*time.Millisecond - 1: false, 50 * time.Millisecond: true} {
		f := newFixture(t)
		p, _ := f.other.Player()
		h := f.server.Host
		c := h.clients.of[p]
		c.pipe.Heard = h.now - silent
		b := f.seal((&clientBody{next: uint32(f.server.Frame())}).append(nil))
		if ours := (roaming{h}).receive(h.now, strangerAddr, b); !ours || (c.faults.Elsewhere == 0) != followed || c.faults.Elsewhere > 1 {
			t.Errorf("silent for %v: it is ours: %v, %+v", silent, ours, c.faults)
		}
	}
}
