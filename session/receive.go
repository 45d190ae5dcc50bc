package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Receive takes a datagram that arrived at this time from this address, whatever it is. One that
// does not come from a peer changes nothing but a count.
func (m *Machine) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	m.begin(at)
	at = m.clock.Arrive(at)
	m.now = m.clock.Now()
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
	case datagram.IsWatch(b):
		m.reject(nil) // from a spectator that has gone
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

// receiveAside takes a datagram that is not one between peers, and reports whether it was of use.
func (m *Machine) receiveAside(at time.Duration, from netip.AddrPort, b []byte) bool {
	if j := m.joining; j != nil && j.viewer != nil && from == j.viewer.Host() {
		j.viewer.Receive(at, from, b)
		return true
	}
	return m.audience != nil && !m.silent() && m.audience.Receive(at, from, b)
}

// aside reports whether a datagram is not one between peers: it is from an unknown address, or
// belongs to the connection of a spectator, as a newcomer is at first. At a peer's address another
// process may have started that wants to come back.
func (m *Machine) aside(l *link, b []byte) bool {
	switch {
	case l == nil || datagram.IsWatch(b):
		return true
	case b[0] == datagram.KindWelcome:
		_, ours := datagram.Key(l.Nonce).Open(b, 0)
		return !ours
	}
	return b[0] == datagram.KindWatch || b[0] == datagram.KindAttach
}

// reject counts a datagram that is not valid.
func (m *Machine) reject(l *link) {
	if l == nil {
		m.counts.strangers++
		return
	}
	l.Counts.Rejected++
	m.counts.rejected++
}
