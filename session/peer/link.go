package peer

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Link is the connection to a peer: a [Conn], whose maximum datagram size it determines, and which it moves when
// the peer's address changes. It begins with a handshake, in which both ends send Hellos and answer each other's
// with Welcomes; or on the connection of a spectator that is going to play: see [Pipe.Link].
type Link struct {
	*Conn
	// Channel is the control stream. The owner sends and receives messages.
	Channel *reliable.Channel
	// Heard is when an authentic datagram of the link last arrived, and Sent when one was last sent.
	Heard, Sent time.Duration
	// Born is when we started to look for the peer.
	Born time.Duration
	// Path is another address at which the peer may be. ReportedAddr is its address according
	// to a third peer.
	Path         Path
	ReportedAddr Reported

	hellos hellos
	proven bool          // whether a datagram of the link has arrived
	shared bool          // whether the connection also belongs to a pipe
	limit  int           // size of the largest Hello that was answered; 0 if none was
	probes probes        // for larger ones
	holes  int           // number of black holes of the path that have been handled: see carried
	since  time.Duration // Hellos from before do not count for the size limit
}

// NewLink creates the link to a peer that has not answered yet; nonce is our nonce for it. The peer may take a
// period to answer.
func NewLink(addr netip.AddrPort, nonce uint64, period, now time.Duration) *Link {
	return linkOn(&Conn{Addr: addr, Nonce: nonce, Period: period}, now)
}

// linkOn creates a link on a connection. Peers send all the time and wait for messages, so the time-out of a
// fragment doubles at most once.
func linkOn(c *Conn, now time.Duration) *Link {
	return &Link{Conn: c, Channel: channel(reliable.Config{Doublings: 1, Fragment: linkFragment}), Born: now, holes: c.carried.holes}
}

// channel creates a control stream. An invalid configuration is a bug in this package.
func channel(c reliable.Config) *reliable.Channel {
	made, err := reliable.New(c)
	if err != nil {
		panic(err)
	}
	return made
}

// Proven reports whether an authentic datagram of the link has arrived from the peer: it has our nonce, and we have
// its nonce. A Welcome alone proves neither, since the answer to a copy of our Hello that another machine has sent
// is authentic as well.
func (l *Link) Proven() bool { return l.proven }

// Arrive records the arrival of a valid datagram of the given size.
func (l *Link) Arrive(at time.Duration, sequence uint64, size int) {
	l.Conn.Arrive(at, sequence, size)
	l.Heard, l.proven = max(l.Heard, at), true
}

// Seal completes the datagram that begins at start in b, to be sent now.
func (l *Link) Seal(b []byte, start int, now time.Duration) []byte {
	l.Sent = now
	b = l.Conn.Seal(b, start, now)
	if l.carried.holes != l.holes {
		l.narrow(now)
	}
	return b
}

// narrow reduces the datagram size, since the path no longer carries large datagrams.
func (l *Link) narrow(now time.Duration) {
	l.holes, l.since = l.carried.holes, now
	l.limit = min(l.limit, datagram.MinSize)
	l.probes.after(l.holes, now)
}

// Shared reports whether the connection still belongs to a pipe: the other end's nonce is that of its pipe, which a
// process can give up.
func (l *Link) Shared() bool { return l.shared }

// Answered handles a Welcome with the peer's nonce and the number of the Hello that it answers. If the peer stays
// unproven, the next Hello is due at next.
//
// A link that shares the connection of a pipe leaves it if the nonce is a different one: the peer has not created
// its end of the link on that connection.
func (l *Link) Answered(at time.Duration, nonce uint64, number byte, next time.Duration) {
	if l.shared && nonce != l.Theirs {
		l.Conn, l.shared = &Conn{Addr: l.Addr, Nonce: l.Nonce, Period: l.Period, RoundTrip: l.RoundTrip}, false
	}
	l.Key(l.Nonce, nonce)
	if h := &l.hellos; h.of(number) {
		l.RoundTrip.Add(at - h.at(number).at)
	}
	l.carries(number)
	l.Channel.SetTimeout(l.Timeout())
	l.hellos.next = next
}

// Measure evaluates a sample from the peer.
func (l *Link) Measure(at time.Duration, s *datagram.Sample) {
	l.Conn.Measure(at, s)
	l.Channel.SetTimeout(l.Timeout())
}

// AnsweredAgain handles another Welcome from a peer that has answered before. It only shows that the answered Hello
// got through.
func (l *Link) AnsweredAgain(b []byte) {
	if l.limit == datagram.MaxSize {
		return // nothing more can be learned, and decoding allocates
	}
	if w, ok := datagram.OpenWelcome(l.Nonce, b); ok && w.Nonce == l.Theirs {
		l.carries(w.Attempt)
	}
}

// The size limit of datagrams is determined for each direction of a path. Hellos are padded, and the Welcome that
// answers one contains its number, which proves that its size got through. From then on nothing larger is sent to
// that peer, except Hellos that probe whether larger datagrams get through by now.

// Limit returns the largest proven size of datagrams to the peer, in bytes; 0 before it has answered.
func (l *Link) Limit() int { return l.limit }

// Most returns how large the next datagram to the peer may be, in bytes.
func (l *Link) Most() int {
	if l.limit == 0 {
		return datagram.MaxSize // nothing is known yet, and only answers are sent
	}
	return l.carried.most(l.limit)
}

// carries records that a Hello was answered, so the path to the peer carries its size.
func (l *Link) carries(number byte) {
	size := datagram.MinSize // for a Hello that is not recorded
	if h := &l.hellos; h.of(number) && h.at(number).at >= l.since {
		size = max(size, h.at(number).size)
	}
	l.widen(size)
}

// widen records that the path to the peer carries datagrams of this size.
func (l *Link) widen(size int) {
	l.limit = max(l.limit, size)
}

// Probe checks from time to time whether the path to a peer carries large datagrams by now. It costs little
// compared with the datagrams of a session.
func (l *Link) Probe(now time.Duration, out *Outbox) {
	if l.limit < datagram.MaxSize {
		l.probe(now, out)
	}
}

func (l *Link) probe(now time.Duration, out *Outbox) {
	switch p := &l.probes; {
	case !l.Proven() || now < p.next:
		return
	case p.every != 0:
		l.hellos.send(now, datagram.MaxSize, datagram.Hello{Nonce: l.Nonce}, l.Addr, out)
	}
	l.probes.sent(now)
}
