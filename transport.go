package tickback

import (
	"net/netip"
	"time"
)

// Transport sends and receives datagrams; transport/udp is one. It must be safe for use by
// several goroutines.
type Transport interface {
	// Send sends one datagram, and never waits for the other side. It does not keep the bytes. Datagrams may get lost, so
	// an error is merely counted, unless it is net.ErrClosed.
	Send(to netip.AddrPort, datagram []byte) error
	// Receive copies the next datagram that has arrived into buf. It never blocks; ok is false if there is none. at is the
	// time of arrival, as precisely as the transport knows it, with a monotonic clock reading.
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	// Notify returns a channel, always the same, that gets a value when a datagram has arrived since the last Receive
	// that returned false. A nil channel means that the transport does not notify; a waiting caller then polls it
	// every millisecond.
	Notify() <-chan struct{}
	// Close frees the transport's resources, and returns when none of its goroutines is running.
	Close() error
}

// BatchSender is a [Transport] that sends several datagrams at once, which costs less than sending them one by one;
// transport/udp is one. Implementing it is optional: without it, each datagram is sent by itself.
type BatchSender interface {
	// SendBatch sends datagrams[i] to to[i], in this order, as Send would send each of them: a failure does not stop
	// the others. It keeps neither the lists nor the bytes, and nothing is pending when it returns. It returns the
	// first error, but net.ErrClosed if the transport is closed.
	SendBatch(to []netip.AddrPort, datagrams [][]byte) error
}

// Reacher is a [Transport] that knows which addresses it can never reach, such as those of the network from a socket
// that is bound to loopback; transport/udp is one. Implementing it is optional. With it, an address that cannot work is
// refused at once instead of after a timeout.
type Reacher interface {
	// Reaches returns the reason why datagrams never arrive at an address, or nil if they may arrive. It sends nothing.
	Reaches(to netip.AddrPort) error
}

// checkReach returns an error about the options if the transport can never reach one of these addresses; name is
// the field of the options that has them.
func checkReach(of, name string, t Transport, at ...netip.AddrPort) error {
	r, ok := t.(Reacher)
	if !ok {
		return nil
	}
	for _, a := range at {
		if !a.IsValid() || a.Port() == 0 {
			continue // reported elsewhere
		}
		if err := r.Reaches(a); err != nil {
			return refusef(of, "%s: %w: bind the socket to all addresses, as udp.Listen(\":7000\") does, or to one from which that can be reached", name, err)
		}
	}
	return nil
}
