package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Path is a possible new address of a peer. It is proven when a random token that was sent there comes back.
type Path struct {
	Addr   netip.AddrPort
	Token  uint64
	at     time.Duration // the time of the last challenge
	credit int           // bytes received from there minus those sent there
}

// Reported is the address of a peer according to another peer.
type Reported struct {
	Addr netip.AddrPort
	At   time.Duration // when it was reported
}

const (
	// challengeInterval is the minimum time between two challenges for one peer.
	challengeInterval = 50 * time.Millisecond
	// ReportAfter is how long a peer must have been silent before a report of its address by another peer is used.
	ReportAfter = 300 * time.Millisecond
	// vouchEvery is the interval of challenges at a reported address.
	vouchEvery = 100 * time.Millisecond
)

// Challenge requests a proof at an address from which a datagram of this size has come. It never sends more bytes
// there than have come from there, since even a peer may lie about its address.
func (l *Link) Challenge(at time.Duration, addr netip.AddrPort, size int, random func() uint64, out *Outbox) {
	l.Path.challenge(l.Conn, at, addr, size, random, out)
}

// Challenge does the same as [Link.Challenge].
func (p *Pipe) Challenge(at time.Duration, addr netip.AddrPort, size int, random func() uint64, out *Outbox) {
	p.Path.challenge(p.Conn, at, addr, size, random, out)
}

func (p *Path) challenge(c *Conn, at time.Duration, addr netip.AddrPort, size int, random func() uint64, out *Outbox) {
	if p.Addr != addr {
		*p = Path{Addr: addr, Token: random(), at: p.at}
	}
	p.credit = min(p.credit+size, datagram.MaxSize)
	if p.credit < datagram.PathSize || at < p.at+challengeInterval || out.Full() {
		return
	}
	p.credit -= datagram.PathSize
	p.ask(c, at, out)
}

// ask sends a challenge.
func (p *Path) ask(c *Conn, at time.Duration, out *Outbox) {
	p.at = at
	c.send(p.Addr, datagram.Challenge{Kind: datagram.KindChallenge, Token: p.Token}, out)
}

// Answer sends the answer to a challenge from the other end to an address.
func (c *Conn) Answer(addr netip.AddrPort, token uint64, out *Outbox) {
	if !out.Full() {
		c.send(addr, datagram.Challenge{Kind: datagram.KindAnswer, Token: token}, out)
	}
}

func (c *Conn) send(to netip.AddrPort, d datagram.Challenge, out *Outbox) {
	out.Seal(c.Out.Seal(d.Append(out.Bytes), out.Start(), 0), to)
}

// OpenPath decodes a challenge from the other end, or its answer to one.
func (c *Conn) OpenPath(b []byte) (d datagram.Challenge, ok bool, err error) {
	body, ok := c.In.Open(b, 0)
	if !ok {
		return d, false, nil
	}
	d, err = datagram.ConsumeChallenge(body)
	return d, true, err
}

// Proves reports whether an answer proves that the other end is at an address. If so, the pipe moves there.
func (p *Pipe) Proves(addr netip.AddrPort, token uint64) bool {
	if p.Path.Addr != addr || p.Path.Token != token {
		return false
	}
	p.Addr, p.Path = addr, Path{}
	return true
}

// Proves reports whether an answer proves that the peer is at an address. If so, the link moves there.
func (l *Link) Proves(addr netip.AddrPort, token uint64) bool {
	if l.Path.Addr != addr || l.Path.Token != token {
		return false
	}
	l.Addr, l.Path, l.ReportedAddr = addr, Path{}, Reported{}
	return true
}

// LostTouch reports whether the peer is silent and another one has reported its address recently enough.
func (l *Link) LostTouch(now, valid time.Duration) bool {
	v := &l.ReportedAddr
	return v.Addr.IsValid() && now-l.Heard > ReportAfter && now-v.At < valid
}

// LookElsewhere challenges the peer at the address that another one has reported.
func (l *Link) LookElsewhere(now time.Duration, random func() uint64, out *Outbox) {
	if now < l.Path.at+vouchEvery || out.Full() {
		return
	}
	if l.Path.Addr != l.ReportedAddr.Addr {
		l.Path = Path{Addr: l.ReportedAddr.Addr, Token: random()}
	}
	l.Path.ask(l.Conn, now, out)
}

// Unmapped replaces an IPv4 address that is mapped to IPv6 by the IPv4 address, and returns other addresses
// unchanged: some sockets return the one form, and some the other, for the same peer.
func Unmapped(a netip.AddrPort) netip.AddrPort {
	if a.Addr().Is4In6() {
		return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	}
	return a
}
