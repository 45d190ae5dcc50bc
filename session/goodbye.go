package session

import (
	"errors"
	"time"
)

// answering is how long a session that has failed still looks for peers that it is not
// connected to, and answers them, so that they learn of it.
const answering = 500 * time.Millisecond

// Done reports whether the session is over, and nothing is left to be sent. Until then, after an
// error, call Poll, so that the peers are told why. It takes a round trip, and Config.Linger at
// most.
func (m *Machine) Done() bool { return m.allTold() }

// allTold is [Machine.Done].
func (m *closing) allTold() bool {
	if m.phase != Over || m.now >= m.farewell {
		return m.phase == Over
	}
	if m.audience != nil && !m.audience.Done() {
		return false // spectators have not got everything
	}
	for _, l := range m.links {
		switch l.state {
		case connected:
			if l.Channel.Pending() != 0 {
				return false
			}
		case gone:
			if _, ok := l.farewellDue(m.nominal); ok {
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

// sendGoodbye tells a peer why the session is over.
func (m *closing) sendGoodbye(l *link) {
	var refused *RefusedError
	if errors.As(m.err, &refused) && l.players&refused.Players == 0 {
		m.post(l, m.refusal(refused.Players, refused.Reason))
	}
	m.sendLeave(l, reasonOf(m.err), false)
	m.sendTo(l)
}

// goodbye sends again what peers have not acknowledged.
func (m *Machine) goodbye() {
	if m.allTold() {
		return
	}
	m.sendFarewells()
	for _, l := range m.links {
		switch {
		case l.state == connected && l.Channel.Pending() != 0 && m.now >= l.Sent+m.nominal:
			m.sendTo(l)
		case l.state == connecting:
			m.sendHello(l)
		}
	}
}

// receiveGoodbye takes the acknowledgement of a datagram after the end.
func (m *Machine) receiveGoodbye(l *link, at time.Duration, b []byte) {
	if l == nil || l.state == connecting {
		return
	}
	body, _, ok := l.Open(b)
	if !ok {
		return
	}
	h := &m.received
	rest, err := h.Consume(body, l.Peer.Receive, uint32(m.inputs.Next(l.List[0])))
	if err != nil || !h.HasControl || h.HasOrders {
		return // its later datagrams have no orders, and acknowledge the same
	}
	_, _ = l.Channel.Consume(rest, at)
}

// A machine that gives up a peer tells it: with the decision of the log that it is out, or, where
// there is no log, with a reset. A peer that still hears us then knows it at once, and not only after
// we have been silent for as long as it was. It is told a few times without being heard, and in
// answer to all that it still sends.

const (
	// farewells is how often a peer that is gone is told so without being heard, and
	// partingEvery the interval. So a session takes half a second more to end.
	farewells    = 12
	partingEvery = 40 * time.Millisecond
)

// beginFarewell makes the state of a peer gone, and has it told.
func (l *link) beginFarewell() {
	if l.state == connecting {
		l.state = gone // it cannot be told
		return
	}
	l.state, l.farewells = gone, farewells
	l.Channel.SetEager(true)
}

// farewellDue reports whether a peer that is gone is still told so, and when next.
func (l *link) farewellDue(period time.Duration) (at time.Duration, ok bool) {
	if l.state != gone || l.farewells == 0 || l.Channel.Pending() == 0 {
		return 0, false
	}
	return l.Sent + max(partingEvery, period), true
}

// sendLeave tells a peer why we leave, and the first frames without our players; [NoFrame] if the
// log decides these.
func (m *closing) sendLeave(l *link, reason string, resigns bool) {
	b := m.begins(messageLeave)
	for _, p := range m.local {
		at := m.inputs.Next(p)
		if resigns {
			at = NoFrame
		}
		b = le.AppendUint32(b, uint32(at))
	}
	m.message = append(b, cut(reason)...)
	_ = l.Channel.Send(m.message) // if there is no room, the peer will notice our silence
}
