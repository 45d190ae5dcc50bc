package udp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"time"
)

const (
	// socketBuffer is the buffer size requested from the operating system, in each direction: as many datagrams as the
	// ring, at the 2.3 KiB that Linux charges for a datagram of up to an Ethernet frame, rounded up. Systems may allow
	// less, which also works.
	socketBuffer = 1 << 20

	// listenLookup is how long [Listen] waits for a name to resolve. The name is one of this machine, so it is found at
	// once or not at all.
	listenLookup = 5 * time.Second
)

// Conn is a socket. All its methods may be called from several goroutines.
type Conn struct {
	local netip.AddrPort
	reach families
	known correspondents
	// backlog reads the socket when it is asked, until a goroutine does that. It is nil where the system cannot do that.
	backlog *backlog
	polled  bool // a goroutine never reads
	reading reading
	batch   *batch // or nil if a system call can only send one datagram
	counts  counters

	close  sync.Once
	failed error // the error of closing the socket
}

// Listen opens a socket on a local address, "host:port", and begins to receive.
//
//   - ":7000" is port 7000 of every address of this machine, of both families
//     where the system can do that; "0.0.0.0:7000" of every IPv4 address, and
//     "[::]:7000" of every IPv6 address.
//   - "127.0.0.1:7000", "[::1]:7000", "[fe80::1%eth0]:7000", "localhost:7000" are
//     reached at this address only; of a name's addresses, IPv4 comes first.
//   - Port 0 is any free one; see [Conn.LocalAddr].
//
// On Linux with amd64, arm64, arm, riscv64 or loong64, nothing runs between the calls of its methods: datagrams wait in
// the system, which records when they arrive, and many are read at once. In return a datagram is not sent if the system
// has no room for it at the moment; the system decides which datagrams are lost in a flood; and datagrams that arrive while
// others are being received may only be returned after a call that returned none. From the first call of [Conn.Notify] on,
// and elsewhere always, a goroutine reads the socket.
//
// Errors: [ErrInUse], [ErrAddress], [ErrResolve].
func Listen(address string) (*Conn, error) { return listenOn(address, false) }

// ListenPolled is like Listen, for a program that must not have a goroutine that reads: where the system can be polled,
// [Conn.Notify] is nil, so that code which would wait on its channel polls every millisecond, or uses [Conn.Wait].
func ListenPolled(address string) (*Conn, error) { return listenOn(address, true) }

func listenOn(address string, polled bool) (*Conn, error) {
	const op = "listen on"
	host, port, err := split(address)
	if err != nil {
		return nil, &Error{op, strconv.Quote(address), ErrAddress, err}
	}
	network, local := "udp", netip.AddrPort{}
	if host != "" {
		ip, err := localAddress(op, host)
		if err != nil {
			return nil, err
		}
		network, local = "udp6", netip.AddrPortFrom(ip, port)
		if ip.Is4() {
			network = "udp4"
		}
	}
	at := net.UDPAddrFromAddrPort(local)
	at.Port = int(port)
	socket, err := net.ListenUDP(network, at)
	if err != nil {
		return nil, &Error{op, address, reason(err), err}
	}
	return newConn(socket, network, polled), nil
}

// localAddress returns the address of a host to listen on.
func localAddress(op, host string) (netip.Addr, error) {
	ctx, cancel := context.WithTimeout(context.Background(), listenLookup)
	defer cancel()
	found, err := lookup(ctx, op, host)
	if err != nil {
		return netip.Addr{}, err
	}
	for _, a := range found {
		if a.Is4() {
			return a, nil
		}
	}
	return found[0], nil
}

func newConn(socket *net.UDPConn, network string, polled bool) *Conn {
	// Smaller buffers work too, so the error does not matter.
	_ = socket.SetReadBuffer(socketBuffer)
	_ = socket.SetWriteBuffer(socketBuffer)
	c := &Conn{local: unmap(socket.LocalAddr().(*net.UDPAddr).AddrPort())}
	c.reading.ending = make(chan struct{})
	c.reach = families{v4: c.local.Addr().Is4() || network == "udp", v6: !c.local.Addr().Is4()}
	c.backlog = newBacklog(socket, c.reach.v6)
	c.batch = newBatch(socket, c.backlog, c.reach.v6)
	if c.backlog == nil {
		c.begin(socket, nil)
	} else {
		c.polled = polled
	}
	return c
}

// unmap turns an IPv4 address written as IPv6 into an IPv4 address.
func unmap(a netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(a.Addr().Unmap(), a.Port()) }

// LocalAddr returns the address that the socket listens on. On a socket for every
// address, its IP address is unspecified.
func (c *Conn) LocalAddr() netip.AddrPort { return c.local }

// Reaches returns an [*Error] if datagrams of this socket can never arrive at an address, or answers can never come
// from there: it has the other family, it is on the network while the socket is bound to this machine alone, or no
// machine can have it. Nothing is sent.
func (c *Conn) Reaches(to netip.AddrPort) error {
	at, here := to.Addr().Unmap(), c.local.Addr()
	bound := fmt.Errorf("it is bound to %v", here)
	fail := func(why, cause error) error { return &Error{"reach", to.String(), why, cause} }
	switch {
	case !at.IsValid() || to.Port() == 0:
		return fail(ErrAddress, nil)
	case at.IsUnspecified() || at.IsMulticast():
		return fail(ErrAddress, errNoMachine)
	case !c.reach.has(at):
		return fail(ErrFamily, bound)
	case here.IsLoopback() && !at.IsLoopback():
		return fail(ErrLoopback, bound)
	}
	return nil
}

var errNoMachine = errors.New("it is not that of a machine")

// Wait returns after d, or with wake as soon as a datagram may have arrived; it may return early. Use it in a loop that has
// nothing else to do. Close ends it.
//
// On Linux, a wait of up to 60 ms may be one call of the system, during which the goroutine keeps one of GOMAXPROCS
// processors: then nothing else runs before and after it, and it ends up to 0.1 ms late on a machine that is not busy. That
// is so if there are several processors, if nobody else waits at a socket of the process, and unless others have used them
// lately. Whoever needs the processor, such as the garbage collector, gets it. Other waits park, and wake up one
// thread, where a Go timer wakes up several. While one goroutine waits at a socket, others that do poll every millisecond.
func (c *Conn) Wait(d time.Duration, wake bool) {
	r := &c.reading
	switch {
	case c.backlog != nil && !(wake && r.on.Load()):
		c.backlog.wait(d, wake)
	case wake:
		if r.ring.arm() {
			return
		}
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.ring.notify:
		}
	default:
		time.Sleep(d)
	}
}

// Close frees the socket. When it returns, no goroutine of the socket is running, and datagrams not yet received are
// lost. Further calls do nothing and return the same error.
func (c *Conn) Close() error {
	c.close.Do(func() {
		if err := c.free(); err != nil {
			c.failed = &Error{"close", c.local.String(), reason(err), err}
		}
	})
	c.reading.ended.Wait()
	return c.failed
}

// free closes the socket.
func (c *Conn) free() (failed error) {
	if c.reading.stop() {
		failed = c.reading.socket.Close()
	}
	if c.backlog != nil {
		return cmp.Or(c.backlog.close(), failed)
	}
	return failed
}
