// Package memory carries datagrams between sessions of one process: a server and a client in the same program, or bots.
// Nothing is lost unless a receiver is too slow, and delivery takes no time.
package memory

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Queue is the maximum number of datagrams that wait for one receiver; further ones are lost.
const Queue = 256

// MaxDatagram is the maximum size of a datagram in bytes.
const MaxDatagram = 2048

var (
	// ErrTooLong means that a datagram has more than MaxDatagram bytes.
	ErrTooLong = errors.New("memory: the datagram is too long")
	// ErrNobody means that an address belongs to no transport.
	ErrNobody = errors.New("memory: nobody has this address")
	// ErrFull means that a receiver is too slow, so that its queue is full.
	ErrFull = errors.New("memory: the receiver's queue is full")
)

// prefix is a unique local prefix (RFC 4193), with a random global ID.
var prefix = [12]byte{0xfd, 0x3a, 0xc4, 0x90, 0x17, 0x6e, 0x21, 0xd8}

// Owns reports whether an address is one that a network of this package assigns.
func Owns(a netip.AddrPort) bool {
	b := a.Addr().As16()
	return [12]byte(b[:12]) == prefix
}

// Network is a network in memory. Make it with [New]: the zero value cannot be used.
type Network struct {
	mu    sync.Mutex
	last  uint32
	conns map[netip.AddrPort]*Conn
}

// New returns an empty network.
func New() *Network { return &Network{conns: map[netip.AddrPort]*Conn{}} }

// Open returns a transport with a new address.
func (n *Network) Open() *Conn {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	var a [16]byte
	copy(a[:], prefix[:])
	binary.BigEndian.PutUint32(a[12:], n.last)
	c := &Conn{net: n, at: netip.AddrPortFrom(netip.AddrFrom16(a), 1), armed: true, notify: make(chan struct{}, 1)}
	n.conns[c.at] = c
	return c
}

// find returns the owner of an address, or nil.
func (n *Network) find(a netip.AddrPort) *Conn {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.conns[a]
}

// Conn is a transport of a [Network]: a tickback.Transport. Its methods may be called by several
// goroutines at once.
type Conn struct {
	net    *Network
	at     netip.AddrPort
	notify chan struct{}

	mu     sync.Mutex
	slots  []arrival // a ring that grows up to Queue
	first  int
	n      int
	armed  bool // Receive has found nothing since the last notification
	closed bool
}

// arrival is a waiting datagram.
type arrival struct {
	from  netip.AddrPort
	at    time.Time
	bytes []byte
}

// LocalAddr returns the address of this transport.
func (c *Conn) LocalAddr() netip.AddrPort { return c.at }

// Send puts one datagram into the receiver's queue. The errors are those of this package, and
// net.ErrClosed.
func (c *Conn) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > MaxDatagram {
		return ErrTooLong
	}
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	if closed {
		return net.ErrClosed
	}
	other := c.net.find(to)
	if other == nil {
		return ErrNobody
	}
	return other.push(c.at, datagram)
}

func (c *Conn) push(from netip.AddrPort, datagram []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return ErrNobody
	case c.n == Queue:
		return ErrFull
	case c.n == len(c.slots):
		c.grow()
	}
	s := &c.slots[(c.first+c.n)%len(c.slots)]
	s.from, s.at, s.bytes = from, time.Now(), append(s.bytes[:0], datagram...)
	c.n++
	if c.armed {
		c.armed = false
		select {
		case c.notify <- struct{}{}:
		default:
		}
	}
	return nil
}

// grow doubles the ring.
func (c *Conn) grow() {
	larger := make([]arrival, min(max(2*len(c.slots), 8), Queue))
	for i := range c.n {
		larger[i] = c.slots[(c.first+i)%len(c.slots)]
	}
	c.slots, c.first = larger, 0
}

// Receive copies the next datagram into buf. A datagram that does not fit is lost.
func (c *Conn) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.n > 0 {
		s := &c.slots[c.first]
		c.first = (c.first + 1) % len(c.slots)
		c.n--
		if len(s.bytes) <= len(buf) {
			return copy(buf, s.bytes), s.from, s.at, true
		}
	}
	c.armed = true
	return 0, netip.AddrPort{}, time.Time{}, false
}

// Notify returns a channel, always the same, that gets a value when a datagram has arrived since
// the last Receive that returned false.
func (c *Conn) Notify() <-chan struct{} { return c.notify }

// Close releases the address. Closing twice is not an error.
func (c *Conn) Close() error {
	c.mu.Lock()
	c.closed, c.n = true, 0
	c.mu.Unlock()
	c.net.mu.Lock()
	defer c.net.mu.Unlock()
	delete(c.net.conns, c.at)
	return nil
}
