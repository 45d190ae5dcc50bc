package classic

import (
	"iter"
	"net/netip"

	"github.com/tickback/tickback/classic/rbn1"
)

// queueDatagrams is how many datagrams wait to be sent: two calls of Advance with
// all that they may make up for, and as many answers to HELLO and ACK.
const queueDatagrams = 4 * catchUp

// queue holds datagrams until they are sent. When it is full the oldest one is lost:
// the newest packet has all that matters.
type queue struct {
	slots  [queueDatagrams]outgoing
	oldest int
	held   int
}

type outgoing struct {
	to    netip.AddrPort
	bytes []byte // into room, which is enough for any
	room  [rbn1.MaxSize]byte
}

// push returns the slot of a new datagram, to be filled.
func (q *queue) push(to netip.AddrPort) *[]byte {
	if q.held == queueDatagrams {
		q.drop()
	}
	o := &q.slots[(q.oldest+q.held)%queueDatagrams]
	q.held++
	o.to, o.bytes = to, o.room[:0]
	return &o.bytes
}

// offer is push for what must not displace packets: a flood of HELLO must not keep
// inputs from being sent. It returns nil if there is no room.
func (q *queue) offer(to netip.AddrPort) *[]byte {
	if q.held >= queueDatagrams/2 {
		return nil
	}
	return q.push(to)
}

func (q *queue) drop() {
	q.oldest = (q.oldest + 1) % queueDatagrams
	q.held--
}

// pop removes the oldest datagram and returns it.
func (q *queue) pop() (to netip.AddrPort, datagram []byte) {
	o := &q.slots[q.oldest]
	q.drop()
	return o.to, o.bytes
}

// Outgoing yields the datagrams that are to be sent, oldest first, with where to,
// and removes them. The bytes are the match's, valid until the next call of
// [Match.Advance] or [Match.Receive]; call neither in the loop. If nobody
// calls it the oldest datagrams are lost, as they may be anywhere.
func (m *Match[S, I]) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	q := &m.out
	return func(yield func(netip.AddrPort, []byte) bool) {
		for q.held > 0 {
			if !yield(q.pop()) {
				return
			}
		}
	}
}
