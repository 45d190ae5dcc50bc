package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Receive takes a datagram that arrived at this time from this address. Anything
// may have: what does not come from a peer changes nothing but a count.
func (m *Machine) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	m.begin(at)
	at = m.clock.arrive(at)
	if from.Addr().Is4In6() {
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	}
	l := m.linkTo(from)
	if len(b) == 0 || len(b) > datagram.MaxSize {
		m.reject(l)
		return
	}
	if m.aside(l, b) && m.receiveAside(at, from, b) {
		return
	}
	switch {
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
		body, sequence, ok := l.Open(b)
		if !ok {
			m.receiveElsewhere(at, from, b)
			return
		}
		if !l.Take(sequence) {
			return
		}
		m.receiveSession(l, at, sequence, body)
	default:
		m.receivePath(l, from, b)
	}
}

// receiveAside takes a datagram that is no peer's, or not from a peer as such: a
// newcomer is a spectator at first.
func (m *Machine) receiveAside(at time.Duration, from netip.AddrPort, b []byte) bool {
	if j := m.joining; j != nil && j.viewer != nil && from == j.viewer.Host() {
		j.viewer.Receive(at, from, b)
		return true
	}
	return m.receiveSpectator(at, from, b)
}

// aside reports whether a datagram may be a spectator's, or for one of ours: from nobody
// we know, or from a peer's address, but not as the peer. There a process can have
// ended, and another one begun that wants to come back.
func (m *Machine) aside(l *link, b []byte) bool {
	switch {
	case l == nil:
		return true
	case l.state == gone || m.twofold():
		return !m.opens(l, b)
	}
	return b[0] == datagram.KindWatch || b[0] == datagram.KindAttach
}

// twofold reports whether somebody may be both a peer and a spectator of ours, or we
// of another one.
func (m *Machine) twofold() bool {
	return m.joining != nil || m.audience != nil && m.audience.Stats().Seats > 0
}

// opens reports whether a datagram is from a peer as such, as far as its tag says.
func (m *Machine) opens(l *link, b []byte) (ok bool) {
	switch {
	case b[0] == datagram.KindWatch || b[0] == datagram.KindAttach:
		return false
	case b[0] == datagram.KindWelcome:
		_, ok = datagram.Key(l.Nonce).Open(b, 0)
		return ok
	case !datagram.IsSession(b):
		return true
	case l.state == connecting:
		return false
	}
	_, _, ok = l.Open(b)
	return ok
}

// linkTo returns the peer at an address, or nil: rather one who is there than one who
// was.
func (m *Machine) linkTo(addr netip.AddrPort) (found *link) {
	for _, l := range m.links {
		if l.Addr == addr {
			if found = l; l.state != gone {
				return l
			}
		}
	}
	for _, c := range m.candidates {
		if c.Addr == addr {
			return c.link
		}
	}
	return found
}

// reject counts a datagram that is no good.
func (m *Machine) reject(l *link) {
	if l == nil {
		m.counts.strangers++
		return
	}
	l.Counts.Rejected++
	m.counts.rejected++
}
