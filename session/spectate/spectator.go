package spectate

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Receive handles a datagram that does not come from a peer, and reports whether it was for the spectators.
func (a *Host) Receive(at time.Duration, from netip.AddrPort, b []byte) bool {
	a.now = max(a.now, at)
	if len(b) == 0 || !a.cfg.Enabled() && !a.invitation.Ever() {
		return false
	}
	switch {
	case b[0] == datagram.KindWatch:
		return a.welcome(from, b)
	case b[0] == datagram.KindAttach:
		return a.attach(from, b)
	}
	g := a.crowd.at(from)
	if g == nil || !datagram.IsWatch(b) {
		return false
	}
	ok, err := g.pipe.Receive(at, b)
	if err != nil {
		g.gone = "it does not follow the protocol: " + err.Error()
	}
	if !ok || g.gone != "" {
		return ok
	}
	a.messages(g)
	if g.bulk(&a.broadcast) {
		g.pace.adjust(g.pipe, at)
	}
	a.serve(g)
	a.pump()
	return true
}

// welcome answers a Hello. It stores nothing about the sender.
func (a *Host) welcome(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || a.broadcast.closed || a.outlet.full() {
		return err == nil
	}
	if w := a.door.Welcome(a.outlet.out.Bytes, a.now, from, &hello, a.match.Items()); len(w) > a.outlet.out.Start() {
		a.outlet.out.Seal(w, from)
	}
	return true
}

// attach admits a spectator that has proved its address.
func (a *Host) attach(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeAttach(b, datagram.SetsOf(a.broadcast.shape.Players))
	if err != nil {
		return false
	}
	ours, ok := a.door.Proved(a.now, from, hello.Nonce, b)
	if !ok {
		return false
	}
	if g := a.crowd.at(from); g != nil {
		if g.nonce == hello.Nonce || a.now-g.pipe.Heard < replaceAfter {
			return true // a repeated Attach, or a delayed old one
		}
		g.gone = "another spectator has come from its address"
		a.leave()
	}
	why, spent := a.door.Spent(hello.Nonce)
	switch {
	case !spent:
		why = a.refuses(from, &hello, ours)
	case why == "":
		return true // it was a spectator before, and is gone
	}
	if why != "" {
		a.refused++
		if a.outlet.full() || !a.door.Answers(from, a.now) {
			return true
		}
	}
	p := peer.NewPipe(from, ours, hello.Nonce, a.period, a.now)
	if why != "" {
		a.refuse(p, hello.Nonce, why)
		return true
	}
	g := &spectator{pipe: p, nonce: hello.Nonce, feed: feed{newcomer: hello.Players != 0}}
	if g.feed.newcomer {
		g.newcomer = Newcomer{hello.Players, hello.ID, from}
	}
	g.pace.init()
	a.crowd.add(g)
	if !a.outlet.full() {
		a.outlet.send(p, a.now)
	}
	return true
}

// replaceAfter is how long a spectator must have been silent before another one at its address may replace it.
const replaceAfter = time.Second

// refuses returns why a machine that has proved its address is not admitted, or "".
func (a *Host) refuses(from netip.AddrPort, h *datagram.Attach, ours uint64) string {
	switch {
	case a.broadcast.closed:
		return a.broadcast.reason
	case h.Players != 0:
		return a.refusesNewcomer(from, h, ours)
	}
	if why := a.checkToken(h, ours).Refuses(); why != "" {
		return why
	}
	other, why := a.crowd.room(from.Addr(), a.cfg.Max, a.cfg.MaxPerAddress, a.now)
	if other != nil {
		a.dismiss(other, messageBye, "its place is needed for a spectator from elsewhere")
	}
	return why
}

// refuse tells a machine why it is not admitted, and remembers only that.
func (a *Host) refuse(p *peer.Pipe, nonce uint64, why string) {
	a.door.Spend(nonce, why)
	kind := byte(messageBye)
	switch why {
	case admission.WhyRevoked:
		kind = messageRevoked
	case admission.WhyUninvited:
		kind = messageUninvited
	}
	if p.Channel.Send(append([]byte{kind}, why...)) == nil {
		a.outlet.out.Seal(p.Append(a.outlet.out.Bytes, a.now), p.Addr)
	}
}

// messages handles a spectator's messages.
func (a *Host) messages(g *spectator) {
	for {
		b, ok := g.pipe.Channel.Next()
		if !ok {
			return
		}
		switch {
		case b[0] == messageBye:
			g.gone = "it has left"
		case b[0] == messageRequest && !g.feed.asked:
			if err := g.feed.ask(b[1:]); err != nil {
				g.gone = "its request: " + err.Error()
			}
		default:
			g.gone = "it does not follow the protocol"
		}
	}
}
