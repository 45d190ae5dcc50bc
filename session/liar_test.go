package session

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// court is three machines, one of which lies.
type court struct {
	*trio
	liar  int
	down  bool // the liar says nothing any more
	lie   func(to int, b []byte) []byte
	heard [64]struct { // the newest datagrams
		from, to int
		bytes    []byte
	}
	sent   int
	agreed [3]map[uint32][]string // the frames that each has agreed on, by match and frame
	// doubles says that the liar may have sent two others different inputs for the
	// same frame. They find that out when they compare, and nothing can prevent it.
	doubles bool
}

// newCourt makes them. Without a lobby, a match of 60 frames begins by itself.
func newCourt(tr *trio, liar int) *court {
	c := &court{trio: tr, liar: liar}
	for i, p := range tr.peers {
		c.agreed[i] = map[uint32][]string{}
		p.sim.hooks.Agreed = func(a *rollback.Agreed[uint16]) {
			line := ""
			for k := range a.Inputs {
				line += string(rune('a'+a.Statuses[k])) + string(rune(a.Inputs[k])) + "/" + string(a.Orders[k]) + ";"
			}
			if n := p.match.Number(); int(a.Frame) != len(c.agreed[i][n]) {
				tr.Fatalf("peer %d: frame %d is agreed after %d", i, a.Frame, len(c.agreed[i][n]))
			}
			c.agreed[i][p.match.Number()] = append(c.agreed[i][p.match.Number()], line)
		}
	}
	return c
}

// shortWaits makes all time-outs short.
func shortWaits(c *Config) {
	c.ChainEvery = 10
	c.Match.Frames = 60
	c.ConnectTimeout, c.ReadyTimeout, c.DropAfter = 2*time.Second, 2*time.Second, time.Second
	c.WarnAfter, c.Linger, c.QuorumTimeout = 300*time.Millisecond, 300*time.Millisecond, time.Second
}

// run lets time pass, in steps of 4 ms.
func (c *court) run(d time.Duration) {
	c.Helper()
	for end := c.now + d; c.now < end; c.now += 4 * time.Millisecond {
		for i, p := range c.peers {
			if i != c.liar || !c.down {
				p.Update(c.now)
			}
		}
		c.carry()
		for i, p := range c.peers {
			c.seen[i] = append(c.seen[i], p.Events()...)
			if len(c.seen[i]) > 4000 {
				c.seen[i] = c.seen[i][3000:]
			}
			p.Effects()
		}
	}
}

// carry delivers everything that the machines send, until no machine sends anything.
func (c *court) carry() {
	type letter struct {
		from int
		to   netip.AddrPort
		b    []byte
	}
	for range 8 {
		var all []letter
		for i, p := range c.peers {
			for to, b := range p.Outgoing() {
				all = append(all, letter{i, to, append([]byte(nil), b...)})
			}
		}
		if len(all) == 0 {
			return
		}
		for _, d := range all {
			to := slices.IndexFunc([]netip.AddrPort{addrOf(0), addrOf(1), addrOf(2)}, func(a netip.AddrPort) bool { return a == d.to })
			if to < 0 || c.down && (d.from == c.liar || to == c.liar) {
				continue
			}
			if d.from == c.liar && c.lie != nil {
				if d.b = c.lie(to, d.b); d.b == nil {
					continue
				}
			}
			h := &c.heard[c.sent%len(c.heard)]
			h.from, h.to, h.bytes = d.from, to, d.b
			c.sent++
			c.hand(to, addrOf(d.from), d.b)
		}
	}
}

// hand passes a datagram to a machine, which must not send many in answer.
func (c *court) hand(to int, from netip.AddrPort, b []byte) {
	m := c.peers[to]
	before, bytes := m.out.Len(), len(m.out.Bytes)
	m.Receive(c.now, from, b)
	if n := m.out.Len() - before; n > len(m.links) || len(m.out.Bytes)-bytes > len(m.links)*datagram.MaxSize {
		c.Fatalf("peer %d answers one datagram of %d bytes with %d", to, len(b), n)
	}
	if n := m.events.Len(); n > 256 {
		c.Fatalf("%d events wait", n)
	}
}

