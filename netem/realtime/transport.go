package realtime

import (
	"net/netip"
	"time"
)

// Transport is the interface of a transport that can be wrapped: it moves datagrams, as UDP does. Its methods may be
// called by several goroutines at once.
type Transport interface {
	// Send sends a datagram, and does not keep it.
	Send(to netip.AddrPort, datagram []byte) error
	// Receive copies the next datagram that has come into buf. It does not wait:
	// ok is false if there is none.
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	// Notify returns a channel that has a value when there may be something to
	// receive.
	Notify() <-chan struct{}
	// Close closes the transport, and ends a Send in progress.
	Close() error
}

// Receive receives from the wrapped transport. Received datagrams are not impaired.
func (t *Impaired) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return t.inner.Receive(buf)
}

// Notify returns the channel of the wrapped transport.
func (t *Impaired) Notify() <-chan struct{} { return t.inner.Notify() }
