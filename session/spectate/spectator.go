package spectate

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// spectator is one spectator or newcomer.
type spectator struct {
	pipe  *peer.Pipe
	nonce uint64
	pace  pace

	asked   bool
	request request
	begun   bool       // it has been sent the match
	state   *heldState // the state being sent to it, or nil
	sent    int        // bytes of the state that have been sent
	placed  bool       // it is being sent frames
	next    uint32     // the next frame to send
	ended   bool       // it has been sent the end of the match
	bye     bool       // it has been dismissed
	why     string     // the reason sent to it
	gone    string     // why it is gone, or ""

	newcomer Newcomer // set for a newcomer

	revoked   bool // the token that it came with was revoked
	revokedAt time.Duration
}

// forget resets what a spectator has received of a match, for the next one.
func (g *spectator) forget() {
	g.begun, g.placed, g.ended, g.state, g.next = false, false, false, nil, 0
	g.request = request{}
}

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
	g := a.spectatorAt(from)
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
	if a.bulk(g) {
		g.pace.adjust(g.pipe, at)
	}
	a.serve(g)
	a.pump()
	return true
}

func (a *Host) spectatorAt(addr netip.AddrPort) *spectator {
	for _, g := range a.spectators {
		if g.pipe.Addr == addr {
			return g
		}
	}
	return nil
}

// welcome answers a Hello. It stores nothing about the sender.
func (a *Host) welcome(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || a.closing || a.full() {
		return err == nil
	}
	if w := a.door.Welcome(a.out.Bytes, a.now, from, &hello, a.match.Items()); len(w) > a.out.Start() {
		a.out.Seal(w, from)
	}
	return true
}

// attach admits a spectator that has proved its address.
func (a *Host) attach(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeAttach(b, datagram.SetsOf(a.shape.Players))
	if err != nil {
		return false
	}
	ours, ok := a.door.Proved(a.now, from, hello.Nonce, b)
	if !ok {
		return false
	}
	if g := a.spectatorAt(from); g != nil {
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
		a.stats.Refused++
		if a.full() || !a.door.Answers(from, a.now) {
			return true
		}
	}
	p := peer.NewPipe(from, ours, hello.Nonce, a.period, a.now)
	if why != "" {
		a.refuse(p, hello.Nonce, why)
		return true
	}
	g := &spectator{pipe: p, nonce: hello.Nonce}
	if hello.Players != 0 {
		g.newcomer = Newcomer{hello.Players, hello.ID, from}
	}
	g.pace.init()
	a.spectators = append(a.spectators, g)
	a.tell(News{Addr: from, Joined: true, Newcomer: g.newcomer})
	if !a.full() {
		a.send(g)
	}
	return true
}

// replaceAfter is how long a spectator must have been silent before another one at its address may replace it.
const replaceAfter = time.Second

// refuses returns why a machine that has proved its address is not admitted, or "".
func (a *Host) refuses(from netip.AddrPort, h *datagram.Attach, ours uint64) string {
	if h.Players != 0 {
		return a.refusesNewcomer(from, h, ours)
	}
	if a.closing {
		return a.reason
	}
	if why := checkToken(a, h, ours).Refuses(); why != "" {
		return why
	}
	watching, same := 0, 0
	for _, g := range a.spectators {
		if g.isNewcomer() {
			continue
		}
		if watching++; g.pipe.Addr.Addr() == from.Addr() {
			same++
		}
	}
	switch {
	case watching >= a.cfg.Max && (same >= a.cfg.MaxPerAddress || !a.makeRoom(from.Addr())):
		return "there is no room for another spectator"
	case same >= a.cfg.MaxPerAddress:
		return "there is no room for another spectator from this address"
	}
	return ""
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
		a.out.Seal(p.Append(a.out.Bytes, a.now), p.Addr)
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
		case b[0] == messageRequest && !g.asked:
			if err := g.request.consume(b[1:]); err != nil {
				g.gone = "its request: " + err.Error()
			}
			g.asked = true
		default:
			g.gone = "it does not follow the protocol"
		}
	}
}
