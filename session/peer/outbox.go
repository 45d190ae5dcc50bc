package peer

import (
	"iter"
	"net/netip"
)

// Outbox holds datagrams until their owner fetches them, which it does after every call.
type Outbox struct {
	// Bytes are all waiting datagrams; append the next one, then call [Outbox.Seal].
	Bytes []byte
	// Most is the maximum number of waiting datagrams.
	Most int
	// Dropped counts datagrams for which there was no room.
	Dropped uint64

	list []outgoing

	most  int // the most bytes that waited at a time, among the newest turns
	turns int // how often they were fetched since most began anew
}

const (
	// A buffer is made smaller if it is more than spareShare times as large as was needed in turnsHeld turns: while peers
	// connect, datagrams are of full size, and later much smaller. One of smallBuffer bytes or less stays.
	spareShare, turnsHeld = 8, 256
	smallBuffer           = 1 << 10
)

// outgoing records where a datagram ends and where it goes.
type outgoing struct {
	to  netip.AddrPort
	end int
}

// Len returns the number of waiting datagrams.
func (o *Outbox) Len() int { return len(o.list) }

// Full reports whether there is no room for another datagram; if so, it counts one as dropped.
func (o *Outbox) Full() bool {
	if len(o.list) < o.Most {
		return false
	}
	o.Dropped++
	return true
}

// Start returns where the next datagram begins in Bytes.
func (o *Outbox) Start() int { return len(o.Bytes) }

// Seal completes the datagram that consists of the bytes since the last one, and returns its size.
func (o *Outbox) Seal(bytes []byte, to netip.AddrPort) (size int) {
	size = len(bytes) - o.Start()
	o.Bytes, o.list = bytes, append(o.list, outgoing{to, len(bytes)})
	return size
}

// All yields the datagrams, each with its destination, and removes them. The bytes are valid until the next one is
// sealed.
func (o *Outbox) All() iter.Seq2[netip.AddrPort, []byte] {
	return func(yield func(netip.AddrPort, []byte) bool) {
		start := 0
		for _, d := range o.list {
			if !yield(d.to, o.Bytes[start:d.end:d.end]) {
				break
			}
			start = d.end
		}
		if cap(o.Bytes) > smallBuffer { //detlint:ignore capacity how much memory is kept for the next datagrams changes none
			o.shrink()
		}
		o.Bytes, o.list = o.Bytes[:0], o.list[:0]
	}
}

// shrink counts a turn, and makes the buffer smaller if much less of it is needed now.
func (o *Outbox) shrink() {
	o.most = max(o.most, len(o.Bytes))
	if o.turns++; o.turns < turnsHeld {
		return
	}
	if o.most > 0 && cap(o.Bytes) > spareShare*o.most {
		o.Bytes = make([]byte, 0, 2*o.most)
	}
	o.most, o.turns = 0, 0
}
