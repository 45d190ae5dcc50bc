package dtls

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback"
)

// greeter sends greetings, and checks what messages prove. It stores nothing about other machines.
type greeter struct {
	under   tickback.Transport
	self    instance
	cookies *cookieMaker
	foreign bucket // limits answers to machines with another key
}

func newGreeter(under tickback.Transport, now time.Time) greeter {
	return greeter{
		under: under, self: newInstance(), cookies: newCookieMaker(now),
		foreign: bucket{size: foreignPerSecond, rate: foreignPerSecond, at: now},
	}
}

// proves reports whether a message is for this transport, and has a cookie that we gave to its source.
func (g *greeter) proves(h *header, from netip.AddrPort, now time.Time) bool {
	return h.to == g.self && g.cookies.takes(h.echo, from, now)
}

// send sends a greeting, with a cookie for its receiver. If it gets lost, it is sent again or asked for again.
func (g *greeter) send(h header, key *pair, to netip.AddrPort, now time.Time) {
	h.from = g.self
	m := hello{h, g.cookies.give(to, now)}
	_ = g.under.Send(to, m.append(make([]byte, 0, helloSize), key))
}

// answer answers the greeting of a machine about which nothing is stored.
func (g *greeter) answer(flags byte, h *hello, key *pair, to netip.AddrPort, now time.Time) {
	g.send(header{flags: flags, to: h.from, echo: h.give}, key, to, now)
}

// hint answers a machine with another key, which is expected to have this one, with at most as many bytes as it sent,
// and at a limited rate.
func (g *greeter) hint(h header, n int, key *pair, to netip.AddrPort, now time.Time) {
	if key != nil && n >= helloSize && g.foreign.take(now) {
		h.flags = flagForeign // an attacker cannot use such an answer against machines that have our key
		g.send(h, key, to, now)
	}
}
