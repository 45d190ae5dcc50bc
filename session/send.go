package session

import (
	"time"

	"github.com/tickback/tickback/session/inputs"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/wire/datagram"
)

const (
	// One datagram of sampleEvery has a sample; at first, every second one until firstSamples
	// have been sent.
	sampleEvery  = 8
	firstSamples = 32
	// starvation is how long the control stream may wait before inputs make room for it.
	starvation = 500 * time.Millisecond
)

// sendAll sends the datagram of a tick period to every peer.
func (m *Machine) sendAll() {
	m.lastAll = m.now
	m.confirmed = m.tellable()
	if m.eagerly && m.phase == Playing {
		m.calm()
	}
	for l := range m.ways() {
		if l.state == connected || l.state == leaving {
			m.sendTo(l)
		}
	}
	m.partAll()
}

// sendTo sends one datagram with everything that is due.
func (m *Machine) sendTo(l *link) {
	if m.out.Full() {
		return
	}
	h := &m.sending
	h.Sequence, h.Match = uint16(l.Next()), byte(m.match.number)
	// A peer that is out of the match needs no inputs, only the decision that it is out.
	h.HasPlay = l.follows && !m.ousted(l) && (m.phase == Playing || m.phase == Ending && m.end.gives())
	h.HasOrders = false
	h.HasSample = m.sample(l, &h.Sample)
	var block []byte
	if h.HasPlay {
		block = m.positions(l, &h.Play)
		h.HasOrders = m.inputs.CountOrders(&h.Play) > 0
	}
	start := m.out.Start()
	b := h.Append(m.out.Bytes, l.Peer.Send)
	if h.HasOrders {
		b = m.inputs.AppendOrders(b, &l.Peer, &h.Play)
	}
	room := l.Most() - datagram.TagSize - (len(b) - start) - len(block)
	if n := len(b); room > 0 {
		if b = l.Channel.Append(b, room, m.now); len(b) > n {
			datagram.MarkControl(b[start:])
		}
	}
	b = append(b, block...)
	size := m.out.Seal(l.Seal(b, start, m.now), l.Addr)
	if m.phase == Playing {
		l.playSent++
		l.playBytes += uint64(size)
	}
	if l.state == connected {
		l.Probe(m.now, &m.out)
	}
}

// sample fills in a sample if one is due.
func (m *Machine) sample(l *link, s *datagram.Sample) bool {
	l.sinceSample++
	if l.Counts.Received == 0 || l.sinceSample < 2 || l.sampled >= firstSamples && l.sinceSample < sampleEvery {
		return false
	}
	l.sinceSample = 0
	l.sampled++
	*s = l.Sample(m.now)
	s.Lag = l.lag.Units()
	return true
}

// positions fills in which inputs the datagram carries, and which ones are here, and returns
// the block of inputs.
//
// While the match stalls and the control stream has not got through for a while, every second
// datagram has no inputs: a narrow path with a full queue drops larger datagrams first.
func (m *Machine) positions(l *link, p *datagram.Play) (block []byte) {
	if l.Channel.Pending() == 0 {
		l.clearAt = m.now
	}
	starving := m.match.stalls.Stalled() && m.now-l.clearAt > starvation
	block = m.inputs.Compose(p, &l.Peer, inputs.Datagram{Number: l.Next(), Most: l.Most(), Bare: m.joining.observing() || starving && l.Next()%2 == 0})
	p.Confirmed = uint32(m.confirmed)
	switch {
	case m.joining.observing():
		for i := range m.local {
			p.Ends[i] = p.Confirmed
		}
	case l.aside:
		for i := range l.List {
			p.Acks[i] = p.Confirmed // it has no inputs to be acknowledged
		}
	}
	return block
}

// receiveSession takes an authentic datagram of a peer.
func (m *Machine) receiveSession(l *link, at time.Duration, sequence uint64, b []byte) {
	h := &m.received
	near := m.near(l)
	rest, err := h.Consume(b, l.Peer.Receive, near)
	if err != nil {
		m.reject(l)
		return
	}
	play := h.HasPlay && datagram.SameMatch(uint32(h.Match), m.match.number) && m.inMatch()
	if play && !m.joining.observing() && !m.inputs.Plausible(&l.Peer, &h.Play, m.frame) { // a newcomer may be far behind, and uses none of these inputs yet
		m.reject(l)
		return
	}
	var orders []datagram.Order
	if h.HasOrders {
		if orders, rest, err = m.inputs.ConsumeOrders(rest, &l.Peer, &h.Play); err != nil {
			m.reject(l)
			return
		}
	}
	m.arrived(l, at, sequence, len(b)+datagram.TagSize)
	m.opened()
	if h.HasControl {
		n, err := l.Channel.Consume(rest, at)
		if err != nil {
			m.lose(l, "its control stream: "+err.Error())
			return
		}
		rest = rest[n:]
	}
	if play {
		if err := m.receivePlay(l, at, orders, rest); err != nil {
			l.Counts.Rejected++
			m.counts.rejected++
		}
	}
	sent := l.Next()
	if h.HasControl {
		m.receiveMessages(l)
	}
	if l.Next() != sent {
		return // it has its acknowledgement
	}
	if l.state >= leaving && h.HasControl || l.state == gone && l.Channel.Pending() != 0 {
		m.sendTo(l) // it waits for this acknowledgement only, or does not know that we have given it up
	}
}

// near returns a frame near those of a peer's datagrams, for their short numbers.
func (m *Machine) near(l *link) uint32 {
	if l.aside && !m.joining.observing() {
		return uint32(m.frame)
	}
	return uint32(m.inputs.Next(l.List[0]))
}

// inMatch reports whether inputs belong to the present match.
func (m *Machine) inMatch() bool {
	return m.phase == Playing || m.phase == Ending || m.lobby.Stage() >= lobby.Ready && (m.phase == Starting || m.phase == Connecting)
}

// arrived notes when a datagram came, and what its sample says.
func (m *Machine) arrived(l *link, at time.Duration, sequence uint64, size int) {
	l.Arrive(at, sequence, size)
	if h := &m.received; h.HasSample {
		l.Measure(at, &h.Sample)
		l.lag.Tell(h.Sample.Lag)
	}
}
