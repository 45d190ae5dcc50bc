package peer

import (
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Link is the way to a peer: a [Conn] that begins with a handshake, finds out how large
// datagrams may be, and follows the peer to other addresses. Both ends send Hellos, and
// answer those of the other end with Welcomes.
type Link struct {
	Conn
	// Nonce is ours, for the peer, and Theirs its own, for us, once it has answered.
	Nonce, Theirs uint64
	// Born is when we began to look for it.
	Born time.Duration
	// Path is another address at which it may be, and Vouched where it is as a third
	// peer says.
	Path    Path
	Vouched Vouched

	hellos hellos
	limit  int    // bytes of the largest Hello that was answered; 0 if none was
	probes probes // of a larger one
}

// Proven reports whether something authentic has come from the peer: it has our
// nonce, and we have its own. A Welcome alone shows neither, for an answer to somebody
// else's copy of our Hello opens as well.
func (l *Link) Proven() bool { return l.Counts.Received > 0 }

// Answered takes a Welcome that has arrived, with the peer's nonce, and the number of the Hello
// that it answers. The next Hello, if the peer remains doubtful, is due at next.
func (l *Link) Answered(at time.Duration, nonce uint64, number byte, next time.Duration) {
	l.Theirs = nonce
	l.Key(l.Nonce, nonce)
	if h := &l.hellos; h.of(number) {
		l.RoundTrip.Add(at - h.sentAt[number])
	}
	l.carries(number)
	l.Channel.SetTimeout(l.RoundTrip.Timeout(l.Period))
	l.hellos.next = next
}

// AnsweredAgain takes another Welcome of a peer that has answered: it shows that the Hello
// that it answers has got through, and nothing else.
func (l *Link) AnsweredAgain(b []byte) {
	if l.limit == datagram.MaxSize {
		return // nothing more is to be learned, and what is decoded allocates
	}
	body, ok := datagram.Key(l.Nonce).Open(b, 0)
	if !ok {
		return
	}
	if w, err := datagram.ConsumeWelcome(body); err == nil && w.Nonce == l.Theirs {
		l.carries(w.Attempt)
	}
}

// How large a datagram may be is found out for each direction of a path: a Hello is
// padded, and the Welcome that answers it names it, so that its size has got through.
// Nothing larger is sent to that peer from then on, but for Hellos that try whether it
// gets through by now.

// Limit returns how many bytes the largest datagram may have that is sent to the peer; 0
// before it has answered.
func (l *Link) Limit() int { return l.limit }

// Most returns how many bytes a datagram to the peer may have.
func (l *Link) Most() int {
	if l.limit == 0 {
		return datagram.MaxSize // nothing is known, and nothing sent but what answers
	}
	return l.limit
}

// carries notes that a Hello was answered: the path to the peer carries its size.
func (l *Link) carries(number byte) {
	size := datagram.MinSize // if it is none that we know of
	if h := &l.hellos; h.of(number) {
		size = max(size, int(h.size[number]))
	}
	if size <= l.limit {
		return
	}
	l.limit = size
	l.Channel.SetFragment(reliable.MaxFragment - (datagram.MaxSize - size))
}

// Probe tries now and then whether the path to a peer carries large datagrams by now. Beside
// the datagrams of a session it costs little.
func (l *Link) Probe(now time.Duration, out *Outbox) {
	switch p := &l.probes; {
	case l.limit == datagram.MaxSize || !l.Proven() || now < p.next:
		return
	case p.every != 0:
		l.sendHello(now, datagram.MaxSize, out)
	}
	l.probes.sent(now)
}