// whisper passes a body from the liar to a machine, with a number after those that it
// has sent, and the right tag.
func (c *court) whisper(to int, from netip.AddrPort, body []byte, ahead uint64) {
	l := c.way(c.liar, to)
	if l.state == connecting || len(body) < 3 {
		return
	}
	sequence := l.Next() + ahead
	body[0] |= 0x80
	body[1], body[2] = byte(sequence), byte(sequence>>8)
	c.hand(to, from, l.Out.Seal(body, 0, sequence))
}

// say makes the liar queue a message on its control stream.
func (c *court) say(to int, message []byte) {
	l := c.way(c.liar, to)
	if len(message) == 0 || len(message) > 68<<10 || l.state != connected || l.Channel.Pending() > 100_000 {
		return
	}
	c.doubles = c.doubles || message[0] == messageOrders || message[0] == messageFill // it may have other inputs of its own
	_ = l.Channel.Send(message)
}

// obey makes the honest machines do what an application would do: propose, accept, be
// ready.
func (c *court) obey() {
	for i, p := range c.peers {
		if i == c.liar {
			continue
		}
		if _, n := p.Proposal(); n != 0 && !p.cfg.host() {
			_ = p.Accept()
			_ = p.Ready()
		}
		if p.cfg.host() && p.Phase() == Lobby && p.match.Number() < 4 {
			_ = p.Propose(Parameters{Frames: 40})
		}
	}
}

// judge waits until the honest machines are done, without the liar, and checks what
// they have agreed on.
func (c *court) judge() {
	c.Helper()
	c.down, c.lie = true, nil
	through := func() bool {
		for i, p := range c.peers {
			if i != c.liar && p.Phase() != Over && p.Phase() != Lobby {
				return false
			}
		}
		return true
	}
	c.run(3 * time.Second)
	for n := range 500 {
		if through() {
			break
		}
		if n == 250 { // a match of any length goes on without the liar
			for i, p := range c.peers {
				if i != c.liar && p.cfg.OnLeave == Continue {
					p.Leave("enough")
				}
			}
		}
		c.run(20 * time.Millisecond)
	}
	for i, p := range c.peers {
		if i == c.liar {
			continue
		}
		if ph := p.Phase(); ph != Over && ph != Lobby {
			c.Fatalf("peer %d hangs: %v, frame %d; events %v", i, ph, p.Frame(), c.seen[i][max(0, len(c.seen[i])-10):])
		}
		if !named(p.Err()) {
			c.Fatalf("peer %d: the error is %T: %v", i, p.Err(), p.Err())
		}
	}
	c.compare()
}

// named reports whether an error says who is concerned and why.
func named(err error) bool {
	var mismatch *MismatchError
	var timeout *TimeoutError
	var refused *RefusedError
	var lost *LostError
	var removed *RemovedError
	var quorum *QuorumError
	return errors.As(err, &removed) || errors.As(err, &quorum) || err == nil || errors.Is(err, ErrClosed) || errors.As(err, &mismatch) || errors.As(err, &timeout) ||
		errors.As(err, &refused) || errors.As(err, &lost)
}

// compare checks that the two honest machines have agreed on the same frames.
func (c *court) compare() {
	c.Helper()
	a, b := (c.liar+1)%3, (c.liar+2)%3
	for match := range uint32(100) {
		one, two := c.agreed[a][match], c.agreed[b][match]
		for f := range min(len(one), len(two)) {
			if one[f] == two[f] {
				continue
			}
			if c.doubles {
				break
			}
			c.Fatalf("match %d, frame %d: peer %d has agreed on %q, peer %d on %q; events %v and %v", match, f, a, one[f], b, two[f], c.seen[a], c.seen[b])
		}
	}
	oa, oka := c.peers[a].Outcome()
	ob, okb := c.peers[b].Outcome()
	if oka && okb && oa.Match == ob.Match && oa.Told && ob.Told && (oa.Chain != ob.Chain || oa.Frames != ob.Frames) &&
		(oa.Health != Desynced || ob.Health != Desynced) {
		c.Fatalf("different ends, %+v and %+v, and nobody has noticed", oa, ob)
	}
}
