package udp

import (
	"bytes"
	"net/netip"
	"sync"
	"time"
)

const (
	// MaxDatagram is the maximum size of a datagram in bytes, both ways: what an Ethernet frame carries, headers included.
	// Longer ones would be sent in fragments, and losing one fragment would lose the datagram.
	MaxDatagram = 1500

	// QueueDatagrams is how many datagrams are held until they are received: of 60
	// datagrams a second from each peer, half a second (a hitch of the receiver) in
	// a match of eight machines, and more than a quarter in one of sixteen.
	QueueDatagrams = 256
)

// datagram is one slot of the ring.
type datagram struct {
	from  netip.AddrPort
	at    time.Time
	n     int
	bytes [MaxDatagram]byte
}

// ring holds datagrams that have not been received yet. One goroutine pushes and any number pops. When it is full, one
// is dropped: the oldest from a stranger; if there is none, the oldest of the correspondent with the most. So a flood
// displaces its own datagrams.
type ring struct {
	mu     sync.Mutex
	slots  []datagram
	free   []uint16                   // free slots
	order  []uint16                   // used slots, those with the oldest datagrams first
	who    []byte                     // for each of them, the sender's number as a correspondent
	counts [maxCorrespondents + 1]int // for each correspondent, the number of its datagrams
	known  *correspondents
	armed  bool // pop has found nothing since the last notification
	closed bool // nothing more is pushed or popped
	notify chan struct{}
}

func newRing(slots int, known *correspondents) *ring {
	r := &ring{
		slots: make([]datagram, slots), free: make([]uint16, 0, slots), order: make([]uint16, 0, slots),
		who: make([]byte, 0, slots), known: known, armed: true, notify: make(chan struct{}, 1),
	}
	for i := range slots {
		r.free = append(r.free, uint16(i))
	}
	return r
}

// push adds a datagram of at most MaxDatagram bytes. It reports whether a datagram, perhaps this one, was dropped.
func (r *ring) push(b []byte, from netip.AddrPort, at time.Time) (dropped bool) {
	who := r.known.number(from)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if dropped = len(r.free) == 0; dropped {
		victim := r.victim(who)
		if victim < 0 {
			return true
		}
		r.take(victim)
	}
	last := len(r.free) - 1
	slot := r.free[last]
	r.free = r.free[:last]
	d := &r.slots[slot]
	d.from, d.at, d.n = from, at, copy(d.bytes[:], b)
	r.order, r.who = append(r.order, slot), append(r.who, who)
	r.counts[who]++
	if r.armed {
		r.armed = false
		select {
		case r.notify <- struct{}{}:
		default: // the channel still has a value, which is enough
		}
	}
	return dropped
}

// victim returns the index in order of the datagram to drop for a new one from this sender, or -1 if the new one has
// to be dropped.
func (r *ring) victim(who byte) int {
	if r.counts[stranger] > 0 {
		return bytes.IndexByte(r.who, stranger)
	}
	if who == stranger {
		return -1
	}
	most := who
	for i, n := range r.counts {
		if n > r.counts[most] {
			most = byte(i)
		}
	}
	return bytes.IndexByte(r.who, most)
}

// pop copies the oldest datagram into buf and removes it. tooLong counts the datagrams removed before it because they
// do not fit into buf: half a datagram must not look like a whole one.
func (r *ring) pop(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool, tooLong uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.order) > 0 {
		d := &r.slots[r.take(0)]
		if d.n <= len(buf) {
			return copy(buf, d.bytes[:d.n]), d.from, d.at, true, tooLong
		}
		tooLong++
	}
	r.armed = true
	return 0, netip.AddrPort{}, time.Time{}, false, tooLong
}

// arm reports whether there is a datagram. If there is none, the next one causes a notification.
func (r *ring) arm() (there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = r.armed || len(r.order) == 0
	return len(r.order) > 0
}

// take removes the datagram at an index in order. Its slot is unchanged until the next push.
func (r *ring) take(place int) (slot uint16) {
	slot = r.order[place]
	r.counts[r.who[place]]--
	r.order = append(r.order[:place], r.order[place+1:]...)
	r.who = append(r.who[:place], r.who[place+1:]...)
	r.free = append(r.free, slot)
	return slot
}

// close empties the ring, and makes it ignore further datagrams.
func (r *ring) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.order) > 0 {
		r.take(0)
	}
	r.closed = true
}
