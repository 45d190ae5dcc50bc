package session

import (
	"errors"
	"time"
)

// answering is how long a failed session still sends Hellos to peers that it is not connected to, and answers
// theirs, so that they learn of the failure.
const answering = 500 * time.Millisecond

// Done reports whether the session is over and nothing is left to be sent. Until then, after an error, keep calling
// Poll, so that the peers are notified. That takes a round trip, and at most Config.Linger.
func (m *Machine) Done() bool { return m.allTold() }

// allTold implements [Machine.Done].
func (m *closing) allTold() bool {
	if m.phase != Over || m.now >= m.farewell {
		return m.phase == Over
	}
	if m.audience != nil && !m.audience.Done() {
		return false // spectators have not received everything
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

// sendGoodbye sends a peer the reason why the session is over.
func (m *closing) sendGoodbye(l *link) {
	var refused *RefusedError
	if errors.As(m.err, &refused) && l.players&refused.Players == 0 {
		m.post(l, m.refusal(refused.Players, refused.Reason))
	}
	m.sendLeave(l, reasonOf(m.err), false)
	m.sendTo(l)
}

// goodbye resends what peers have not acknowledged.
func (m *closing) goodbye() {
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

// receiveGoodbye handles the acknowledgements in a datagram after the end.
func (m *closing) receiveGoodbye(l *link, at time.Duration, b []byte) {
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
		return // its later datagrams have no orders and acknowledge the same
	}
	_, _ = l.Channel.Consume(rest, at)
}

// A machine that gives up a peer notifies it: with the log's decision to remove it, or, where there is no log, with
// a reset. A peer that still hears us then knows at once, instead of after we have been silent for as long as it
// was. The notification is sent a few times while nothing is heard from the peer, and in answer to everything that
// it still sends.

const (
	// farewells is how often a peer that is gone is notified while nothing is heard from it, and partingEvery the
	// interval. So a session takes half a second longer to end.
	farewells    = 12
	partingEvery = 40 * time.Millisecond
)

// beginFarewell marks a peer as gone, and starts to notify it.
func (l *link) beginFarewell() {
	if l.state == connecting {
		l.state = gone // it cannot be notified
		return
	}
	l.state, l.farewells = gone, farewells
	l.Channel.SetEager(true)
}

// farewellDue reports whether a peer that is gone still has to be notified, and when next.
func (l *link) farewellDue(period time.Duration) (at time.Duration, ok bool) {
	if l.state != gone || l.farewells == 0 || l.Channel.Pending() == 0 {
		return 0, false
	}
	return l.Sent + max(partingEvery, period), true
}

// sendLeave sends a peer the reason why we leave, and the first frames without our players; [NoFrame] if the log
// decides these.
func (m *closing) sendLeave(l *link, reason string, resigns bool) {
	b := m.begins(messageLeave)
	for _, p := range m.local {
		at := m.inputs.Next(p)
		if resigns {
			at = NoFrame
		}
		b = le.AppendUint32(b, uint32(at))
	}
	_ = l.Channel.Send(m.keep(append(b, cut(reason)...))) // if the stream is full, the peer will notice our silence
}
