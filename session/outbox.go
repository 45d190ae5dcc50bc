package session

import (
	"iter"
	"net/netip"
)

// maxOutgoing bounds the datagrams that wait to be taken: eight for each of eight
// peers. Their owner takes them after every call, so that it is never reached.
const maxOutgoing = 64

// outbox holds datagrams until their owner takes them.
type outbox struct {
	bytes   []byte
	list    []outgoing
	dropped uint64
}

// outgoing is where a datagram ends, and where it goes.
type outgoing struct {
	to  netip.AddrPort
	end int
}

// full reports whether there is no room for another datagram.
func (o *outbox) full() bool {
	if len(o.list) < maxOutgoing {
		return false
	}
	o.dropped++
	return true
}

// seal closes the datagram that consists of the bytes since the last one.
func (o *outbox) seal(bytes []byte, to netip.AddrPort) (size int) {
	start := o.start()
	o.bytes, o.list = bytes, append(o.list, outgoing{to, len(bytes)})
	return len(bytes) - start
}

// start is where the next datagram begins.
func (o *outbox) start() int {
	return len(o.bytes)
}

// Outgoing yields the datagrams to send, each with its destination, and forgets
// them. The bytes are the session's, valid until its next call.
func (m *Machine) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return func(yield func(netip.AddrPort, []byte) bool) {
		o := &m.out
		start := 0
		for _, d := range o.list {
			if !yield(d.to, o.bytes[start:d.end:d.end]) {
				break
			}
			start = d.end
		}
		o.bytes, o.list = o.bytes[:0], o.list[:0]
	}
}
