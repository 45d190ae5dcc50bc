package reliable

import (
	"slices"
	"time"
)

const (
	// Window is how many fragments, counted from the oldest unacknowledged one, may be in flight. An
	// acknowledgement has a bit for each. If each fragment fills a datagram and the round trip is 100 ms, this
	// allows 2.4 MB/s.
	Window = 256

	// minCut is the minimum size of a fragment that does not end its message: below it, the overhead of a fragment
	// costs more than the rest of the datagram is worth.
	minCut = 64

	// fastThreshold is how many later sections have to be acknowledged for a
	// fragment to count as lost: the duplicate threshold of RFC 5681, section 3.2,
	// and the packet threshold of RFC 9002, section 6.1.1.
	fastThreshold = 3

	// messageCost is what a message uses of a backlog in addition to its bytes, so that many tiny messages cannot
	// use unbounded memory.
	messageCost = 16
)

// outgoing is a fragment that was sent and is not acknowledged, or that is acknowledged and waits for an older one.
type outgoing struct {
	length       int
	continues    bool
	acknowledged bool
	later        int           // later sections that were acknowledged
	doublings    int           // how often the time-out was doubled
	first, last  uint64        // the first and the last section that it was sent in
	sent         time.Duration // when the last one was sent
}

// sender holds messages until they have arrived.
type sender struct {
	maxMessage, backlog int
	doublings           int    // maximum for a time-out
	window              uint64 // at most Window
	largest             int    // maximum bytes of a new fragment
	timeout             time.Duration
	eager               bool

	bytes    fifo[byte]   // the bytes of all messages, from the oldest fragment on
	underWay int          // how many of these bytes have been cut into fragments
	uncut    fifo[uint32] // how much of each message is left to cut

	una, next uint64        // fragments una to next-1 are in the ring
	section   uint64        // number of the next section with fragments
	shortest  time.Duration // the shortest round trip so far
	stats     *Stats
	ring      []outgoing // a power of two up to Window, as long as needed so far
}

func (s *sender) fragment(n uint64) *outgoing { return &s.ring[n&uint64(len(s.ring)-1)] }

// leastRing is the initial length of a ring: most connections carry small messages, one by one.
const leastRing = 4

// makeRoom makes room for another fragment.
func (s *sender) makeRoom() {
	if s.next-s.una < uint64(len(s.ring)) {
		return
	}
	old := *s
	s.ring = make([]outgoing, max(2*len(s.ring), leastRing))
	for n := s.una; n < s.next; n++ {
		*s.fragment(n) = *old.fragment(n)
	}
}

func (s *sender) send(message []byte) error {
	switch {
	case len(message) == 0:
		return ErrEmpty
	case len(message) > s.maxMessage:
		return ErrTooLong
	case s.bytes.len()+len(message)+messageCost*(s.uncut.len()+1) > s.backlog:
		return ErrFull
	}
	s.bytes.push(message...)
	s.uncut.push(uint32(len(message)))
	return nil
}

// idle reports whether there is nothing to do until the next message.
func (s *sender) idle() bool { return s.bytes.len() == 0 }

// mayCut reports whether there are bytes and the window allows a new fragment.
func (s *sender) mayCut() bool { return s.uncut.len() > 0 && s.next-s.una < s.window }

// due returns when to send the next fragment.
func (s *sender) due(now time.Duration) (at time.Duration, any bool) {
	if s.mayCut() {
		return now, true
	}
	for n := s.una; n < s.next; n++ {
		f := s.fragment(n)
		if f.acknowledged {
			continue
		}
		if t := s.dueAgain(f, now); !any || t < at {
			at, any = t, true
		}
	}
	return at, any
}

// dueAgain returns when to resend f.
func (s *sender) dueAgain(f *outgoing, now time.Duration) time.Duration {
	if f.later >= fastThreshold {
		return now
	}
	timeout := s.timeout
	for range f.doublings {
		timeout *= 2
	}
	return max(now, f.sent+min(timeout, MaxTimeout))
}

