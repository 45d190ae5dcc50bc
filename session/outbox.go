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
	ends    []int
	to      []netip.AddrPort
	dropped uint64
}

// full reports whether there is no room for another datagram.
func (o *outbox) full() bool {
	if len(o.to) < maxOutgoing {
		return false
	}
	o.dropped++
	return true
}

// seal closes the datagram that consists of the bytes since the last one.
func (o *outbox) seal(bytes []byte, to netip.AddrPort) (size int) {
	start := o.start()
	o.bytes, o.ends, o.to = bytes, append(o.ends, len(bytes)), append(o.to, to)
	return len(bytes) - start
}

// start is where the next datagram begins.
func (o *outbox) start() int {
	if n := len(o.ends); n > 0 {
		return o.ends[n-1]
	}
	return 0
}

// Outgoing yields the datagrams to send, each with its destination, and forgets
// them. The bytes are the session's, valid until its next call.
func (m *Machine) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return func(yield func(netip.AddrPort, []byte) bool) {
		o := &m.out
		start := 0
		for i, to := range o.to {
			if !yield(to, o.bytes[start:o.ends[i]:o.ends[i]]) {
				break
			}
			start = o.ends[i]
		}
		o.bytes, o.ends, o.to = o.bytes[:0], o.ends[:0], o.to[:0]
	}
}
