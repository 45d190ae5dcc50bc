package session

import (
	"time"

	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// How large a datagram may be is found out for each direction of a path: a Hello is
// padded, and the Welcome that answers it names it, so that its size has got through.
// Nothing larger is sent to that peer from then on, but for Hellos that try whether it
// gets through by now.

const (
	// narrowAfter is how long Hellos are not answered before small ones are tried, too.
	narrowAfter = time.Second
	// firstProbe is how long after a small Hello was answered a large one is tried
	// again, and lastProbe the longest interval; each is twice the one before. The first
	// ones come soon, for the path may be lossy, not narrow.
	firstProbe = 250 * time.Millisecond
	lastProbe  = 32 * time.Second
)

// width is how large a datagram may be that is sent to a peer.
type width struct {
	size  int           // of the largest Hello that was answered; 0 if none was
	probe time.Duration // when a larger one is tried
	every time.Duration // and the time from then to the next
}

// most returns how many bytes a datagram to the peer may have.
func (l *link) most() int {
	if l.width.size == 0 {
		return datagram.MaxSize // nothing is known, and nothing sent but what answers
	}
	return l.width.size
}

// carries notes that a Hello was answered: the path to the peer carries its size.
func (l *link) carries(attempt byte) {
	size := datagram.MinSize // if it is none that we know of
	if a := &l.attempts; a.of(attempt) {
		size = max(size, int(a.size[attempt]))
	}
	if size <= l.width.size {
		return
	}
	l.width.size = size
	l.Channel.SetFragment(reliable.MaxFragment - (datagram.MaxSize - size))
}

// receiveLater is a Welcome of a peer that is connected: it shows that the Hello that it
// answers has got through, and nothing else.
func (m *Machine) receiveLater(l *link, b []byte) {
	if l.width.size == datagram.MaxSize || l.state != connected {
		return // nothing more is to be learned, and what is decoded allocates
	}
	body, ok := datagram.Key(l.nonce).Open(b, 0)
	if !ok {
		return
	}
	if w, err := datagram.ConsumeWelcome(body); err == nil && w.Nonce == l.theirs {
		l.carries(w.Attempt)
	}
}

// probe tries whether the path to a peer carries large datagrams by now. Beside the
// datagrams of the session it costs little.
func (m *Machine) probe(l *link) {
	w := &l.width
	if w.size == datagram.MaxSize || l.state != connected || !l.proven() || m.now < w.probe {
		return
	}
	if w.every == 0 {
		w.every = firstProbe
	} else {
		m.sendHelloOf(l, datagram.MaxSize)
	}
	w.probe = m.now + w.every
	w.every = min(2*w.every, lastProbe)
}

// rooms is how the bytes of a datagram are shared by those who play here.
type rooms struct {
	players, turn         int
	forInputs, forOrders  int // bytes for all
	inputSize, ordersSize int // the most that a frame of one player needs
}

// rooms returns how the next datagram to a peer is shared. What is not for orders or
// inputs is for the largest header, and the tag; what they leave, for the control stream.
func (m *Machine) rooms(l *link) rooms {
	r := rooms{players: len(m.local), inputSize: datagram.TokenSize(m.sim.inputSize())}
	r.forInputs = l.most() - datagram.TagSize - 3 - maxPlayers*4*datagram.MaxVarint
	if m.cfg.MaxOrders > 0 {
		r.forOrders, r.ordersSize = min(ordersRoom, r.forInputs/2), m.inlineLimit()+datagram.OrderSize
		r.forInputs -= r.forOrders
	}
	r.turn = int(l.Next() / 2 % uint64(r.players)) // in every second one inputs may be left out
	return r
}

// inputs returns the bytes for the inputs of our i-th player.
func (r *rooms) inputs(i int) int { return r.share(i, r.forInputs, r.inputSize) }

// orders returns the bytes for its orders.
func (r *rooms) orders(i int) int { return r.share(i, r.forOrders, r.ordersSize) }

// share returns the part of our i-th player. If a small datagram has no room for all to
// go on, it has for some, in turn.
func (r *rooms) share(i, room, need int) int {
	if room == 0 {
		return 0
	}
	some := min(r.players, max(room/need, 1))
	if (i-r.turn+r.players)%r.players >= some {
		return 0
	}
	return room / some
}
