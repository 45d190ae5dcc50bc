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
	under       tickback.Transport
	log         *slog.Logger
	own         *Identity
	self        instance
	cookieMaker *cookieMaker
	queue       *inbox.Queue
	counts      counters
	began       time.Time

	mu        sync.RWMutex
	keys      map[keyID]*pair
	everybody *pair                    // of the token, used for all addresses; or nil
	pins      map[netip.AddrPort]*pair // of addresses with another pair
	peers     []*peer
	at        map[netip.AddrPort]*peer // also by the addresses that they have moved to
	conns     map[connectionID]*conn
	attempts  uint32
	strangers bucket // handshakes that they begin
	foreign   bucket // answers to those with another key
	closed    bool

	closing chan struct{}
	failed  error // from closing the underlying transport
	loops   sync.WaitGroup
	running sync.WaitGroup // connections
}

// New makes a transport over another one, such as a [udp.Conn], and takes ownership of it: nothing else may receive
// from it any more, and Close closes it. The error wraps [ErrConfig]; in that case under is unchanged.
func New(under tickback.Transport, cfg Config) (*Transport, error) {
	if err := cfg.check(under); err != nil {
		return nil, err
	}
	now := time.Now()
	t := &Transport{
		under: under, log: cfg.Log, own: cfg.Identity, self: newInstance(), cookieMaker: newBaker(now), queue: inbox.New(), began: now,
		keys: map[keyID]*pair{}, pins: map[netip.AddrPort]*pair{}, at: map[netip.AddrPort]*peer{}, conns: map[connectionID]*conn{},
		strangers: bucket{size: handshakesAtOnce, rate: handshakesPerSecond, at: now},
		foreign:   bucket{size: foreignPerSecond, rate: foreignPerSecond, at: now},
		closing:   make(chan struct{}),
	}
	if t.log == nil {
		t.log = slog.New(slog.DiscardHandler)
	}
	if cfg.Token != nil {
		t.own, t.everybody = fromToken(cfg.Token)
		t.keys[t.everybody.id] = t.everybody
	}
	t.loops.Go(t.receive)
	t.loops.Go(t.keep)
	return t, nil
}

// Listen opens a UDP socket, as [udp.Listen] does, and makes a transport over it.
func Listen(address string, cfg Config) (*Transport, error) {
	conn, err := udp.Listen(address)
	if err != nil {
		return nil, err
	}
	t, err := New(conn, cfg)
	if err != nil {
		_ = conn.Close() // the other error is the one to return
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

// Reaches returns an error if the socket can never reach an address, as far as the transport below knows.
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
	if t.everybody != nil || f == t.own.fingerprint {
		return
	}
	p := pairOf(t.own.fingerprint, f)
	if known := t.keys[p.id]; known != nil {
		p = known
	}
	t.keys[p.id] = p
	for _, a := range at {
		t.pins[unmap(a)] = p
	}
}

// Distrust ends the connections to the owner of a fingerprint and refuses new ones.
func (t *Transport) Distrust(f Fingerprint) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.everybody != nil {
		return
	}
	id := pairOf(t.own.fingerprint, f).id
	delete(t.keys, id)
	for a, p := range t.pins {
		if p.id == id {
			delete(t.pins, a)
		}
	}
	for _, p := range slices.Clone(t.peers) {
		if p.pair.id == id {
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
	p, closed := t.at[to], t.closed
	t.mu.RUnlock()
	if closed {
		return ErrClosed
	}
	if p == nil {
		t.counts.unconnected.Add(1)
		return t.want(to)
	}
	p.wanted.Store(t.sinceBegan())
	c := p.ready.Load()
	if c == nil {
		t.counts.unconnected.Add(1)
		return ErrNotConnected
	}
	if err := c.write(to, datagram); err != nil {
		t.counts.unconnected.Add(1)
		return ErrNotConnected
	}
	t.counts.sent.Add(1)
	t.counts.sentBytes.Add(uint64(len(datagram)))
	return nil
}

// want begins to connect to an address.
func (t *Transport) want(to netip.AddrPort) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrClosed
	}
	if t.at[to] != nil { // added in the meantime
		return ErrNotConnected
	}
	pair := t.pairAt(to)
	if pair == nil || !to.IsValid() {
		return ErrNoPeer
	}
	p := t.insert(to, pair, time.Now())
	if p == nil {
		return ErrNoPeer
	}
	p.wanted.Store(t.sinceBegan())
	p.sendHello(flagAsk, time.Now())
	return ErrNotConnected
}

// unmap turns an IPv4-mapped IPv6 address into an IPv4 address.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// sinceBegan returns the time since the start of the transport, for fields that several goroutines write. It is never
// 0, which means never.
func (t *Transport) sinceBegan() int64 { return int64(time.Since(t.began)) + 1 }

// pairAt returns the pair that is expected at an address, or nil.
func (t *Transport) pairAt(a netip.AddrPort) *pair {
	if t.everybody != nil {
		return t.everybody
	}
	return t.pins[a]
}

// Receive copies the next authentic datagram that has arrived into buf, and returns the address it came from and when
// it arrived. The address may differ from earlier ones: then the peer has moved, or an attacker on the path has
// forwarded the datagram. It never blocks; ok is false if there is none, and after Close. A datagram that does not
// fit is dropped and counted. It allocates nothing.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	n, from, at, ok, tooLong := t.queue.Pop(buf)
	if tooLong > 0 {
		t.counts.tooLong.Add(tooLong)
	}
	return n, from, at, ok
}

// Notify returns a channel, always the same, that gets a value when a datagram has arrived since the last Receive
// that returned false.
func (t *Transport) Notify() <-chan struct{} { return t.queue.Notify() }

// Close ends all connections, tells the other sides, and closes the underlying transport. When it returns, nothing of
// the transport is running. A second call does nothing.
func (t *Transport) Close() error {
	t.mu.Lock()
	again := t.closed
	t.closed = true
	if !again {
		close(t.closing)
		for _, p := range slices.Clone(t.peers) {
			t.remove(p)
		}
		t.queue.Close()
	}
	t.mu.Unlock()
	t.loops.Wait()
	t.running.Wait()
	if !again {
		t.failed = t.under.Close()
	}
	return t.failed
}
