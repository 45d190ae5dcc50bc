package dtls

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

var _ tickback.Transport = (*Transport)(nil)

// testNetwork is a network in memory: every datagram takes its time, and passes the attacker on the path, if there is
// one.
type testNetwork struct {
	mu    sync.Mutex
	delay time.Duration
	ports map[netip.AddrPort]*port
	// way, if given, returns what arrives in place of a datagram. It may keep the bytes, and
	// must not change them. It is called by one goroutine at a time.
	way func(d passing) []passing
}

// passing is a datagram on its way.
type passing struct {
	from, to netip.AddrPort
	bytes    []byte
}

func newNetwork(delay time.Duration) *testNetwork {
	return &testNetwork{delay: delay, ports: map[netip.AddrPort]*port{}}
}

// onWay sets what happens to datagrams on their way.
func (n *testNetwork) onWay(way func(d passing) []passing) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.way = way
}

// inject lets a datagram arrive.
func (n *testNetwork) inject(d passing) {
	n.mu.Lock()
	p := n.ports[d.to]
	n.mu.Unlock()
	if p != nil {
		p.put(d)
	}
}

func (n *testNetwork) send(d passing) {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := []passing{d}
	if n.way != nil {
		list = n.way(d)
	}
	for _, d := range list {
		time.AfterFunc(n.delay, func() { n.inject(d) })
	}
}

// port is a place in the network: a tickback.Transport.
type port struct {
	n      *testNetwork
	mu     sync.Mutex
	addr   netip.AddrPort
	queue  []passing
	times  []time.Time
	notify chan struct{}
	closed bool
	sent   int // bytes
}

// port opens a port, replacing an earlier one at its address.
func (n *testNetwork) port(addr string) *port {
	p := &port{n: n, addr: netip.MustParseAddrPort(addr), notify: make(chan struct{}, 1)}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ports[p.addr] = p
	return p
}

// move gives a port another address, like a router that has forgotten a mapping.
func (p *port) move(addr string) {
	p.n.mu.Lock()
	defer p.n.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.n.ports, p.addr)
	p.addr = netip.MustParseAddrPort(addr)
	p.n.ports[p.addr] = p
}

func (p *port) put(d passing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue, p.times = append(p.queue, d), append(p.times, time.Now())
	select {
	case p.notify <- struct{}{}:
	default:
	}
}

func (p *port) Send(to netip.AddrPort, b []byte) error {
	p.mu.Lock()
	from, closed := p.addr, p.closed
	p.sent += len(b)
	p.mu.Unlock()
	if closed {
		return net.ErrClosed
	}
	p.n.send(passing{from, to, append([]byte(nil), b...)})
	return nil
}

func (p *port) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 || p.closed {
		return 0, from, at, false
	}
	d := p.queue[0]
	at, from = p.times[0], d.from
	p.queue, p.times = p.queue[1:], p.times[1:]
	return copy(buf, d.bytes), from, at, true
}

func (p *port) Notify() <-chan struct{} { return p.notify }

func (p *port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return nil
}

// end is a transport of a test, with the datagrams that it has received.
type end struct {
	*Transport
	port *port
	got  []passing // to is not set
}

// open makes a transport at an address.
func (n *testNetwork) open(t *testing.T, addr string, cfg Config) *end {
	t.Helper()
	p := n.port(addr)
	tr, err := New(p, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	return &end{Transport: tr, port: p}
}

// take receives everything that has arrived.
func (e *end) take() []passing {
	var buf [MaxDatagram]byte
	for {
		n, from, _, ok := e.Receive(buf[:])
		if !ok {
			return e.got
		}
		e.got = append(e.got, passing{from: from, bytes: append([]byte(nil), buf[:n]...)})
	}
}

// has reports whether a text has arrived, and from where.
func (e *end) has(text string) (from netip.AddrPort, ok bool) {
	for _, d := range e.take() {
		if string(d.bytes) == text {
			return d.from, true
		}
	}
	return from, false
}

// patience bounds every wait of these tests, which end as soon as the awaited condition
// holds.
const patience = 30 * time.Second

// eventually waits until a condition holds. In a bubble of synctest the time that this takes
// is not real.
func eventually(t *testing.T, what string, is func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !is() {
		if time.Since(began) > patience {
			t.Fatal("in vain: " + what)
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(began)
}

// say sends a text until it arrives at the other end.
func (e *end) say(t *testing.T, to *end, text string) (from netip.AddrPort) {
	t.Helper()
	var next time.Time
	eventually(t, text, func() (ok bool) {
		if now := time.Now(); !now.Before(next) {
			_ = e.Send(to.port.where(), []byte(text)) // until it is connected
			next = now.Add(20 * time.Millisecond)
		}
		from, ok = to.has(text)
		return ok
	})
	return from
}

func (p *port) where() netip.AddrPort {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addr
}

const (
	alice, bob, carol, mallory = "192.0.2.1:7000", "192.0.2.2:7000", "[2001:db8::3]:7000", "203.0.113.9:6666"
)
