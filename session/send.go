package session

import (
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/wire/datagram"
)

// sender composes the datagrams to the peers.
type sender struct {
	play
	lastAll           time.Duration // when a datagram was last sent to all peers
	confirmed         Frame         // number of frames that datagrams report as confirmed
	sending, received datagram.Header
}

// holdBack keeps flush from sending datagrams to all peers in this tick period.
func (m *sender) holdBack() { m.lastAll = max(m.lastAll, m.now-m.nominal) }

const (
	// One datagram in sampleEvery carries a sample; at first, one in two, until firstSamples have been sent.
	sampleEvery  = 8
	firstSamples = 32
	// starvation is how long the control stream may wait before inputs make room for it.
	starvation = 500 * time.Millisecond
)

// sendAll sends each peer the datagram of a tick period.
func (m *sender) sendAll() {
	m.lastAll = m.now
	m.confirmed = m.confirmedToTell()
	if m.eagerly && m.phase == Playing {
		m.stopEager()
	}
	gone := false
	for _, l := range m.links {
		if l.alive() {
			m.sendTo(l)
		} else {
			gone = true
		}
	}
	for _, c := range m.newcomers {
		if c.alive() {
			m.sendTo(c.link)
		}
	}
	if gone {
		m.sendFarewells()
	}
}

// sendTo sends one datagram with everything that is due.
func (m *sender) sendTo(l *link) {
	if m.out.Full() {
		return
	}
	h := &m.sending
	h.Sequence, h.Match = uint16(l.Next()), byte(m.match.Number())
	// A peer that was removed needs no inputs, only the decision that removes it.
	h.HasPlay = l.follows && !(l.state == gone && m.isRemoved(l)) && (m.phase == Playing || m.phase == Ending && m.match.End().SendsInputs())
	h.HasOrders = false
	l.sinceSample++
	if h.HasSample = l.sampleDue(); h.HasSample {
		m.sample(l, &h.Sample)
	}
	var block []byte
	if h.HasPlay {
		d := inputs.Datagram{Number: l.Next(), Most: l.Most()}
		if l.Channel.Pending() == 0 {
			l.clearAt = m.now
		}
		h.Play.Confirmed = uint32(m.confirmed)
		if m.lateJoin != nil || l.notBothMembers || m.pacing.stalls.Stalled() {
			block = m.fillInputs(l, &h.Play, d)
		} else {
			block = m.inputs.Compose(&h.Play, &l.Peer, d)
		}
		h.HasOrders = m.cfg.MaxOrders > 0 && m.inputs.CountOrders(&h.Play) > 0
	}
	start := m.out.Start()
	b := h.Append(m.out.Bytes, l.Peer.Send)
	if h.HasOrders {
		b = m.inputs.AppendOrders(b, &l.Peer, &h.Play)
	}
	room := l.Most() - datagram.TagSize - (len(b) - start) - len(block)
	if n := len(b); room > 0 && !l.Channel.Idle() {
		if b = l.Channel.Append(b, room, m.now); len(b) > n {
			datagram.MarkControl(b[start:])
		}
	}
	if len(block) > 0 {
		b = append(b, block...)
	}
	size := m.out.Seal(l.Seal(b, start, m.now), l.Addr)
	if m.phase == Playing {
		l.playSent++
		l.playBytes += uint64(size)
	}
	if l.state == connected {
		l.Probe(m.now, &m.out)
	}
}

// sampleDue reports whether the next datagram to a peer carries a sample.
func (l *link) sampleDue() bool {
	return l.sinceSample >= 2 && (l.sinceSample >= sampleEvery || l.sampled < firstSamples) && l.Counts.Received > 0
}

// sample fills in a sample.
func (m *sender) sample(l *link, s *datagram.Sample) {
	l.sinceSample = 0
	l.sampled++
	*s = l.Sample(m.now)
	s.Lag = l.lag.Units()
}

// fillInputs fills in which inputs the datagram carries and which ones have arrived here, and returns the block of
// inputs: while the match stalls, or one of us is not a member yet.
//
// While the match stalls and the control stream has made no progress for a while, every second datagram carries no
// inputs: a narrow path with a full queue drops larger datagrams first.
func (m *sender) fillInputs(l *link, p *datagram.Play, d inputs.Datagram) (block []byte) {
	starving := m.pacing.stalls.Stalled() && m.now-l.clearAt > starvation
	d.Bare = m.lateJoin.observing() || starving && d.Number%2 == 0
	block = m.inputs.Compose(p, &l.Peer, d)
	switch {
	case m.lateJoin.observing():
		for i := range m.local {
			p.Ends[i] = p.Confirmed
		}
	case l.notBothMembers:
		for i := range l.List {
			p.Acks[i] = p.Confirmed // it has no inputs to be acknowledged
		}
	}
	return block
}

// flush sends datagrams that are due between tick periods, and keep-alives.
func (m *sender) flush() {
	if m.phase == Playing {
		if m.now >= m.lastAll+m.nominal*patience/2 {
			m.sendAll()
		}
		return
	}
	m.confirmed = m.confirmedToTell()
	for l := range m.allLinks() {
		if l.state == connected || l.state == leaving {
			if m.now >= m.sendAfter(l) {
				m.sendTo(l)
			}
		}
	}
	m.sendFarewells()
}

// sendAfter returns when to send a datagram to a peer even if no frame runs.
func (m *sender) sendAfter(l *link) time.Duration {
	if m.phase == Ending {
		return l.Sent + m.nominal*patience/2
	}
	if _, any := l.Channel.Due(m.now); any || l.Channel.Pending() != 0 {
		return l.Sent + m.nominal
	}
	return l.Sent + keepAlive
}

// sendFarewells resends to peers that are gone what they have not acknowledged.
func (m *sender) sendFarewells() {
	for _, l := range m.links {
		if at, ok := l.farewellDue(m.nominal); ok && m.now >= at {
			l.farewells--
			m.sendTo(l)
		}
	}
}

// sendFill sends a peer those inputs of another player that are here.
func (m *sender) sendFill(l *link, p Player, from, end Frame) {
	for l.state != connecting && from < end {
		b, next := m.inputs.AppendFill(m.begins(messageFill), p, from, end)
		if next == from {
			return
		}
		m.post(l, b)
		from = next
	}
}
