package udp

import (
	"net/netip"
	"sync"
	"time"
)

const (
	// MaxDatagram is the most bytes of a datagram, both ways: what an Ethernet
	// frame carries, headers included. Longer ones would be sent in fragments, of
	// which none may be lost.
	MaxDatagram = 1500

	// QueueDatagrams is how many datagrams are held until they are received: half
	// a second (a hitch of the receiver) of 60 datagrams a second from each of 7
	// peers is 210; this is the next power of two.
	QueueDatagrams = 256
)

// datagram is one slot of the ring.
type datagram struct {
	from  netip.AddrPort
	at    time.Time
	n     int
	bytes [MaxDatagram]byte
}

// ring holds the newest datagrams that have not been received yet. One goroutine
// pushes and any number pops.
type ring struct {
	mu     sync.Mutex
	slots  []datagram // all of them, from the start on
	oldest int
	held   int
	armed  bool // a pop has found nothing since the last notification
	closed bool // nothing goes in or out any more
	notify chan struct{}
}

func newRing(slots int) *ring {
	return &ring{slots: make([]datagram, slots), armed: true, notify: make(chan struct{}, 1)}
}

// push adds a datagram of at most MaxDatagram bytes. It reports whether the
// oldest one had to make room.
func (r *ring) push(b []byte, from netip.AddrPort, at time.Time) (dropped bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if dropped = r.held == len(r.slots); dropped {
		r.drop()
	}
	d := &r.slots[(r.oldest+r.held)%len(r.slots)]
	d.from, d.at, d.n = from, at, copy(d.bytes[:], b)
	r.held++
	if r.armed {
		r.armed = false
		select {
		case r.notify <- struct{}{}:
		default: // one is there that nobody has taken: it says the same
		}
	}
	return dropped
}

// pop copies the oldest datagram into buf and removes it. tooLong counts those
// that it removed before because buf has no room for them: half a datagram must
// not look like a whole one.
func (r *ring) pop(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool, tooLong uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.held > 0 {
		d := &r.slots[r.oldest]
		r.drop()
		if d.n <= len(buf) {
			return copy(buf, d.bytes[:d.n]), d.from, d.at, true, tooLong
		}
		tooLong++
	}
	r.armed = true
	return 0, netip.AddrPort{}, time.Time{}, false, tooLong
}

// drop removes the oldest datagram. Its slot is as it was until the next push.
func (r *ring) drop() {
	r.oldest = (r.oldest + 1) % len(r.slots)
	r.held--
}

// close empties the ring for good.
func (r *ring) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held, r.closed = 0, true
}
