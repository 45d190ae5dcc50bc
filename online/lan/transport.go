//go:build !js

package lan

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/internal/links"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

// Errors of a transport: each call of Send that drops a datagram returns one of these, or one of package
// transport/udp.
var (
	// ErrNoPeer is returned for an address that no peer has.
	ErrNoPeer = errors.New("lan: no peer has this address")
	// ErrNotConnected is returned for a peer that has not been reached yet.
	ErrNotConnected = errors.New("lan: the peer is not connected")
	// ErrTooLong is returned for a datagram of more than 1200 bytes.
	ErrTooLong = errors.New("lan: the datagram is too long")
	// ErrClosed is returned after the transport was closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// Transport is an online.Transport over UDP. Its methods may be called by several goroutines at once. Make one with
// [NewTransport], and close it.
type Transport struct {
	self   uint32
	signal peers.Signaler
	log    *slog.Logger
	conn   *udp.Conn
	queue  *inbox.Queue
	net    network
	mine   key
	here   []netip.AddrPort
	stats  counters

	mu     sync.RWMutex
	links  map[netip.AddrPort]*link // by the address that package peers gives a peer
	routes routes
	closed bool

	stop chan struct{}
	done chan struct{}
}

type counters struct{ badSignals, strangers atomic.Uint64 }

// NewTransport makes a transport without peers, which listens at an address as
// udp.Listen takes it. self is our own number, not 0; log may be nil. The errors are those
// of udp.Listen.
func NewTransport(listen string, self uint32, signal peers.Signaler, log *slog.Logger) (*Transport, error) {
	conn, err := udp.Listen(listen)
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	t := &Transport{
		self: self, signal: signal, log: log, conn: conn, queue: inbox.New(), net: networks(), mine: newKey(),
		links: map[netip.AddrPort]*link{}, routes: routes{},
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	t.here = t.net.ways(conn.LocalAddr())
	go t.run()
	return t, nil
}

// newKey returns a random key.
func newKey() key {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return key(binary.BigEndian.Uint64(b[:]) | 1)
}

// LocalAddr returns the address at which the transport listens.
func (t *Transport) LocalAddr() netip.AddrPort { return t.conn.LocalAddr() }

// Send sends one datagram of at most 1200 bytes. It never blocks: a datagram that cannot be sent now is dropped. The
// caller may reuse datagram afterwards.
func (t *Transport) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > inbox.MaxDatagram {
		return ErrTooLong
	}
	t.mu.RLock()
	l, closed, best := t.links[to], t.closed, netip.AddrPort{}
	if l != nil {
		best = l.best
	}
	t.mu.RUnlock()
	switch {
	case closed:
		return ErrClosed
	case l == nil:
		return ErrNoPeer
	case !best.IsValid():
		return ErrNotConnected
	}
	return t.conn.Send(best, datagram)
}

// Receive copies the next datagram that has arrived into buf, and returns which peer it came from (peers.AddrOf) and
// when it arrived. It never blocks; ok is false if there is none, and after Close. A datagram that does not fit is
// dropped. It allocates nothing.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return t.queue.Receive(buf)
}

// Notify returns a channel, always the same, that gets a value when a datagram has
// arrived since the last Receive that returned false.
func (t *Transport) Notify() <-chan struct{} { return t.queue.Notify() }

// maxPeers is the maximum number of peers of a transport: more than the 47 others of the largest room.
const maxPeers = 80

// SetPeers sets the peers, by their numbers: others are removed, and new ones are searched for. Our own number, 0,
// and peers beyond maxPeers are ignored.
func (t *Transport) SetPeers(ids ...uint32) {
	ids = links.Others(t.self, ids, maxPeers)
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for addr, l := range t.links {
		if !slices.Contains(ids, l.id) {
			t.queue.Leave(l.ring)
			t.routes.set(addr, nil)
			delete(t.links, addr)
		}
	}
	for _, id := range ids {
		if addr := peers.AddrOf(id); t.links[addr] == nil && !t.closed {
			l := newLink(id, t.mine, t.here, (*linkOwner)(t), now)
			l.ring = t.queue.Join()
			t.links[addr] = l
			l.look(now)
		}
	}
}

// Deliver handles a signal from a peer, whose content is not trusted.
func (t *Transport) Deliver(from uint32, data string) {
	g, err := decodeGreeting(data)
	if err != nil {
		t.stats.badSignals.Add(1)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.links[peers.AddrOf(from)]; l != nil {
		l.hears(&g, t.net.called(g.ways), time.Now())
		t.routes.set(peers.AddrOf(from), l.routes)
	}
}

// Peers returns the state of the connection to each peer, ordered by number.
func (t *Transport) Peers() []peers.Peer {
	now := time.Now()
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := make([]peers.Peer, 0, len(t.links))
	for _, l := range t.links {
		list = append(list, l.status.Peer(now))
	}
	links.Sort(list)
	return list
}

// Close frees the socket. When it returns, nothing of the transport is running. Closing twice is no error.
func (t *Transport) Close() error {
	t.mu.Lock()
	first := !t.closed
	t.closed = true
	t.mu.Unlock()
	if first {
		close(t.stop)
		t.queue.Close()
	}
	<-t.done
	return t.conn.Close()
}
