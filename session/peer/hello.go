package peer

import (
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// hellos are those that were sent to a peer.
type hellos struct {
	next   time.Duration // when another one is due
	total  int
	last   byte // the number of the newest, in its low bits
	sentAt [256]time.Duration
	size   [256]uint16 // bytes
}

// of reports whether a Welcome answers one that we know of.
func (h *hellos) of(number byte) bool { return h.last-number < byte(min(h.total, 255)) }

// narrowAfter is how long Hellos are not answered before small ones are tried, too.
const narrowAfter = time.Second

// HelloInterval is how long after so long without an answer the next Hello is
// sent: at first often, so that a lost one costs little, then patiently.
func HelloInterval(since time.Duration) time.Duration {
	switch {
	case since < time.Second:
		return 25 * time.Millisecond
	case since < 5*time.Second:
		return 100 * time.Millisecond
	}
	return 250 * time.Millisecond
}

// HelloDue returns when the next Hello is due, as long as the peer has not answered.
func (l *Link) HelloDue() time.Duration { return l.hellos.next }

// HelloAt has the next Hello due at a time.
func (l *Link) HelloAt(at time.Duration) { l.hellos.next = at }

// HelloSoon has the next Hello sent now, since the peer is there; but not more often than
// anybody's Hellos should make us.
func (l *Link) HelloSoon(now time.Duration) {
	h := &l.hellos
	h.next = min(h.next, max(now, h.sentAt[h.last]+HelloInterval(0)))
}

// Hello asks a peer to answer; if it has not for a while, with a small Hello, too:
// the path may carry no large one. The large one goes first, so that on a path that
// carries it the answer that comes first is that to it. Whoever gives up sooner than after
// twice narrowAfter says when.
func (l *Link) Hello(now, givenUp time.Duration, out *Outbox) {
	since := now - l.Born
	l.hellos.next = now + HelloInterval(since)
	l.sendHello(now, datagram.MaxSize, out)
	if since >= min(narrowAfter, givenUp/2) {
		l.sendHello(now, datagram.MinSize, out)
	}
}

// sendHello sends a Hello with so many bytes.
func (l *Link) sendHello(now time.Duration, size int, out *Outbox) {
	h := &l.hellos
	h.total++
	h.last++
	h.sentAt[h.last], h.size[h.last] = now, uint16(size)
	if out.Full() {
		return
	}
	hello := datagram.Hello{Version: datagram.Version, Nonce: l.Nonce, Attempt: h.last}
	out.Seal(hello.AppendPadded(out.Bytes, size), l.Addr)
}
