package tracing

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/trace"
)

// Transport is what a tracer wraps: the Transport of the front door, which explains it.
type Transport interface {
	Send(to netip.AddrPort, datagram []byte) error
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	Notify() <-chan struct{}
	Close() error
}

// Wrap returns a transport that writes every datagram to the trace.
func (t *Tracer) Wrap(inner Transport) Transport { return transport{inner, t} }

type transport struct {
	Transport
	tracer *Tracer
}

// Send also writes how long sending took.
func (c transport) Send(to netip.AddrPort, datagram []byte) error {
	t, size := c.tracer, len(datagram)
	began := t.now()
	err := c.Transport.Send(to, datagram)
	name := "send"
	if err != nil {
		name = "send failed"
	}
	t.network.Slice(began, t.now().Sub(began), name, trace.Int("bytes", size))
	if p := t.peerAt(to); p != nil {
		p.out.Instant(began, "datagram", trace.Int("bytes", size))
	}
	t.traffic.sent += int64(size)
	return err
}

// Receive also writes the datagram at its time of arrival, which may be some time before it is
// read.
func (c transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	n, from, at, ok = c.Transport.Receive(buf)
	if !ok {
		return n, from, at, ok
	}
	t := c.tracer
	if p := t.peerAt(netip.AddrPortFrom(from.Addr().Unmap(), from.Port())); p != nil {
		p.in.Instant(at, "datagram", trace.Int("bytes", n))
	} else {
		t.network.Instant(t.now(), "stranger", trace.Int("bytes", n))
	}
	t.traffic.received += int64(n)
	return n, from, at, ok
}

func (t *Tracer) peerAt(addr netip.AddrPort) *peerLanes {
	for i := range t.peers {
		if t.peers[i].addr == addr {
			return &t.peers[i]
		}
	}
	return nil
}

// measure writes once a second how many bytes were sent and received.
func (t *Tracer) measure(now time.Time) {
	f := &t.traffic
	if t.network == nil {
		return
	}
	if f.since.IsZero() {
		f.since = now
	}
	d := now.Sub(f.since)
	if d < time.Second {
		return
	}
	ms := int64(d / time.Millisecond)
	t.process.Counter(now, "payload a second", trace.Int("sent_bytes", f.sent*1000/ms), trace.Int("received_bytes", f.received*1000/ms))
	f.since, f.sent, f.received = now, 0, 0
}
