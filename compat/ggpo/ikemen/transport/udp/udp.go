// Package udp plays over UDP, with a table of which player is at which address.
package udp

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/tickback/tickback/compat/ggpo/ikemen/transport"
	"github.com/tickback/tickback/transport/udp"
)

// MaxUDPPacketSize is the maximum size of a datagram in bytes.
const MaxUDPPacketSize = udp.MaxDatagram

// MaxPeers is how many handles a transport knows at most.
const MaxPeers = 64

// resolving is how long the address of a player may take to be found.
const resolving = 10 * time.Second

// Udp is a UDP socket that knows the addresses of players. Its methods may be called from several goroutines. Nothing
// runs between calls, where package udp of Tickback can do that.
type Udp struct {
	conn   *udp.Conn // nil if the port could not be opened
	failed error

	mu    sync.Mutex
	peers map[transport.PlayerHandle]netip.AddrPort
}

var _ transport.Transport = (*Udp)(nil)

// NewUdp opens a UDP port of all addresses of this machine; 0 is any free one. It always returns a transport: if the port
// is taken, InitializeTransport returns why, and so do [Udp.Err] and all that sends.
func NewUdp(localPort int) *Udp {
	u := &Udp{peers: map[transport.PlayerHandle]netip.AddrPort{}}
	if localPort < 0 || localPort > 65535 {
		u.failed = fmt.Errorf("port %d, not 0 to 65535", localPort)
		return u
	}
	if u.conn, u.failed = udp.ListenPolled(":" + strconv.Itoa(localPort)); u.failed != nil {
		u.conn = nil
	}
	return u
}

// Err returns why the port could not be opened, or nil.
func (u *Udp) Err() error { return u.failed }

// IsInitialized reports whether the port was opened.
func (u *Udp) IsInitialized() bool { return u.conn != nil }

// AddPeer says that a player is at an address; a host name is resolved, which takes up to 10 s. Several players may be
// at one address: they share a machine. It returns an error if there is no such address, or if more than [MaxPeers]
// handles are added. The last address of a handle counts, until the match is built.
func (u *Udp) AddPeer(player transport.PlayerHandle, ip string, port int) error {
	ctx, cancel := context.WithTimeout(context.Background(), resolving)
	defer cancel()
	a, err := udp.Resolve(ctx, net.JoinHostPort(ip, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("the address of player %d: %w", player, err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.peers[player]; !known && len(u.peers) == MaxPeers {
		return fmt.Errorf("player %d is one too many: a transport knows at most %d", player, MaxPeers)
	}
	u.peers[player] = a
	return nil
}

// Address implements transport.Transport.
func (u *Udp) Address(player transport.PlayerHandle) (netip.AddrPort, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	a, known := u.peers[player]
	return a, known
}

// LocalAddr returns the address of the socket, with its port; it is not valid if the port could not be opened.
func (u *Udp) LocalAddr() netip.AddrPort {
	if u.conn == nil {
		return netip.AddrPort{}
	}
	return u.conn.LocalAddr()
}

// Send implements tickback.Transport.
func (u *Udp) Send(to netip.AddrPort, datagram []byte) error {
	if u.conn == nil {
		return u.failed
	}
	return u.conn.Send(to, datagram)
}

// SendBatch implements tickback.BatchSender.
func (u *Udp) SendBatch(to []netip.AddrPort, datagrams [][]byte) error {
	if u.conn == nil {
		return u.failed
	}
	return u.conn.SendBatch(to, datagrams)
}

// Receive implements tickback.Transport.
func (u *Udp) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if u.conn == nil {
		return 0, netip.AddrPort{}, time.Time{}, false
	}
	return u.conn.Receive(buf)
}

// Notify implements tickback.Transport.
func (u *Udp) Notify() <-chan struct{} {
	if u.conn == nil {
		return nil
	}
	return u.conn.Notify()
}

// Wait implements tickback.Waiter.
func (u *Udp) Wait(d time.Duration, wake bool) {
	if u.conn == nil {
		time.Sleep(d)
		return
	}
	u.conn.Wait(d, wake)
}

// Reaches implements tickback.Reacher.
func (u *Udp) Reaches(to netip.AddrPort) error {
	if u.conn == nil {
		return u.failed
	}
	return u.conn.Reaches(to)
}

// Close frees the port. A session that has the transport does it when it is closed. A second call does nothing.
func (u *Udp) Close() error {
	if u.conn == nil {
		return nil
	}
	return u.conn.Close()
}
