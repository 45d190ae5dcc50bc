// Package inbox queues datagrams of several peers until they are received: one queue for each peer, served in turn,
// so that a flood from one peer does not affect the others.
package inbox

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	// MaxDatagram is the maximum size of a datagram in bytes: with the headers of SCTP, DTLS, UDP and IP it passes
	// every path without fragmentation.
	MaxDatagram = 1200

	// PerPeer is how many datagrams of one peer are queued until they are received: half a second (a hitch of the
	// receiver) at 60 a second is 30; this is twice as many, rounded up.
	PerPeer = 64

	// MaxGone is how many peers that have left may still have datagrams here: as many as there are other players in a
	// match, and one more.
	MaxGone = 16
)

// arrival is one slot of a ring.
type arrival struct {
	from  netip.AddrPort
	at    time.Time
	n     int
	bytes [MaxDatagram]byte
}

// Ring holds the datagrams of one peer. It belongs to its queue.
type Ring struct {
	slots []arrival // allocated for the first datagram
	first int
	n     int
	gone  bool // the peer has left, so nothing more arrives
}

// push adds a datagram, and reports whether the oldest was dropped for it.
func (r *Ring) push(from netip.AddrPort, b []byte, at time.Time) (dropped bool) {
	if r.slots == nil {
		r.slots = make([]arrival, PerPeer)
	}
	if dropped = r.n == len(r.slots); dropped {
		r.first = (r.first + 1) % len(r.slots)
		r.n--
	}
	s := &r.slots[(r.first+r.n)%len(r.slots)]
	s.from, s.at, s.n = from, at, copy(s.bytes[:], b)
	r.n++
	return dropped
}

// pop removes and returns the oldest datagram, which is valid until the next push.
func (r *Ring) pop() *arrival {
	s := &r.slots[r.first]
	r.first = (r.first + 1) % len(r.slots)
	r.n--
	return s
}

// Counts says what has become of datagrams that arrived.
type Counts struct {
	Received, ReceivedBytes uint64 // those of at most MaxDatagram bytes, and their bytes
	Overflowed              uint64 // those that were dropped, because newer ones of the same peer came before anybody received them
	TooLong                 uint64 // those of more than MaxDatagram bytes, or that did not fit the buffer given to Receive
}

// Queue holds the rings of all peers, which are served in turn. Its methods may be called by several goroutines at
// once. Make one with [New].
type Queue struct {
	mu     sync.Mutex
	rings  []*Ring
	counts Counts
	turn   int
	armed  bool // Receive has found nothing since the last notification
	closed bool
	notify chan struct{}
}

// New returns a queue without peers.
func New() *Queue { return &Queue{armed: true, notify: make(chan struct{}, 1)} }

// Join makes a ring for a peer.
func (q *Queue) Join() *Ring {
	q.mu.Lock()
	defer q.mu.Unlock()
	r := new(Ring)
	q.rings = append(q.rings, r)
	return r
}

// Leave makes the queue accept nothing more from a peer. Earlier datagrams can still be received, since it may include
// its last messages, such as a goodbye; but only for the last MaxGone peers that have left.
func (q *Queue) Leave(r *Ring) {
	q.mu.Lock()
	defer q.mu.Unlock()
	r.gone = true
	q.rings = slices.DeleteFunc(q.rings, func(o *Ring) bool { return o == r })
	if r.n == 0 || q.closed {
		return
	}
	q.rings = append(q.rings, r) // keeps the rings of departed peers in the order in which they left
	if gone := slices.DeleteFunc(slices.Clone(q.rings), func(o *Ring) bool { return !o.gone }); len(gone) > MaxGone {
		q.rings = slices.DeleteFunc(q.rings, func(o *Ring) bool { return o == gone[0] })
	}
}

// Push adds a datagram to a ring, which Receive returns as one from this address. It drops and counts what is too long.
func (q *Queue) Push(r *Ring, from netip.AddrPort, b []byte, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(b) > MaxDatagram {
		q.counts.TooLong++
		return
	}
	q.counts.Received++
	q.counts.ReceivedBytes += uint64(len(b))
	if q.closed || r.gone {
		return
	}
	if r.push(from, b, at) {
		q.counts.Overflowed++
	}
	if q.armed {
		q.armed = false
		select {
		case q.notify <- struct{}{}:
		default: // the channel still has a value, which is enough
		}
	}
}

// Receive copies a datagram of the peer whose turn it is into buf. It drops and counts those before it that do not fit.
func (q *Queue) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for range q.rings {
		q.turn = (q.turn + 1) % len(q.rings)
		r := q.rings[q.turn]
		for r.n > 0 {
			a := r.pop()
			if a.n <= len(buf) {
				return copy(buf, a.bytes[:a.n]), a.from, a.at, true
			}
			q.counts.TooLong++
		}
	}
	q.rings = slices.DeleteFunc(q.rings, func(r *Ring) bool { return r.gone }) // these rings are empty
	q.armed = true
	return 0, netip.AddrPort{}, time.Time{}, false
}

// Counts returns the counts so far.
func (q *Queue) Counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counts
}

// Close discards everything. Nothing can be pushed or received after that.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.rings, q.closed = nil, true
}

// Notify returns a channel, always the same, that gets a value when a datagram has arrived
// since the last Receive that found nothing.
func (q *Queue) Notify() <-chan struct{} { return q.notify }
