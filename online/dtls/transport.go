package dtls

import (
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/transport/udp"
)

// Transport is a tickback.Transport that encrypts. Its methods may be called by several goroutines at once. Make one
// with [New] or [Listen], and close it.
type Transport struct {
	under  tickback.Transport
	log    *slog.Logger
	queue  *inbox.Queue
	counts counters
	began  time.Time

	mu        sync.RWMutex // guards the fields below
	keys      keyring
	greeter   greeter
	roster    roster
	conns     connections
	strangers bucket // limits the handshakes that strangers begin
	closed    bool

	closing chan struct{}
	failed  error // the error of closing the underlying transport
	loops   sync.WaitGroup
}

// New makes a transport over another one, such as a [udp.Conn], and takes ownership of it: nothing else may receive
// from it, and Close closes it. The error wraps [ErrConfig]; in that case under is unchanged.
func New(under tickback.Transport, cfg Config) (*Transport, error) {
	if err := cfg.check(under); err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	t := newTransport(under, newKeyring(&cfg), cfg.Log, time.Now())
	t.loops.Go(t.receive)
	t.loops.Go(t.keep)
	return t, nil
}

// newTransport makes a transport that does not run yet.
func newTransport(under tickback.Transport, keys keyring, log *slog.Logger, now time.Time) *Transport {
	return &Transport{
		under: under, log: log, queue: inbox.New(), began: now,
		keys: keys, greeter: newGreeter(under, now), roster: newRoster(),
		conns:     connections{under: under, byID: map[connectionID]*conn{}},
		strangers: bucket{size: handshakesAtOnce, rate: handshakesPerSecond, at: now},
		closing:   make(chan struct{}),
	}
}

// Listen opens a UDP socket, as [udp.Listen] does, and makes a transport over it.
func Listen(address string, cfg Config) (*Transport, error) {
	conn, err := udp.Listen(address)
	if err != nil {
		return nil, err
	}
	t, err := New(conn, cfg)
	if err != nil {
		_ = conn.Close() // return the error of New instead
	}
	return t, err
}

// LocalAddr returns the address of the socket if it is one of package udp, otherwise an invalid address.
func (t *Transport) LocalAddr() netip.AddrPort {
	if c, ok := t.under.(interface{ LocalAddr() netip.AddrPort }); ok {
		return c.LocalAddr()
	}
	return netip.AddrPort{}
}

// Reaches returns an error if the transport below knows that the socket can never reach an address.
func (t *Transport) Reaches(to netip.AddrPort) error {
	if r, ok := t.under.(tickback.Reacher); ok {
		return r.Reaches(to)
	}
	return nil
}

// Trust lets the owner of a fingerprint connect from any address. at lists its known addresses: nobody else is
// accepted there. It is for a transport with an Identity; with a token, all who have it are trusted.
func (t *Transport) Trust(f Fingerprint, at ...netip.AddrPort) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keys.trust(f, at)
}

// Distrust ends the connections to the owner of a fingerprint and refuses new ones.
func (t *Transport) Distrust(f Fingerprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	gone := t.keys.distrust(f)
	for _, p := range slices.Clone(t.roster.list) {
		if p.pair == gone {
			t.remove(p)
		}
	}
}

// Send encrypts a datagram of at most MaxDatagram bytes and sends it. It never blocks. If there is no connection to
// the address, the error is ErrNotConnected; then greetings are sent there, for 3 seconds after each call. Other
// errors are ErrTooLong, ErrNoPeer and ErrClosed. The caller may reuse datagram afterwards.
func (t *Transport) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > MaxDatagram {
		t.counts.tooLong.Add(1)
		return ErrTooLong
	}
	to = unmap(to)
	t.mu.RLock()
	p, closed := t.roster.at[to], t.closed
	t.mu.RUnlock()
	if closed {
		return ErrClosed
	}
	if p == nil {
		t.counts.unconnected.Add(1)
		return t.want(to)
	}
	p.handshake.wanted.set(time.Now())
	if c := p.handshake.conn.Load(); c == nil || c.write(to, datagram) != nil {
		t.counts.unconnected.Add(1)
		return ErrNotConnected
	}
	t.counts.sent.Add(1)
	t.counts.sentBytes.Add(uint64(len(datagram)))
	return nil
}

// want begins to connect to an address, if there is no peer there yet.
func (t *Transport) want(to netip.AddrPort) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrClosed
	}
	if t.roster.at[to] != nil { // a peer was added in the meantime
		return ErrNotConnected
	}
	pair, now := t.keys.at(to), time.Now()
	if pair == nil || !to.IsValid() {
		return ErrNoPeer
	}
	p := t.insert(to, pair, false, now)
	if p == nil {
		return ErrNoPeer
	}
	p.handshake.wanted.set(now)
	t.greet(p, flagAsk, now)
	return ErrNotConnected
}

// unmap turns an IPv4-mapped IPv6 address into an IPv4 address.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// Receive copies the next authentic datagram that has arrived into buf, and returns the address it came from and when
// it arrived. The address may differ from earlier ones: then the peer has moved, or an attacker on the path has
// forwarded the datagram. It never blocks; ok is false if there is none, and after Close. A datagram that does not
// fit is dropped and counted. It allocates nothing.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return t.queue.Receive(buf)
}

// Notify returns a channel, always the same, that gets a value when a datagram has arrived since the last Receive
// that returned false.
func (t *Transport) Notify() <-chan struct{} { return t.queue.Notify() }

// Wait returns after d, or, if wake is set, as soon as a datagram may have arrived. A wait that no datagram ends is that of
// the transport below, which may cost less than a timer.
func (t *Transport) Wait(d time.Duration, wake bool) {
	if w, ok := t.under.(tickback.Waiter); ok && !wake {
		w.Wait(d, false)
		return
	}
	tickback.WaitFor(told{t}, d, wake)
}

// told is a transport without its Wait.
type told struct{ tickback.Transport }

// Close ends all connections, informs the other sides, and closes the underlying transport. When it returns, nothing
// of the transport is running. A second call does nothing.
func (t *Transport) Close() error {
	t.mu.Lock()
	again := t.closed
	t.closed = true
	if !again {
		close(t.closing)
		for _, p := range slices.Clone(t.roster.list) {
			t.remove(p)
		}
		t.queue.Close()
	}
	t.mu.Unlock()
	t.loops.Wait()
	t.conns.running.Wait()
	if !again {
		t.failed = t.under.Close()
	}
	return t.failed
}
