// Package webrtc plays over data channels that are open already, one to each machine. There is no WebRTC in it: a channel
// is whatever carries whole messages, such as a detached data channel of pion. Who has no such channels yet gets them
// by rooms of package online, whose transport a session takes by InitializeConnection.
package webrtc

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/tickback/tickback/compat/ggpo/ikemen/transport"
)

const (
	// MaxDatagram is the maximum size of a datagram in bytes. Longer messages of a channel are dropped.
	MaxDatagram = 1500
	// MaxPeers is how many channels a transport takes at most.
	MaxPeers = 64
	// queue is how many datagrams of a channel wait, in each direction; further ones are lost.
	queue = 256
	// mostEmpty is how many reads of a channel may bring nothing useful in a row, before it counts as broken.
	mostEmpty = 100
)

var (
	// ErrTooLong means that a datagram has more than MaxDatagram bytes.
	ErrTooLong = errors.New("webrtc: the datagram is too long")
	// ErrUnknown means that no channel stands for an address: AddPeer was not called, or its channel has ended.
	ErrUnknown = errors.New("webrtc: no channel has this address")
	// ErrFull means that a channel takes datagrams too slowly.
	ErrFull = errors.New("webrtc: the channel takes no more datagrams")
	// ErrPeers means that AddPeer was called for more than MaxPeers handles, or twice for one.
	ErrPeers = errors.New("webrtc: the handle has a channel already, or there are too many")
)

// prefix is a unique local prefix (RFC 4193), with a random global ID: the address of a handle.
var prefix = [12]byte{0xfd, 0x8e, 0x27, 0x61, 0xd5, 0x0b, 0x9f, 0x34}

func addressOf(player transport.PlayerHandle) netip.AddrPort {
	var a [16]byte
	copy(a[:], prefix[:])
	binary.BigEndian.PutUint32(a[12:], uint32(player))
	return netip.AddrPortFrom(netip.AddrFrom16(a), 1)
}

// arrival is a datagram that has arrived.
type arrival struct {
	from netip.AddrPort
	at   time.Time
	data []byte
}

// peer is a channel. Each has queues of its own, so that a flood of one machine costs the others nothing.
type peer struct {
	channel io.ReadWriteCloser
	in      chan arrival
	out     chan []byte
}

// Transport carries the datagrams of a match over data channels. Its methods may be called from several goroutines. Two
// goroutines serve each channel until it ends.
type Transport struct {
	notify chan struct{}
	done   chan struct{}
	served sync.WaitGroup

	mu     sync.Mutex
	peers  map[netip.AddrPort]*peer
	list   []*peer
	next   int // whose turn it is to be received from
	closed bool
}

var _ transport.Transport = (*Transport)(nil)

// NewTransport returns a transport without channels.
func NewTransport() *Transport {
	return &Transport{notify: make(chan struct{}, 1), done: make(chan struct{}), peers: map[netip.AddrPort]*peer{}}
}

// AddPeer says that a channel leads to the machine of a player. Each Read of it must return one whole message of at most
// MaxDatagram bytes, each Write must send one, and Close must end both; messages may be lost or come in another order. The
// channel belongs to the transport from now on, also if it is refused: then it is closed. A match takes the channels of its
// players when it is built, so one for a further handle is of no use to it later, except to a spectator.
//
// Errors: [ErrPeers], and net.ErrClosed after Close.
func (t *Transport) AddPeer(player transport.PlayerHandle, channel io.ReadWriteCloser) error {
	err := t.add(addressOf(player), channel)
	if err != nil {
		_ = channel.Close()
	}
	return err
}

func (t *Transport) add(at netip.AddrPort, channel io.ReadWriteCloser) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return net.ErrClosed
	case t.peers[at] != nil || len(t.peers) == MaxPeers:
		return ErrPeers
	}
	p := &peer{channel: channel, in: make(chan arrival, queue), out: make(chan []byte, queue)}
	t.peers[at] = p
	t.list = append(t.list, p)
	t.served.Add(2)
	go t.read(at, p)
	go t.write(p)
	return nil
}

// Address implements transport.Transport.
func (t *Transport) Address(player transport.PlayerHandle) (netip.AddrPort, bool) {
	at := addressOf(player)
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.peers[at]
	return at, known
}

// read takes messages from a channel until it ends. What nobody receives in time is lost.
func (t *Transport) read(from netip.AddrPort, p *peer) {
	defer t.served.Done()
	buf := make([]byte, MaxDatagram+1)
	for empty := 0; empty < mostEmpty; {
		n, err := p.channel.Read(buf)
		switch {
		case errors.Is(err, io.ErrShortBuffer) || err == nil && (n <= 0 || n > MaxDatagram):
			empty++ // nothing, or what is too long for a datagram of a match
			continue
		case err != nil:
			return
		}
		empty = 0
		select {
		case p.in <- arrival{from, time.Now(), append([]byte(nil), buf[:n]...)}:
		case <-t.done:
			return
		default:
			continue
		}
		select {
		case t.notify <- struct{}{}:
		default:
		}
	}
}

// write gives datagrams to a channel, which may take its time for each.
func (t *Transport) write(p *peer) {
	defer t.served.Done()
	for {
		select {
		case b := <-p.out:
			if _, err := p.channel.Write(b); err != nil {
				return
			}
		case <-t.done:
			return
		}
	}
}

// Send implements tickback.Transport.
func (t *Transport) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > MaxDatagram {
		return ErrTooLong
	}
	t.mu.Lock()
	p, closed := t.peers[to], t.closed
	t.mu.Unlock()
	switch {
	case closed:
		return net.ErrClosed
	case p == nil:
		return ErrUnknown
	}
	select {
	case p.out <- append([]byte(nil), datagram...):
		return nil
	default:
		return ErrFull
	}
}

// Receive implements tickback.Transport.
func (t *Transport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for range t.list {
		p := t.list[t.next%len(t.list)]
		t.next++
		select {
		case a := <-p.in:
			return copy(buf, a.data), a.from, a.at, true
		default:
		}
	}
	return 0, netip.AddrPort{}, time.Time{}, false
}

// Notify implements tickback.Transport.
func (t *Transport) Notify() <-chan struct{} { return t.notify }

// Close closes all channels, and returns when no goroutine of the transport is running any more. A session that has the
// transport does it when it is closed. A second call does nothing.
func (t *Transport) Close() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return nil
	}
	t.closed = true
	close(t.done)
	var failed error
	for _, p := range t.peers {
		if err := p.channel.Close(); err != nil && failed == nil {
			failed = err
		}
	}
	t.mu.Unlock()
	t.served.Wait()
	return failed
}
