package classic

import (
	"iter"
	"net/netip"

	"github.com/tickback/tickback/classic/rbn1"
)

// queueDatagrams is the maximum number of datagrams in the queue: those of two calls of Advance that catch up as much
// as possible, and the same number of answers to HELLO and ACK.
const queueDatagrams = 4 * catchUp

// queue holds datagrams until they are sent. When it is full the oldest one is dropped: the newest packet has
// everything that matters.
type queue struct {
	slots  [queueDatagrams]outgoing
	oldest int
	held   int
}

type outgoing struct {
	to    netip.AddrPort
	bytes []byte // slices of room, which has space for any datagram
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

// offer is like push, for datagrams that must not displace packets: a flood of HELLO must not prevent inputs from
// being sent. It returns nil if there is no room.
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

// Outgoing yields and removes the datagrams to be sent, oldest first, with their destinations. The bytes belong to the
// match and are valid until the next call of [Match.Advance] or [Match.Receive]; call neither in the loop. If Outgoing
// is not called, the oldest datagrams are lost, as could happen in any network.
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
