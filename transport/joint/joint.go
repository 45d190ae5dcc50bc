// Package joint combines several transports into one: a server can listen on UDP, take part in a room, and have clients
// in its own process, all at once. Each address belongs to one of the transports.
package joint

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Part is a part of a [Transport]: a tickback.Transport, an interface that this package does not import.
type Part interface {
	Send(to netip.AddrPort, datagram []byte) error
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	Notify() <-chan struct{}
	Close() error
}

// Route is a part and its addresses. Owns may be called by several goroutines at once.
type Route struct {
	Part Part
	// Owns reports whether an address belongs to the part.
	Owns func(a netip.AddrPort) bool
}

var (
	// ErrNoRoute means that an address belongs to no part.
	ErrNoRoute = errors.New("joint: no part has this address")
	// ErrPart means that a part is closed, while the transport is open.
	ErrPart = errors.New("joint: that part is closed")
)

// Transport is several transports as one. Its methods may be called by several goroutines at once.
// Make it with [New], and close it.
type Transport struct {
	routes []Route
	turn   atomic.Uint32
	strays atomic.Uint64
	notify chan struct{}
	done   chan struct{}
	once   sync.Once
	failed error
	wait   sync.WaitGroup
}

// New combines routes into a transport. An address belongs to the first route that owns it. The parts belong to the
// transport, which closes them.
func New(routes ...Route) *Transport {
	t := &Transport{routes: routes, notify: make(chan struct{}, 1), done: make(chan struct{})}
	for _, r := range routes {
		if r.Part.Notify() == nil {
			t.notify = nil // one of the parts does not notify
			return t
		}
	}
	for _, r := range routes {
		t.wait.Go(func() { t.forward(r.Part.Notify()) })
	}
	return t
}

// forward forwards the notifications of a part.
func (t *Transport) forward(arrivals <-chan struct{}) {
	for {
		select {
		case <-arrivals:
			select {
			case t.notify <- struct{}{}:
			default:
			}
		case <-t.done:
			return
		}
	}
}

// route returns the number of the part that owns an address, or -1.
func (t *Transport) route(a netip.AddrPort) int {
	for i := range t.routes {
		if t.routes[i].Owns(a) {
			return i
		}
	}
	return -1
}

// Send sends one datagram over the part that owns the address. The errors are those of the part, and [ErrNoRoute]. For
// a closed part the error is [ErrPart]: it is net.ErrClosed only if the whole transport is closed.
func (t *Transport) Send(to netip.AddrPort, datagram []byte) error {
	select {
	case <-t.done:
		return net.ErrClosed
	default:
	}
	i := t.route(to)
	if i < 0 {
		return ErrNoRoute
	}
	if err := t.routes[i].Part.Send(to, datagram); errors.Is(err, net.ErrClosed) {
		return ErrPart
	} else {
		return err
	}
}

// batcher is a part that sends several datagrams at once: tickback.BatchSender.
type batcher interface {
	SendBatch(to []netip.AddrPort, datagrams [][]byte) error
}

// SendBatch sends datagrams[i] to to[i], in this order, as Send would send each of them. A part that can send several
// at once gets consecutive datagrams together. The error is the first one.
func (t *Transport) SendBatch(to []netip.AddrPort, datagrams [][]byte) (failed error) {
	for len(datagrams) > 0 {
		i, n := t.route(to[0]), 1
		b, ok := batcher(nil), false
		if i >= 0 {
			b, ok = t.routes[i].Part.(batcher)
		}
		for ok && n < len(datagrams) && t.route(to[n]) == i {
			n++
		}
		var err error
		if n > 1 {
			err = t.together(b, to[:n], datagrams[:n])
		} else {
			err = t.Send(to[0], datagrams[0])
		}
		if failed == nil || errors.Is(err, net.ErrClosed) {
			failed = err
		}
		to, datagrams = to[n:], datagrams[n:]
	}
	return failed
}

// together sends datagrams over one part that can send several at once.
func (t *Transport) together(part batcher, to []netip.AddrPort, datagrams [][]byte) error {
	select {
	case <-t.done:
		return net.ErrClosed
	default:
	}
	if err := part.SendBatch(to, datagrams); errors.Is(err, net.ErrClosed) {
		return ErrPart
	} else {
		return err
	}
}

// Receive copies the next datagram that has arrived into buf. The parts take turns. A datagram from an address that
// another part owns is forged, so it is dropped and counted.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	first := t.turn.Load()
	for i := range uint32(len(t.routes)) {
		k := (first + i) % uint32(len(t.routes))
		for range maxStrays {
			n, from, at, ok = t.routes[k].Part.Receive(buf)
			if !ok {
				break
			}
			if t.route(from) == int(k) {
				t.turn.Store(k + 1)
				return n, from, at, true
			}
			t.strays.Add(1)
		}
	}
	return 0, netip.AddrPort{}, time.Time{}, false
}

// maxStrays is the maximum number of forged datagrams of a part that one call drops, so that a flood does not delay
// the call.
const maxStrays = 64

// Strays returns how many datagrams were dropped because another part owns their address.
func (t *Transport) Strays() uint64 { return t.strays.Load() }

// Notify returns a channel, always the same, that gets a value when a datagram has arrived since the last Receive that
// returned false. It returns nil if a part does not notify.
func (t *Transport) Notify() <-chan struct{} { return t.notify }

// Close closes all parts. When it returns, none of their goroutines is running. Closing twice is not an error.
func (t *Transport) Close() error {
	t.once.Do(func() {
		close(t.done)
		t.wait.Wait()
		var errs []error
		for _, r := range t.routes {
			errs = append(errs, r.Part.Close())
		}
		t.failed = errors.Join(errs...)
	})
	return t.failed
}
