package dtls

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

// receive sorts arriving datagrams, until the transport is closed.
func (t *Transport) receive() {
	buf := make([]byte, udp.MaxDatagram)
	for {
		n, from, at, ok := t.under.Receive(buf)
		if ok {
			t.arrived(buf[:n], from, at)
			continue
		}
		select {
		case <-t.under.Notify():
		case <-t.closing:
			return
		}
	}
}

// arrived handles a datagram, which may be anything from anybody.
func (t *Transport) arrived(b []byte, from netip.AddrPort, at time.Time) {
	if id, ok := recordID(b); ok {
		t.mu.RLock()
		c := t.conns[id]
		t.mu.RUnlock()
		t.deliver(c, b, from, at)
		return
	}
	h, rest, ok := parseHeader(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch key := t.keys[h.key]; {
	case t.closed:
	case !ok:
		notOurs(t, b, from)
	case key == nil:
		t.foreigner(h, rest, len(b), from)
	case !key.opens(b) || h.from == t.self:
		t.counts.forged.Add(1)
	default:
		now := time.Now()
		if g, ok := parseHello(h, rest); ok {
			t.greeted(&g, key, from, now)
		} else if e, ok := parseEnvelope(h, rest); ok {
			t.handshake(&e, key, from, at, now)
		} else {
			t.counts.forged.Add(1)
		}
	}
}

func (t *Transport) deliver(c *conn, b []byte, from netip.AddrPort, at time.Time) {
	switch {
	case c == nil:
		t.counts.strangers.Add(1)
	case !c.pipe.put(b, from, at):
		t.counts.overflowed.Add(1)
	}
}

// notOurs handles a datagram in another format. It may come from a peer that does not encrypt: then both sides are
// told.
func notOurs(t *Transport, b []byte, from netip.AddrPort) {
	t.counts.strangers.Add(1)
	p := t.at[from]
	if !plain(b) || p != nil && p.conn != nil {
		return
	}
	if p != nil {
		p.obstacle.hint = ErrPlain
	}
	t.sendHint(from, len(b), header{})
}

// foreigner handles a greeting from a machine with another key, or none. The machine gets an answer that says so, and
// can report it. The answer has the machine's own cookie, which only hosts on the path have seen, so that the machine
// can believe it.
func (t *Transport) foreigner(h header, rest []byte, n int, from netip.AddrPort) {
	t.counts.strangers.Add(1)
	g, ok := parseHello(h, rest)
	if !ok {
		return
	}
	if p := t.at[from]; p != nil && p.conn == nil {
		p.obstacle.hint = ErrOtherToken
		if now := time.Now(); p.obstacle.refused.IsZero() && g.to == t.self && t.cookieMaker.takes(g.echo, from, now) {
			p.obstacle.refused = now
			t.log.Info("dtls: a peer has another token", "peer", from)
		}
	}
	if g.flags&flagAsk != 0 {
		t.sendHint(from, n, header{to: g.from, echo: g.give})
	}
}

// sendHint answers a machine with another key, with at most as many bytes as it sent, and at a limited rate.
func (t *Transport) sendHint(to netip.AddrPort, n int, h header) {
	now := time.Now()
	if pair := t.pairAt(to); pair != nil && n >= helloSize && t.foreign.take(now) {
		h.flags, h.from = flagForeign, t.self // what the machine has us send is useless with machines that have our key
		t.answer(pair, h, to, now)
	}
}

// answer sends a greeting to an unknown machine.
func (t *Transport) answer(pair *pair, h header, to netip.AddrPort, now time.Time) {
	g := hello{h, t.cookieMaker.give(to, now)}
	_ = t.under.Send(to, g.append(make([]byte, 0, helloSize), pair))
}

// greeted handles a hello from a machine with our key. Nothing about it is stored unless it carries a cookie that we
// gave to its address.
func (t *Transport) greeted(g *hello, key *pair, from netip.AddrPort, now time.Time) {
	if g.flags&flagForeign != 0 {
		t.counts.forged.Add(1)
		return
	}
	p, proved := t.at[from], g.to == t.self && t.cookieMaker.takes(g.echo, from, now)
	ask, want := g.flags&flagAsk != 0, g.flags&flagWant != 0
	if p != nil && p.pair != key {
		p.obstacle.hint = ErrOtherToken
		return
	}
	if pinned := t.pins[from]; pinned != nil && pinned != key {
		t.counts.forged.Add(1)
		return
	}
	if !proved {
		if ask {
			t.answer(key, header{from: t.self, to: g.from, echo: g.give}, from, now)
		}
		return
	}
	if p == nil && !want {
		if ask { // it does not know that we have forgotten the connection
			t.answer(key, header{flags: flagWant, from: t.self, to: g.from, echo: g.give}, from, now)
		}
		return
	}
	if p == nil {
		if p = t.insertStranger(from, key, now); p == nil {
			return
		}
	}
	t.adoptInstance(p, g.from, from)
	p.given, p.givenAt = g.give, now
	if want {
		p.needs = now
	}
	switch {
	case ask:
		p.sendHello(0, now)
	case p.due(now) && p.pending == nil && !t.self.before(p.theirs):
		p.sendHello(0, now) // so that it has our answer to its cookie, and begins
	}
	p.advance(now)
}

// insertStranger adds a peer for a machine that wants to connect.
func (t *Transport) insertStranger(from netip.AddrPort, key *pair, now time.Time) *peer {
	p := t.insert(from, key, now)
	if p == nil {
		t.counts.refused.Add(1)
		return nil
	}
	p.stranger, p.needs = true, now
	return p
}

// adoptInstance stores the instance that has proved to be at the address of a peer.
func (t *Transport) adoptInstance(p *peer, theirs instance, from netip.AddrPort) {
	p.addr, p.obstacle = from, obstacle{}
	if p.theirs == theirs {
		return
	}
	p.theirs, p.attempt = theirs, 0
	if c := p.pending; c != nil { // with the one before
		c.hangUp(true)
		p.pending = nil
	}
}

// handshake handles records of a handshake.
func (t *Transport) handshake(e *envelope, key *pair, from netip.AddrPort, at, now time.Time) {
	p, client := t.at[from], e.flags&flagClient != 0
	if p != nil && e.to == t.self {
		for _, c := range []*conn{p.pending, p.conn} {
			if c != nil && c.attempt == e.attempt && c.theirs == e.from && c.client != client && c.addr == from && p.pair == key {
				t.deliver(c, e.records, from, at)
				return
			}
		}
	}
	pinned := t.pins[from]
	switch {
	case !client || !e.from.before(t.self) || e.to != t.self || !t.cookieMaker.takes(e.echo, from, now),
		pinned != nil && pinned != key, p != nil && p.pair != key,
		p != nil && p.theirs == e.from && e.attempt <= p.attempt:
		t.counts.forged.Add(1)
		return
	}
	if p == nil {
		if p = t.insertStranger(from, key, now); p == nil {
			return
		}
	}
	t.adoptInstance(p, e.from, from)
	if now.Before(p.retry) || p.stranger && !t.admits(p, now) { // it will send them again
		return
	}
	p.retry = now.Add(retryTime)
	if c := p.pending; c != nil { // its client has given up on this one
		c.hangUp(true)
	}
	p.dial(false, e.attempt)
	t.deliver(p.pending, e.records, from, at)
}

// keep services the peers regularly, until the transport is closed.
func (t *Transport) keep() {
	const beat = 25 * time.Millisecond
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-t.closing:
			return
		case now := <-ticker.C:
			t.mu.Lock()
			for _, p := range slices.Clone(t.peers) {
				t.look(p, now)
			}
			t.mu.Unlock()
		}
	}
}

