package spectate

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// guest is one spectator.
type guest struct {
	pipe  *peer.Pipe
	nonce uint64
	pace  pace

	asked   bool
	request request
	begun   bool   // it knows which match is played
	state   *state // that it is sent, or nil
	sent    int    // bytes of it
	placed  bool   // it gets frames,
	next    uint32 // this one next
	ended   bool   // it knows how the match has ended
	bye     bool   // it was told that there is nothing more,
	why     string // because
	gone    string // and why it is no longer there

	seat  Seated   // of a newcomer
	inbox [][]byte // what it has said

	revoked   bool // the token with which it came is no longer good,
	revokedAt time.Duration
}

// forget begins anew with another match.
func (g *guest) forget() {
	g.begun, g.placed, g.ended, g.state, g.next = false, false, false, nil, 0
	g.request = request{}
}

// Receive takes a datagram that is from no peer, and reports whether it is for the
// audience.
func (a *Audience) Receive(at time.Duration, from netip.AddrPort, b []byte) bool {
	a.now = max(a.now, at)
	if len(b) == 0 || !a.cfg.Welcomes() && !a.Invites() && len(a.invitation.revoked) == 0 {
		return false
	}
	switch {
	case b[0] == datagram.KindWatch:
		return a.welcome(from, b)
	case b[0] == datagram.KindAttach:
		return a.attach(from, b)
	}
	g := a.guestAt(from)
	if g == nil || !datagram.IsSession(b) {
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

func (a *Audience) guestAt(addr netip.AddrPort) *guest {
	for _, g := range a.guests {
		if g.pipe.Addr == addr {
			return g
		}
	}
	return nil
}

// welcome answers a Hello, and keeps nothing: our nonce is a cookie ([cookies]) of its
// nonce and address.
func (a *Audience) welcome(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || a.closing || a.full() || !a.answers(from) {
		return err == nil
	}
	w := datagram.Welcome{
		Version: datagram.Version, Nonce: a.cookies.nonce(from, hello.Nonce, a.interval()), Attempt: hello.Attempt, Items: a.source.Items(),
	}
	a.out.Seal(datagram.Key(hello.Nonce).Seal(w.Append(a.out.Bytes), a.out.Start(), 0), from)
	return true
}

// answers reports whether a stranger may be answered now. A flood is turned away before
// anything is computed for it.
func (a *Audience) answers(from netip.AddrPort) bool {
	return a.limiter.open(a.now) && a.limiter.allow(a.cookies.place(from.Addr()), a.now)
}

// interval is the number of the present one. A Welcome is good in the one that it was
// sent in and in the next, so that an Attach that somebody has seen soon is worthless.
func (a *Audience) interval() uint64 { return uint64(a.now / welcomeLife) }

// welcomeLife is how long an interval is.
const welcomeLife = 10 * time.Second

// proves reports whether an Attach is that of somebody who has got our Welcome, and
// returns the nonce in it.
func (a *Audience) proves(from netip.AddrPort, nonce uint64, b []byte) (ours uint64, ok bool) {
	for _, interval := range [...]uint64{a.interval(), a.interval() - 1} {
		ours = a.cookies.nonce(from, nonce, interval)
		if _, ok = datagram.KeyOf(nonce, ours).Open(b, 0); ok {
			return ours, true
		}
	}
	return 0, false
}

// attach takes a spectator who has proved that it is where it says.
func (a *Audience) attach(from netip.AddrPort, b []byte) bool {
	hello, err := datagram.ConsumeAttach(b)
	if err != nil {
		return false
	}
	ours, ok := a.proves(from, hello.Nonce, b)
	if !ok {
		return false
	}
	if g := a.guestAt(from); g != nil {
		if g.nonce == hello.Nonce || a.now-g.pipe.Heard < replaceAfter {
			return true // the same again, or an old one that comes late
		}
		g.gone = "another one has come from its address"
		a.leave()
	}
	why, spent := a.spent.of(hello.Nonce)
	switch {
	case !spent:
		why = a.refuses(from, &hello, ours)
	case why == "":
		return true // it was here, and has gone
	}
	if why != "" {
		a.stats.Refused++
		if a.full() || !a.answers(from) {
			return true
		}
	}
	p, err := peer.NewPipe(from, ours, hello.Nonce, a.period, a.now)
	switch {
	case err != nil:
		return false
	case why != "":
		a.refuse(p, hello.Nonce, why)
		return true
	}
	g := &guest{pipe: p, nonce: hello.Nonce}
	if hello.Players != 0 {
		g.seat = Seated{hello.Players, hello.ID, from}
	}
	g.pace.init()
	a.guests = append(a.guests, g)
	a.tell(News{Addr: from, Joined: true, Seat: g.seat})
	if !a.full() {
		a.send(g)
	}
	return true
}

// replaceAfter is how long a spectator must have been silent before another one from
// its address takes its place.
const replaceAfter = time.Second

// refuses returns why a machine, whose address is proved, is not let in.
func (a *Audience) refuses(from netip.AddrPort, h *datagram.Attach, ours uint64) string {
	if h.Players != 0 {
		return a.refusesSeat(from, h, ours)
	}
	watching, same := 0, 0
	for _, g := range a.guests {
		if g.seated() {
			continue
		}
		if watching++; g.pipe.Addr.Addr() == from.Addr() {
			same++
		}
	}
	switch {
	case a.closing:
		return a.reason
	case watching >= a.cfg.Max && (same >= a.cfg.MaxPerAddress || !a.makeRoom(from.Addr())):
		return "there is no room for another spectator"
	case same >= a.cfg.MaxPerAddress:
		return "there is no room for another spectator from this address"
	}
	return ""
}

// refuse says why, and keeps nothing but that.
func (a *Audience) refuse(p *peer.Pipe, nonce uint64, why string) {
	a.spent.add(nonce, why)
	kind := byte(messageBye)
	if why == whyRevoked {
		kind = messageRevoked
	}
	if p.Channel.Send(append([]byte{kind}, why...)) == nil {
		a.out.Seal(p.Append(a.out.Bytes, a.now), p.Addr)
	}
}

// messages takes what a guest says.
func (a *Audience) messages(g *guest) {
	for len(g.inbox) < maxSeatQueue {
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
		case b[0] == messageSeat && g.hears(b[1:]):
		default:
			g.gone = "it does not follow the protocol"
		}
	}
}
