package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Receive takes a datagram that arrived at this time from this address. Anything
// may have: what does not come from a peer changes nothing but a count.
func (m *Machine) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	m.clock(at)
	at = m.internal(at)
	if from.Addr().Is4In6() {
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	}
	l := m.linkTo(from)
	if l == nil && m.receiveSpectator(at, from, b) {
		return
	}
	switch {
	case len(b) == 0 || len(b) > datagram.MaxSize:
		m.reject(l)
	case b[0] == datagram.KindHello:
		m.receiveHello(l, from, b)
	case b[0] == datagram.KindWelcome:
		m.receiveWelcome(l, at, b)
	case m.phase == Over:
		m.receiveGoodbye(l, at, b)
	case datagram.IsSession(b):
		if l == nil || l.state == connecting {
			m.receiveElsewhere(at, from, b)
			return
		}
		body, sequence, ok := l.open(b)
		if !ok {
			m.receiveElsewhere(at, from, b)
			return
		}
		if !l.window.Take(sequence) {
			l.stats.Duplicates++
			return
		}
		m.receiveSession(l, at, sequence, body)
	default:
		m.receivePath(l, from, b)
	}
}

// linkTo returns the peer at an address, or nil.
func (m *Machine) linkTo(addr netip.AddrPort) *link {
	for _, l := range m.links {
		if l.addr == addr {
			return l
		}
	}
	return nil
}

// reject counts a datagram that is no good.
func (m *Machine) reject(l *link) {
	if l == nil {
		m.counts.strangers++
		return
	}
	l.stats.Rejected++
	m.counts.rejected++
}
