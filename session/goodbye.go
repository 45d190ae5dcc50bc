package session

import (
	"errors"
	"time"
)

// answering is how long a session that has failed still looks for peers that it is
// not connected to, and answers them, so that they learn it too.
const answering = 500 * time.Millisecond

// Done reports whether the session is over, and nothing is left to be sent: until
// then, after an error, call Poll, so that the others are told why. It takes a
// round trip, and Config.Linger at most.
func (m *Machine) Done() bool {
	if m.phase != Over || m.now >= m.farewell {
		return m.phase == Over
	}
	if m.unfinished() {
		return false
	}
	for _, l := range m.links {
		switch l.state {
		case connected:
			if l.Channel.Pending() != 0 {
				return false
			}
		case gone:
			if _, ok := m.parts(l); ok {
				return false
			}
		case connecting:
			var nobody *TimeoutError
			if !errors.As(m.err, &nobody) && m.now < m.farewell-m.cfg.Linger+answering {
				return false
			}
		}
	}
	return true
}

// sayGoodbye tells a peer why the session is over.
func (m *Machine) sayGoodbye(l *link) {
	var refused *RefusedError
	if errors.As(m.err, &refused) && l.players&refused.Players == 0 {
		m.sendRefusal(l, refused.Players, refused.Reason)
	}
	m.sendLeave(l, reasonOf(m.err))
	m.sendTo(l)
}

// goodbye sends again what those who are still there have not acknowledged.
func (m *Machine) goodbye() {
	if m.Done() {
		return
	}
	m.partAll()
	for _, l := range m.links {
		switch {
		case l.state == connected && l.Channel.Pending() != 0 && m.now >= l.Sent+m.nominal:
			m.sendTo(l)
		case l.state == connecting && m.now >= l.HelloDue():
			m.sendHello(l)
		}
	}
}

// receiveGoodbye takes from a datagram, after the end, what it acknowledges.
func (m *Machine) receiveGoodbye(l *link, at time.Duration, b []byte) {
	if l == nil || l.state == connecting {
		return
	}
	body, _, ok := l.Open(b)
	if !ok {
		return
	}
	h := &m.received
	rest, err := h.Consume(body, l.receive, m.history[l.list[0]].Next())
	if err != nil || !h.HasControl || h.HasOrders {
		return // orders are gone by the time that it matters
	}
	_, _ = l.Channel.Consume(rest, at)
}
