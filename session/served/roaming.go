package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// roaming follows clients to other addresses: a telephone changes from one network to another, and
// a router forgets a connection. The server challenges a client where it seems to be, and moves it
// when the answer has come from there. Until then nothing from there counts, nothing but challenges
// goes there, and no more bytes than have come.
type roaming struct{ *Host }

// receive takes a datagram from an address at which there is no client. It reports whether it is a
// client's.
func (r roaming) receive(at time.Duration, from netip.AddrPort, b []byte) bool {
	switch {
	case datagram.IsWatch(b):
		return r.challenge(at, from, b)
	case b[0] == datagram.KindAnswer:
		return r.move(from, b)
	}
	return false
}

// challenge challenges the client that has made a datagram.
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

// quiet is how long nothing has come from the address of a client that has left it. A machine that
// forwards what a client sends cannot take its place as long as the client is heard.
func quiet(period time.Duration) time.Duration {
	return min(max(2*period, 50*time.Millisecond), peer.ReportAfter)
}

// move takes an answer to a challenge.
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

// challenged answers a challenge of the server, which has seen us at another address than before.
// One that somebody else forwards does not come from the server, and gets no answer.
func (r *serverLink) challenged(b []byte) bool {
	d, ok, err := r.pipe.OpenPath(b)
	if !ok || err != nil || d.Kind != datagram.KindChallenge {
		return false
	}
	r.pipe.Answer(r.cfg.Server, d.Token, r.out)
	return true
}
