package tickback

import (
	"net/netip"
	"time"
)

// Transport moves datagrams; package transport/udp has one. It may be used by
// several goroutines at once.
type Transport interface {
	// Send sends one datagram, and never waits for the other side. The bytes are
	// the caller's again when it returns. Datagrams may get lost, so an error is
	// only counted, unless it is net.ErrClosed.
	Send(to netip.AddrPort, datagram []byte) error
	// Receive copies the next datagram that has arrived into buf. It never blocks;
	// ok is false if there is none. at is when it arrived, as exactly as the
	// transport knows it, with a monotonic clock reading.
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	// Notify returns a channel, always the same, that gets a value when something
	// has arrived since the last Receive that returned false.
	Notify() <-chan struct{}
	// Close frees what the transport uses, and returns when nothing of it runs any
	// more.
	Close() error
}
