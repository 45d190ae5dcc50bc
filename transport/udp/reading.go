package udp

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// reading is the goroutine that moves datagrams from a socket to a ring, if there is one.
type reading struct {
	on     atomic.Bool // it runs, or has run: the ring has what arrives
	socket *net.UDPConn
	ring   *ring
	ended  sync.WaitGroup

	mu     sync.Mutex // guards the start, against Close
	closed bool
	ending chan struct{} // closed when Close begins
}

// begin starts the goroutine. first, which may be nil, is called before it reads, to fill the ring.
func (c *Conn) begin(socket *net.UDPConn, first func()) {
	r := &c.reading
	r.socket, r.ring = socket, newRing(QueueDatagrams, &c.known)
	r.on.Store(true)
	if first != nil {
		first()
	}
	r.ended.Go(c.read)
}

// Notify returns a channel that gets a value when a datagram has arrived since the last [Conn.Receive] that returned
// false. It is always the same channel, and is never closed; there may be a value without a datagram, for one that was
// received already.
//
// The first call, on a socket of [Listen], starts a goroutine, which from then on reads the socket, and costs more than all
// else in a frame. Call it before other goroutines wait at the socket, and only for a program that needs the channel, or
// a queue that is fair in a flood. It is nil for a socket of [Open] or [ListenPolled] where the system can be polled, as on
// Linux, for one that is closed before the first call, and as long as the system has no descriptor left for it.
func (c *Conn) Notify() <-chan struct{} {
	r := &c.reading
	if !r.on.Load() && (c.polled || !c.tell()) {
		return nil
	}
	return r.ring.notify
}

// tell makes a socket that was polled tell of datagrams. It reports whether that is so now.
func (c *Conn) tell() bool {
	r := &c.reading
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on.Load() || r.closed {
		return r.on.Load()
	}
	socket := c.backlog.share()
	if socket == nil {
		return false
	}
	c.begin(socket, func() {
		c.backlog.each(func(b []byte, from netip.AddrPort, at time.Time) {
			if r.ring.push(b, from, at) {
				c.counts.overflowed.Add(1)
			}
		}, &c.counts)
	})
	return true
}

// stop begins to end the goroutine, and reports whether there is one, whose socket is to be closed.
func (r *reading) stop() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	close(r.ending)
	if r.on.Load() {
		r.ring.close()
	}
	return r.on.Load()
}

// read moves datagrams from the socket to the ring until the socket is closed. Nothing else ends it.
func (c *Conn) read() {
	buf := make([]byte, MaxDatagram+1) // one byte more, to detect datagrams that are too long
	for {
		n, from, err := c.reading.socket.ReadFromUDPAddrPort(buf)
		at := time.Now()
		switch {
		case err == nil && n <= MaxDatagram:
			c.arrived(buf[:n], unmap(from), at)
		case err == nil || isTooLong(err):
			c.counts.tooLong.Add(1)
		case errors.Is(err, net.ErrClosed):
			return
		case isRefused(err):
			c.counts.refused.Add(1)
		default:
			c.counts.readErrors.Add(1)
			if !c.reading.pause() {
				return
			}
		}
	}
}

func (c *Conn) arrived(b []byte, from netip.AddrPort, at time.Time) {
	c.counts.received.Add(1)
	c.counts.receivedBytes.Add(uint64(len(b)))
	if c.reading.ring.push(b, from, at) {
		c.counts.overflowed.Add(1)
	}
}

// readPause is the pause after an unexpected error in reading, so that a broken socket does not keep a processor busy.
const readPause = 10 * time.Millisecond

// pause waits a moment. It returns false if the socket is being closed.
func (r *reading) pause() bool {
	timer := time.NewTimer(readPause)
	defer timer.Stop()
	select {
	case <-r.ending:
		return false
	case <-timer.C:
		return true
	}
}
