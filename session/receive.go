package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Receive handles a datagram that arrived at this time from this address; any content is allowed. One that does not
// come from a peer changes nothing but a counter.
func (m *Machine) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	if at = m.arrive(at); from.Addr().Is4In6() {
		from = peer.Unmapped(from)
	}
	l := m.linkTo(from)
	if l != nil && l.state != connecting && m.phase != Over && datagram.IsSession(b) && len(b) <= datagram.MaxSize {
		if body, sequence, ok := l.Open(b); !ok { // nearly always it is one
			m.receiveElsewhere(at, from, b)
		} else if l.Take(sequence) {
			m.receiveSession(l, at, sequence, body)
		}
	} else {
		m.receiveOther(l, at, from, b)
	}
	m.handleLosses() // not deferred: that would cost as much as half of the checks above
}

// receiveOther handles a datagram that is not one of a session from a peer's address, or comes after the end of ours.
func (m *Machine) receiveOther(l *link, at time.Duration, from netip.AddrPort, b []byte) {
	if len(b) == 0 || len(b) > datagram.MaxSize {
		m.reject(l)
		return
	}
	if m.aside(l, b) && m.receiveAside(at, from, b) {
		return
	}
	switch {
	case datagram.IsWatch(b):
		m.reject(nil) // from a spectator that is gone
	case b[0] == datagram.KindHello:
		m.receiveHello(l, from, b)
	case b[0] == datagram.KindWelcome:
		m.receiveWelcome(l, at, b)
	case m.phase == Over:
		m.receiveGoodbye(l, at, b)
	case datagram.IsSession(b):
		m.receiveElsewhere(at, from, b)
	default:
		m.receivePath(l, from, b)
	}
}

// receiveAside handles a datagram that is not part of a connection between peers, and reports whether it was used.
func (m *Machine) receiveAside(at time.Duration, from netip.AddrPort, b []byte) bool {
	if j := m.lateJoin; j != nil && j.follower != nil && from == j.follower.Host() {
		j.follower.Receive(at, from, b)
		return true
	}
	return m.audience != nil && !m.silent() && m.audience.Receive(at, from, b)
}

// aside reports whether a datagram is not part of a connection between peers: it is from an unknown address, or
// belongs to the connection of a spectator, as that of a newcomer does at first. At a peer's address a new process
// may have started that wants to come back.
func (m *base) aside(l *link, b []byte) bool {
	switch {
	case l == nil || datagram.IsWatch(b):
		return true
	case b[0] == datagram.KindWelcome:
		_, ours := datagram.Key(l.Nonce).Open(b, 0)
		return !ours
	}
	return b[0] == datagram.KindWatch || b[0] == datagram.KindAttach
}

// receivePlay handles positions and inputs.
func (m *Machine) receivePlay(l *link, at time.Duration, blocks []byte) error {
	p := &m.received.Play
	if l.state == gone {
		return nil
	}
	m.lobby.PeerPlays(l.List)
	l.Acknowledge(p)
	l.confirmed = max(l.confirmed, Frame(p.Confirmed))
	observing := m.lateJoin.observing()
	if l.notBothMembers && !observing {
		l.follows = m.inputs.InReach(&l.Peer)
		return nil
	}
	if !l.follows {
		l.follows = m.inputs.InReach(&l.Peer)
	}
	if observing {
		return nil // agreed frames come from the host: some senders may be out of the match
	}
	if end := Frame(p.Ends[0]); m.phase == Playing && l.lag.Fresh(end) {
		l.lag.Measure(at-m.pacing.schedule.DueAt(end-1, m.frame), m.nominal)
	}
	refused, err := m.inputs.Accept(&l.Peer, &m.received, blocks)
	if refused {
		m.lose(l, "an input: "+err.Error())
	}
	return err
}

// receiveSession handles an authentic datagram from a peer.
func (m *Machine) receiveSession(l *link, at time.Duration, sequence uint64, b []byte) {
	h := &m.received
	near := m.near(l)
	rest, err := h.Consume(b, l.Peer.Receive, near)
	if err != nil {
		m.reject(l)
		return
	}
	play := h.HasPlay && datagram.SameMatch(uint32(h.Match), m.match.Number()) && m.inMatch()
	if play && !m.lateJoin.observing() && !m.inputs.Plausible(&l.Peer, &h.Play, m.frame) { // a newcomer may be far behind, and does not use these inputs yet
		m.reject(l)
		return
	}
	if h.HasOrders {
		if rest, err = m.inputs.ConsumeOrders(rest, &l.Peer, &h.Play); err != nil {
			m.reject(l)
			return
		}
	}
	l.Arrive(at, sequence, len(b)+datagram.TagSize)
	if h.HasSample {
		l.Measure(at, &h.Sample)
		l.lag.SetRemote(h.Sample.Lag)
	}
	if m.phase == Connecting {
		m.opened()
	}
	if h.HasControl {
		n, err := l.Channel.Consume(rest, at)
		if err != nil {
			m.lose(l, "its control stream: "+err.Error())
			return
		}
		rest = rest[n:]
	}
	if play {
		if err := m.receivePlay(l, at, rest); err != nil {
			m.reject(l)
		}
	}
	if !h.HasControl && l.state != gone {
		return // nothing to answer, nearly always
	}
	sent := l.Next()
	if h.HasControl {
		m.receiveMessages(l)
	}
	if l.Next() != sent {
		return // a datagram with the acknowledgement has been sent
	}
	if l.state >= leaving && h.HasControl || l.state == gone && l.Channel.Pending() != 0 {
		m.sendTo(l) // the peer waits only for this acknowledgement, or does not know that we have given it up
	}
}
