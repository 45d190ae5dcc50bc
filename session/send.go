package session

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

const (
	// sampleEvery is in how many datagrams there is one sample, once the first
	// firstSamples have been sent in every second one.
	sampleEvery  = 8
	firstSamples = 32
	// starvation is how long the control stream may wait before inputs make room.
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
	// A peer that is out of the match needs no inputs: it has to learn that it is out.
	h.HasPlay = l.follows && !m.ousted(l) && (m.phase == Playing || m.phase == Ending && m.end.playing)
	h.HasOrders = false
	h.HasSample = m.sample(l, &h.Sample)
	block := m.scratch[:0]
	if h.HasPlay {
		block = m.positions(l, &h.Play, block)
		h.HasOrders = m.cfg.MaxOrders > 0 && m.countOrders(&h.Play) > 0
	}
	start := m.out.Start()
	b := h.Append(m.out.Bytes, l.send)
	if h.HasOrders {
		b = m.appendOrders(b, l, &h.Play)
	}
	room := l.Most() - datagram.TagSize - (len(b) - start) - len(block)
	if n := len(b); room > 0 {
		if b = l.Channel.Append(b, room, m.now); len(b) > n {
			datagram.MarkControl(b[start:])
		}
	}
	b = append(b, block...)
	m.scratch = block
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

// positions fills in which inputs the datagram carries, and appends them to
// block: all that the peer has not acknowledged, as far as there is room, the
// oldest first.
//
// While the match stalls, every second datagram leaves the inputs out if the control
// stream has not got through for a while: a narrow way with a full queue drops
// larger datagrams first.
func (m *Machine) positions(l *link, p *datagram.Play, block []byte) []byte {
	if l.Channel.Pending() == 0 {
		l.clearAt = m.now
	}
	starving := m.match.stalls.Stalled() && m.now-l.clearAt > starvation
	r := m.rooms(l)
	for i, player := range m.local {
		h := &m.history[player]
		from, to := l.acked[i], h.Next()
		if m.observing() {
			from = to
		}
		if starving && l.Next()%2 == 0 {
			to = from
		}
		if m.cfg.MaxOrders > 0 {
			to = m.orders[player].limit(from, to, r.orders(i), m.inlineLimit())
		}
		start := len(block)
		last := i == len(m.local)-1
		if !last {
			block = append(block, 0, 0) // its length
		}
		block, p.Ends[i] = h.AppendBlock(block, from, to, r.inputs(i))
		p.Counts[i] = p.Ends[i] - from
		if !last {
			n := len(block) - start - 2
			block[start], block[start+1] = byte(n), byte(n>>8)
		}
	}
	for i, player := range l.list {
		if p.Acks[i] = m.history[player].Next(); l.aside && !m.observing() {
			p.Acks[i] = uint32(m.confirmed) // it has no inputs to be acknowledged
		}
	}
	p.Confirmed = uint32(m.confirmed)
	if m.observing() {
		for i := range m.local {
			p.Ends[i], p.Counts[i] = p.Confirmed, 0
		}
	}
	return block
}

// receiveSession is a datagram of a connected peer.
func (m *Machine) receiveSession(l *link, at time.Duration, sequence uint64, b []byte) {
	h := &m.received
	near := m.near(l)
	rest, err := h.Consume(b, l.receive, near)
	if err != nil {
		m.reject(l)
		return
	}
	play := h.HasPlay && h.Match == byte(m.match.number)&3 && m.inMatch()
	if play && !m.plausible(l, &h.Play) {
		m.reject(l)
		return
	}
	orders := rest
	if h.HasOrders {
		if rest, err = m.skipOrders(l, rest, &h.Play); err != nil {
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
		m.sendTo(l) // it waits for the acknowledgement alone, or does not know why it is gone
	}
}

// near is about the frame that the datagrams of a peer are about.
func (m *Machine) near(l *link) uint32 {
	if l.aside && !m.observing() {
		return uint32(m.frame)
	}
	return m.history[l.list[0]].Next()
}

// inMatch reports whether inputs belong to the match at hand.
func (m *Machine) inMatch() bool {
	return m.phase == Playing || m.phase == Ending || m.lobby.ready && (m.phase == Starting || m.phase == Connecting)
}

// arrived notes when a datagram came, and what its sample says.
func (m *Machine) arrived(l *link, at time.Duration, sequence uint64, size int) {
	l.Arrive(at, sequence, size)
	if h := &m.received; h.HasSample {
		l.Measure(at, &h.Sample)
		l.lag.Tell(h.Sample.Lag)
	}
}
