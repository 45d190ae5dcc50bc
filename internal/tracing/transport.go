package tracing

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/trace"
)

// Transport is a transport that a tracer can wrap: the Transport of package tickback, which documents it.
type Transport interface {
	Send(to netip.AddrPort, datagram []byte) error
	Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool)
	Notify() <-chan struct{}
	Close() error
}

// batcher is a transport that sends several datagrams at once: the BatchSender of package tickback.
type batcher interface {
	SendBatch(to []netip.AddrPort, datagrams [][]byte) error
}

// Wrap returns a transport that writes every datagram to the trace. It can send several at once if inner can.
func (t *Tracer) Wrap(inner Transport) Transport {
	if b, ok := inner.(batcher); ok {
		return batching{transport{inner, t}, b}
	}
	return transport{inner, t}
}

// batching is a transport that sends several datagrams at once.
type batching struct {
	transport
	inner batcher
}

// SendBatch sends datagrams, and writes how long that took and whether it failed.
func (c batching) SendBatch(to []netip.AddrPort, datagrams [][]byte) error {
	t, size := c.tracer, 0
	for _, b := range datagrams {
		size += len(b)
	}
	began := t.now()
	err := c.inner.SendBatch(to, datagrams)
	name := "send"
	if err != nil {
		name = "send failed"
	}
	t.network.Slice(began, t.now().Sub(began), name, trace.Int("bytes", size), trace.Int("datagrams", len(datagrams)))
	for i, b := range datagrams {
		c.left(began, to[i], len(b))
	}
	return err
}

type transport struct {
	Transport
	tracer *Tracer
}

// Send sends a datagram, and writes how long that took.
func (c transport) Send(to netip.AddrPort, datagram []byte) error {
	t, size := c.tracer, len(datagram)
	began := t.now()
	err := c.Transport.Send(to, datagram)
	name := "send"
	if err != nil {
		name = "send failed"
	}
	t.network.Slice(began, t.now().Sub(began), name, trace.Int("bytes", size))
	c.left(began, to, size)
	return err
}

// left records a datagram that was sent.
func (c transport) left(at time.Time, to netip.AddrPort, size int) {
	if p := c.tracer.peerAt(to); p != nil {
		p.out.Instant(at, "datagram", trace.Int("bytes", size))
	}
	c.tracer.traffic.sent += int64(size)
}

// Receive receives a datagram, and writes it with its time of arrival, which may be some time before it is read.
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
