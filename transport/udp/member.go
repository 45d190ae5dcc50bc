package udp

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"time"
)

// Member is the part of a [Port] that belongs to one match: its transport. All its methods may be called
// from several goroutines.
type Member struct {
	port   *Port
	tagged bool // it has a channel
	number uint32
	peers  []netip.AddrPort // without a channel: the addresses whose datagrams it gets
	known  []netip.AddrPort // the addresses to which it has sent
	queue  []*parcel        // the oldest first
	place  place            // its place among the members with a queue of the same length
	closed bool
}

// Reaches is like [Conn.Reaches].
func (m *Member) Reaches(to netip.AddrPort) error { return m.port.conn.Reaches(to) }

// Send collects a datagram, or sends it at once if nobody polls the port yet. Otherwise it is like [Conn.Send]; a
// channel takes [ChannelSize] bytes of [MaxDatagram].
func (m *Member) Send(to netip.AddrPort, datagram []byte) error {
	p := m.port
	p.mu.Lock()
	defer p.mu.Unlock()
	err := m.collect(to, datagram)
	return worse(err, m.sent())
}

// SendBatch sends each datagram as Send would. It does not keep the bytes.
func (m *Member) SendBatch(to []netip.AddrPort, datagrams [][]byte) error {
	p := m.port
	p.mu.Lock()
	defer p.mu.Unlock()
	var failed error
	for i, b := range datagrams {
		failed = worse(failed, m.collect(to[i], b))
	}
	return worse(failed, m.sent())
}

// collect adds a datagram to the collected ones.
func (m *Member) collect(to netip.AddrPort, datagram []byte) error {
	p := m.port
	if m.closed || p.closed {
		return &Error{"send to", to.String(), ErrClosed, nil}
	}
	to = unmap(to)
	size := len(datagram)
	if m.tagged {
		size += ChannelSize
	}
	if err := p.conn.sendable(to, size); err != nil {
		p.conn.counts.sendErrors.Add(1)
		return err
	}
	if m.numberOf(to) == stranger {
		if len(m.known) == maxCorrespondents {
			m.known = m.known[:0] // the important addresses are added again with the next datagram to them
		}
		m.known = append(m.known, to)
	}
	if m.tagged {
		p.bytes = binary.LittleEndian.AppendUint32(append(p.bytes, channelKind), m.number)
	}
	p.bytes = append(p.bytes, datagram...)
	p.to, p.ends = append(p.to, to), append(p.ends, len(p.bytes))
	return nil
}

// sent sends the collected datagrams if there are many, or if the port is not polled.
func (m *Member) sent() error {
	if p := m.port; !p.driven || len(p.to) >= portSend {
		return p.flush()
	}
	return nil
}

// numberOf returns the number of an address among the known ones, from 1 on, or stranger.
func (m *Member) numberOf(a netip.AddrPort) byte {
	return byte(slices.Index(m.known, a) + 1)
}

// Receive works like [Conn.Receive].
func (m *Member) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	p := m.port
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(m.queue) == 0 && !p.driven {
		p.read()
	}
	for len(m.queue) > 0 {
		d := m.take(0)
		p.release(d)
		if len(d.bytes) <= len(buf) {
			return copy(buf, d.bytes), d.from, d.at, true
		}
		p.conn.counts.tooLong.Add(1)
	}
	return 0, netip.AddrPort{}, time.Time{}, false
}

// push adds a datagram to the queue.
func (m *Member) push(b []byte, from netip.AddrPort, at time.Time) {
	p, who := m.port, m.numberOf(from)
	if !p.room(m, who) {
		return
	}
	d := (*parcel)(nil)
	if n := len(p.free); n > 0 {
		d, p.free = p.free[n-1], p.free[:n-1]
	} else {
		d = new(parcel)
	}
	d.from, d.at, d.who, d.bytes = from, at, who, append(d.bytes[:0], b...)
	m.queue = append(m.queue, d)
	p.waiting++
	p.queues.moved(m, len(m.queue)-1)
}

// victim returns the index of the datagram to drop for a new one from a sender: the oldest from a stranger, or, if
// there is none, the oldest from the known sender with the most. It returns -1 if the new one has to be dropped.
func (m *Member) victim(who byte) int {
	var counts [maxCorrespondents + 1]int
	for i, d := range m.queue {
		if counts[d.who]++; d.who == stranger {
			return i
		}
	}
	if who == stranger {
		return -1
	}
	most := who
	for k, n := range counts {
		if n > counts[most] {
			most = byte(k)
		}
	}
	return slices.IndexFunc(m.queue, func(d *parcel) bool { return d.who == most })
}

// take removes a datagram from the queue.
func (m *Member) take(i int) *parcel {
	d := m.queue[i]
	m.queue = slices.Delete(m.queue, i, i+1)
	m.port.queues.moved(m, len(m.queue)+1)
	return d
}

// Waiting returns how many datagrams wait to be received.
func (m *Member) Waiting() int {
	m.port.mu.Lock()
	defer m.port.mu.Unlock()
	return len(m.queue)
}

// Notify returns nil: use Wait to wait for a datagram.
func (m *Member) Notify() <-chan struct{} { return nil }

// memberWait is the maximum time that a member waits before it checks again, since other goroutines may read what
// arrives.
const memberWait = time.Millisecond

// Wait sends the collected datagrams, and waits for d, or with wake until a datagram may have arrived. Then it reads
// the arrived datagrams for all members. So a match can be closed in a separate goroutine, while the loop runs.
func (m *Member) Wait(d time.Duration, wake bool) {
	if wake {
		d = min(d, memberWait)
	}
	p := m.port
	p.mu.Lock()
	driven := p.driven
	p.mu.Unlock()
	if driven { // the loop waits for the socket
		_ = p.Flush() // datagrams that could not be sent count as lost
		time.Sleep(d)
	} else {
		p.Wait(d, wake)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read()
}

// Close removes the member from the port, which stays open. Its channel and its addresses become free.
func (m *Member) Close() error {
	p := m.port
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.closed {
		return nil
	}
	err := p.flush()
	for len(m.queue) > 0 {
		p.release(m.take(0))
	}
	if m.closed = true; m.tagged {
		delete(p.numbers, m.number)
	}
	for _, a := range m.peers {
		delete(p.senders, a)
	}
	p.members--
	return err
}
