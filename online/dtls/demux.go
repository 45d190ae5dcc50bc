package dtls

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

// receive receives datagrams and handles each according to its kind, until the transport is closed.
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

// arrived handles a datagram, which may have any content and come from anybody.
func (t *Transport) arrived(b []byte, from netip.AddrPort, at time.Time) {
	if id, ok := recordID(b); ok {
		t.mu.RLock()
		c := t.conns.byID[id]
		t.mu.RUnlock()
		t.deliver(c, b, from, at)
		return
	}
	h, rest, ok := parseHeader(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch key := t.keys.keys[h.key]; {
	case t.closed:
	case !ok:
		t.unencrypted(b, from)
	case key == nil:
		t.foreigner(h, rest, len(b), from)
	case !key.opens(b) || h.from == t.greeter.self:
		t.counts.forged.Add(1)
	default:
		now := time.Now()
		if g, ok := parseHello(h, rest); ok {
			t.greeted(&g, key, from, now)
		} else if e, ok := parseEnvelope(h, rest); ok {
			t.attempted(&e, key, from, at, now)
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

// unencrypted handles a datagram in another format. It may come from a peer that does not encrypt: then it reports this
// to both sides.
func (t *Transport) unencrypted(b []byte, from netip.AddrPort) {
	t.counts.strangers.Add(1)
	p := t.roster.at[from]
	if !plain(b) || p != nil && p.handshake.conn.Load() != nil {
		return
	}
	if p != nil {
		p.obstacle.suspect(ErrPlain)
	}
	t.greeter.hint(header{}, len(b), t.keys.at(from), from, time.Now())
}

// foreigner handles a greeting from a machine with another key, or none. The machine gets an answer that says so, and
// can report it. The answer contains the machine's own cookie, which only hosts on the path have seen; that makes the
// answer credible.
func (t *Transport) foreigner(h header, rest []byte, n int, from netip.AddrPort) {
	t.counts.strangers.Add(1)
	g, ok := parseHello(h, rest)
	if !ok {
		return
	}
	now := time.Now()
	if p := t.roster.at[from]; p != nil && p.handshake.conn.Load() == nil {
		p.obstacle.suspect(ErrOtherToken)
		if t.greeter.proves(&g.header, from, now) && p.obstacle.refuse(now) {
			t.log.Info("dtls: a peer has another token", "peer", from)
		}
	}
	if g.flags&flagAsk != 0 {
		t.greeter.hint(header{to: g.from, echo: g.give}, n, t.keys.at(from), from, now)
	}
}

// greeted handles a hello from a machine with our key. Nothing about it is stored unless it carries a cookie that we
// gave to its address.
func (t *Transport) greeted(g *hello, key *pair, from netip.AddrPort, now time.Time) {
	if g.flags&flagForeign != 0 {
		t.counts.forged.Add(1)
		return
	}
	p, proved := t.roster.at[from], t.greeter.proves(&g.header, from, now)
	ask, want := g.flags&flagAsk != 0, g.flags&flagWant != 0
	switch {
	case p != nil && p.pair != key:
		p.obstacle.suspect(ErrOtherToken)
		return
	case !t.keys.admits(key, from):
		t.counts.forged.Add(1)
		return
	case !proved:
		if ask {
			t.greeter.answer(0, g, key, from, now)
		}
		return
	case p == nil && !want:
		if ask { // the peer does not know that we have lost the connection
			t.greeter.answer(flagWant, g, key, from, now)
		}
		return
	case p == nil:
		if p = t.insert(from, key, true, now); p == nil {
			return
		}
	}
	t.proved(p, g.from, from)
	p.handshake.told(g, now)
	if ask || p.handshake.due(now) && p.handshake.pending == nil && !t.greeter.self.before(p.handshake.theirs) {
		t.greet(p, 0, now) // gives the peer our answer to its cookie, so that it begins
	}
	t.advance(p, now)
}

// proved handles the proof that an instance is at the address of a peer.
func (t *Transport) proved(p *peer, theirs instance, from netip.AddrPort) {
	p.obstacle = obstacle{}
	t.conns.hangUp(p.handshake.proved(theirs, from), true)
}

// advance begins a handshake, if it is our turn to begin one now.
func (t *Transport) advance(p *peer, now time.Time) {
	if p.handshake.turn(t.greeter.self, now) {
		t.dial(p, flagClient, 0, now)
	}
}

// attempted handles records of a handshake.
func (t *Transport) attempted(e *envelope, key *pair, from netip.AddrPort, at, now time.Time) {
	p := t.roster.at[from]
	if p != nil && e.to == t.greeter.self && p.pair == key {
		if c := p.handshake.belongs(e, from); c != nil {
			t.deliver(c, e.records, from, at)
			return
		}
	}
	switch {
	case e.flags&flagClient == 0 || !e.from.before(t.greeter.self) || !t.greeter.proves(&e.header, from, now),
		!t.keys.admits(key, from), p != nil && (p.pair != key || p.handshake.outdated(e)):
		t.counts.forged.Add(1)
		return
	case p == nil:
		if p = t.insert(from, key, true, now); p == nil {
			return
		}
	}
	t.proved(p, e.from, from)
	if !now.Before(p.handshake.retry) && t.dial(p, 0, e.attempt, now) { // otherwise the client will send them again
		t.deliver(p.handshake.pending, e.records, from, at)
	}
}

// keep checks the peers at regular intervals, until the transport is closed.
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
			for _, p := range slices.Clone(t.roster.list) {
				t.look(p, now)
			}
			t.mu.Unlock()
		}
	}
}

// look does the work that is due for a peer.
func (t *Transport) look(p *peer, now time.Time) {
	h, status := &p.handshake, &p.status
	wanted := h.wanted.ago(now)
	if wanted < wantTime {
		p.stranger = false
	}
	c := h.conn.Load()
	silent := c != nil && c.heard.ago(now) > silentTime
	switch {
	case c != nil && c.heard.ago(now) > idleTime,
		c == nil && h.pending == nil && p.stranger && now.Sub(h.needs) > strangeTime,
		c == nil && h.pending == nil && !p.stranger && wanted >= idleTime:
		t.remove(p)
		return
	case silent && wanted < wantTime:
		if used := *c.to.Load(); t.roster.at[used] == p {
			h.use(used) // the address that our owner uses
		}
		if status.state == peers.Connected && c.heard.ago(now) > wantTime {
			status.enter(peers.Interrupted, h.addr, now)
		}
	case c != nil && status.state == peers.Interrupted:
		status.enter(peers.Connected, h.addr, now)
	}
	if wanted < wantTime && (silent || c == nil && h.pending == nil) && h.asks(now) {
		t.greet(p, flagAsk, now)
	}
	t.advance(p, now)
}
