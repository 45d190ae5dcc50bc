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
	links  map[netip.AddrPort]*link // by the addresses of package peers
	rings  map[netip.AddrPort]*inbox.Ring
	routes map[netip.AddrPort]netip.AddrPort // from the source address of a datagram to the peer
	closed bool

	stop chan struct{}
	done chan struct{}
}

type counters struct{ badSignals, strangers, tooLong, overflowed atomic.Uint64 }

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
		links: map[netip.AddrPort]*link{}, rings: map[netip.AddrPort]*inbox.Ring{}, routes: map[netip.AddrPort]netip.AddrPort{},
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

// LocalAddr returns where the transport listens.
func (t *Transport) LocalAddr() netip.AddrPort { return t.conn.LocalAddr() }

// Send sends one datagram of at most 1200 bytes. It never blocks: what cannot be sent now is dropped. The caller may
// reuse datagram afterwards.
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
	n, from, at, ok, tooLong := t.queue.Pop(buf)
	t.stats.tooLong.Add(tooLong)
	return n, from, at, ok
}

// Notify returns a channel, always the same, that gets a value when a datagram has
// arrived since the last Receive that returned false.
func (t *Transport) Notify() <-chan struct{} { return t.queue.Notify() }

// maxPeers is the most peers of a transport, as in package webrtc.
const maxPeers = 80

// SetPeers sets the peers, by their numbers: others are removed, and new ones are searched for. Our own number and 0
// are ignored.
func (t *Transport) SetPeers(ids ...uint32) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id uint32) bool { return id == 0 || id == t.self })
	ids = ids[:min(len(ids), maxPeers)]
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for addr, l := range t.links {
		if !slices.Contains(ids, l.id) {
			t.forget(addr)
		}
	}
	for _, id := range ids {
		if addr := peers.AddrOf(id); t.links[addr] == nil && !t.closed {
			t.links[addr], t.rings[addr] = newLink(id, t.mine, t.here, (*linkOwner)(t), now), t.queue.Join(addr)
			t.links[addr].look(now)
		}
	}
}

// forget removes a peer. The lock is held.
func (t *Transport) forget(addr netip.AddrPort) {
	t.queue.Leave(t.rings[addr])
	delete(t.links, addr)
	delete(t.rings, addr)
	for from, who := range t.routes {
		if who == addr {
			delete(t.routes, from)
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
		t.reroute(l)
	}
}

// Peers returns the state of the connection to each peer, ordered by number.
func (t *Transport) Peers() []peers.Peer {
	now := time.Now()
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := make([]peers.Peer, 0, len(t.links))
	for _, l := range t.links {
		list = append(list, l.peer(now))
	}
	slices.SortFunc(list, func(a, b peers.Peer) int { return int(int64(a.ID) - int64(b.ID)) })
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