// look does what is due for a peer.
func (t *Transport) look(p *peer, now time.Time) {
	wanted := p.wantedFor(now)
	if wanted < wantTime {
		p.stranger = false
	}
	switch c := p.conn; {
	case c != nil && c.silentFor(now) > idleTime,
		c == nil && p.pending == nil && p.stranger && now.Sub(p.needs) > strangeTime,
		c == nil && p.pending == nil && !p.stranger && wanted >= idleTime:
		t.remove(p)
		return
	case c != nil && c.silentFor(now) > silentTime && wanted < wantTime:
		if used := *c.to.Load(); t.at[used] == p {
			p.addr = used // greetings go where our owner believes it to be
		}
		if p.state == peers.Connected && c.silentFor(now) > wantTime {
			p.enter(peers.Interrupted, now)
		}
		p.retryHello(now)
	case c == nil && wanted < wantTime && p.pending == nil:
		p.retryHello(now)
	case c != nil && p.state == peers.Interrupted:
		p.enter(peers.Connected, now)
	}
	p.advance(now)
}

// retryHello sends greetings again, often at first and then every half a second.
func (p *peer) retryHello(now time.Time) {
	every := 100 * time.Millisecond
	if p.greetings > 10 {
		every = 500 * time.Millisecond
	}
	if now.Sub(p.greeted) >= every {
		p.sendHello(flagAsk, now)
	}
}
