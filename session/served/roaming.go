package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// roaming follows clients to other addresses: a phone changes from one network to another, or a router forgets a
// connection. The server challenges a client at its apparent address, and moves it when the answer comes from
// there. Until then nothing from there counts, nothing but challenges is sent there, and no more bytes than have
// come from there.
type roaming struct{ *Host }

// receive handles a datagram from an address that belongs to no client. It reports whether the datagram is from a
// client.
func (r roaming) receive(at time.Duration, from netip.AddrPort, b []byte) bool {
	switch {
	case datagram.IsWatch(b):
		return r.challenge(at, from, b)
	case b[0] == datagram.KindAnswer:
		return r.move(from, b)
	}
	return false
}

// challenge challenges the client that made a datagram.
func (r roaming) challenge(at time.Duration, from netip.AddrPort, b []byte) bool {
	for _, c := range r.clients.list {
		if !c.plays {
			continue
		}
		_, sequence, ok := c.pipe.Open(b)
		switch {
		case !ok:
			continue
		case c.pipe.Window.Has(sequence):
			c.faults.Repeated++
		case c.pipe.Addr.Addr() != from.Addr() && r.clients.crowded(&r.cfg, from) != "",
			c.silentFor(r.now) < quiet(r.cfg.nominal()):
			c.faults.Elsewhere++
		default:
			c.pipe.Challenge(at, from, len(b), r.cfg.Random, &r.out)
		}
		return true
	}
	return false
}

// quiet returns how long nothing must have arrived from a client's old address before the client is moved. A
// machine that forwards a client's datagrams cannot replace it as long as the client itself is heard.
func quiet(period time.Duration) time.Duration {
	return min(max(2*period, 50*time.Millisecond), peer.ReportAfter)
}

// move handles an answer to a challenge.
func (r roaming) move(from netip.AddrPort, b []byte) bool {
	for _, c := range r.clients.list {
		if !c.plays || c.pipe.Path.Addr != from {
			continue
		}
		d, ok, err := c.pipe.OpenPath(b)
		if !ok || err != nil || d.Kind != datagram.KindAnswer || !c.pipe.Proves(from, d.Token) {
			continue
		}
		r.counts.moved++
		r.events.Add(Event{What: event.Moved, Players: rollback.SetOf(c.player), Text: from.String()})
		return true
	}
	return false
}

// challenged answers a challenge from the server, which has received from us at a new address. A challenge that
// another machine has forwarded does not come from the server and gets no answer.
func (r *serverLink) challenged(b []byte) bool {
	d, ok, err := r.pipe.OpenPath(b)
	if !ok || err != nil || d.Kind != datagram.KindChallenge {
		return false
	}
	r.pipe.Answer(r.cfg.Server, d.Token, r.out)
	return true
}