// write fills a section: first with fragments that are due again, then with new ones.
func (s *sender) write(w *sectionWriter, now time.Duration) {
	repeat := s.eager && s.bytes.len() <= EagerLimit
	offset := 0
	for n := s.una; n < s.next; n++ {
		f := s.fragment(n)
		fast := f.later >= fastThreshold
		if !f.acknowledged && (repeat && f.sent < now || s.dueAgain(f, now) == now) &&
			w.room(n, f.length) == f.length {
			if !fast && !repeat && f.doublings < s.doublings {
				f.doublings++
			}
			s.put(w, n, s.bytes.at(offset, f.length), now)
			s.stats.Resent++
		}
		offset += f.length
	}
	for s.mayCut() && s.cut(w, now) {
	}
	if w.count > 0 {
		s.section++
	}
}

// cut creates the next fragment, as large as fits into the section.
func (s *sender) cut(w *sectionWriter, now time.Duration) bool {
	left := &s.uncut.at(0, 1)[0]
	length := min(int(*left), s.largest)
	if room := w.room(s.next, length); room < length {
		if room < s.minCut() {
			return false
		}
		length = room
	}
	*left -= uint32(length)
	s.makeRoom()
	*s.fragment(s.next) = outgoing{length: length, continues: *left > 0, first: s.section}
	if *left == 0 {
		s.uncut.drop(1)
	}
	s.put(w, s.next, s.bytes.at(s.underWay, length), now)
	s.underWay += length
	s.next++
	return true
}

// minCut returns the current minimum size of a fragment. Once half of the window is used, a small fragment would
// waste a place in it, and a loss would stall the transfer sooner.
func (s *sender) minCut() int {
	if s.next-s.una < Window/2 {
		return minCut
	}
	return max(s.largest/2, minCut)
}

// put writes fragment n and records that it was sent.
func (s *sender) put(w *sectionWriter, n uint64, bytes []byte, now time.Duration) {
	f := s.fragment(n)
	f.later, f.last, f.sent = 0, s.section, now
	w.fragment(n, bytes, f.continues)
	s.stats.Sent++
}

// acknowledge handles an acknowledgement. Earlier ones remain valid.
func (s *sender) acknowledge(a *acknowledgement, now time.Duration) error {
	if a.arrived > s.next || a.beyond() > s.next { // both: beyond may wrap
		return ErrNeverSent
	}
	var news [Window]uint64 // sections of fragments that are acknowledged for the first time
	count := 0
	for n := s.una; n < s.next; n++ {
		if f := s.fragment(n); !f.acknowledged && a.has(n) {
			f.acknowledged = true
			count = addSection(&news, count, s.arrivedIn(f, now))
		}
	}
	if count == 0 {
		return nil
	}
	for s.una < s.next && s.fragment(s.una).acknowledged {
		length := s.fragment(s.una).length
		s.bytes.drop(length)
		s.underWay -= length
		s.una++
	}
	for n := s.una; n < s.next; n++ {
		s.fragment(n).passedBy(news[:count])
	}
	return nil
}

// arrivedIn returns the section in which f arrived, inferred from when it is acknowledged. If that is sooner after
// the last section than the shortest round trip, it was the first (RFC 8985, section 6.2, step 2). Otherwise a
// repetition caused by reordering would cause more repetitions.
func (s *sender) arrivedIn(f *outgoing, now time.Duration) uint64 {
	took := now - f.sent
	if f.first == f.last && took < s.shortest {
		s.shortest = took
	}
	if took < s.shortest {
		return f.first
	}
	return f.last
}

// addSection adds a section to a list of count sections, unless it is there already.
func addSection(sections *[Window]uint64, count int, section uint64) int {
	if slices.Contains(sections[:count], section) {
		return count
	}
	sections[count] = section
	return count + 1
}

// passedBy records that fragments of these sections were acknowledged while f was not. The path works, so the
// time-out of f starts over.
func (f *outgoing) passedBy(sections []uint64) {
	f.doublings = 0
	for _, section := range sections {
		if section > f.last {
			f.later++
		}
	}
}
