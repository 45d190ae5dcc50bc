package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// hellos are the Hellos sent to a peer.
type hellos struct {
	next  time.Duration // when the next one is due
	total int
	last  byte        // number of the newest, truncated to 8 bits
	sent  []helloSent // by number, in a ring of a power of two up to 256
}

// helloSent is a Hello that was sent.
type helloSent struct {
	at   time.Duration
	size int // bytes
}

// at returns the Hello with this number; it is empty if none was sent.
func (h *hellos) at(number byte) helloSent {
	if len(h.sent) == 0 {
		return helloSent{}
	}
	return h.sent[int(number)&(len(h.sent)-1)]
}

// add records another Hello. Most peers answer one of the first, so there is memory for only a few at first.
func (h *hellos) add(g helloSent) {
	if size := len(h.sent); h.total >= size && size < 256 {
		old := *h
		h.sent = make([]helloSent, max(2*size, 8))
		for i := range byte(size) {
			h.sent[int(h.last-i)&(len(h.sent)-1)] = old.at(h.last - i)
		}
	}
	h.total++
	h.last++
	h.sent[int(h.last)&(len(h.sent)-1)] = g
}

// of reports whether a Hello with this number is recorded.
func (h *hellos) of(number byte) bool { return h.last-number < byte(min(h.total, 255)) }

// narrowAfter is how long Hellos go unanswered before small ones are sent as well.
const narrowAfter = time.Second

// HelloInterval returns how long to wait between Hellos to a peer that has not answered for this long: a short time
// at first, so that a lost Hello costs little, and longer later.
func HelloInterval(since time.Duration) time.Duration {
	switch {
	case since < time.Second:
		return 25 * time.Millisecond
	case since < 5*time.Second:
		return 100 * time.Millisecond
	}
	return 250 * time.Millisecond
}

// HelloDue returns when the next Hello to a peer that has not answered is due.
func (l *Link) HelloDue() time.Duration { return l.hellos.next }

// HelloAt sets when the next Hello is due.
func (l *Link) HelloAt(at time.Duration) { l.hellos.next = at }

// HelloSoon makes the next Hello due now, since the peer is there. It respects the minimum interval, since Hellos
// of strangers can trigger this.
func (l *Link) HelloSoon(now time.Duration) {
	h := &l.hellos
	h.next = min(h.next, max(now, h.at(h.last).at+HelloInterval(0)))
}

// Hello sends a Hello to a peer; see [Caller.Hello].
func (l *Link) Hello(now, givenUp time.Duration, out *Outbox) {
	since := now - l.Born
	l.hellos.call(now, HelloInterval(since), since, givenUp, datagram.Hello{Nonce: l.Nonce}, l.Addr, out)
}

// call sends a Hello to a machine that has not answered for the duration since. The next one is due after an
// interval.
func (h *hellos) call(now, interval, since, givenUp time.Duration, hello datagram.Hello, to netip.AddrPort, out *Outbox) {
	h.next = now + interval
	h.send(now, datagram.MaxSize, hello, to, out)
	if since >= min(narrowAfter, givenUp/2) {
		h.send(now, datagram.MinSize, hello, to, out)
	}
}

// send sends a Hello of this size.
func (h *hellos) send(now time.Duration, size int, hello datagram.Hello, to netip.AddrPort, out *Outbox) {
	h.add(helloSent{now, size})
	if out.Full() {
		return
	}
	hello.Version, hello.Attempt = datagram.Version, h.last
	out.Seal(hello.AppendPadded(out.Bytes, size), to)
}
