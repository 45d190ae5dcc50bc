//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"net"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// batch sends several datagrams with one call of the system.
type batch struct {
	// useless is set once the system has refused such calls as a whole, as a filter of system calls does.
	useless atomic.Bool
	// hold calls its argument with the socket's descriptor, which is open meanwhile.
	hold func(func(fd uintptr)) error
	// call is sendmmsg of the next datagrams, which tests replace.
	call func(fd uintptr, headers []messageHeader) (n int, errno syscall.Errno)

	mu      sync.Mutex // of what follows
	names   naming
	headers [batchDatagrams]messageHeader
	parts   [batchDatagrams]syscall.Iovec
	to      [batchDatagrams]syscall.RawSockaddrInet6
	of      [batchDatagrams]int // which of the caller's datagrams it is
	// next and end are the headers that are left, and use calls with them.
	next, end int
	use       func(fd uintptr)
	n         int
	errno     syscall.Errno
}

// newBatch returns what sends for a socket, which is that of a backlog if there is one.
func newBatch(socket *net.UDPConn, polled *backlog, v6 bool) *batch {
	b := &batch{names: naming{v6: v6}, call: sendmmsg}
	if polled != nil {
		b.hold = polled.hold
	} else {
		raw, err := socket.SyscallConn()
		if err != nil {
			return nil
		}
		b.hold = raw.Control
	}
	b.use = func(fd uintptr) { b.n, b.errno = b.call(fd, b.headers[b.next:b.end]) }
	for i := range b.headers {
		h := &b.headers[i].header
		h.Name, h.Iov, h.Iovlen = (*byte)(unsafe.Pointer(&b.to[i])), &b.parts[i], 1
	}
	return b
}

// send is [Conn.SendBatch].
func (b *batch) send(c *Conn, to []netip.AddrPort, datagrams [][]byte) (failed error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next, b.end = 0, 0
	for i, d := range datagrams {
		a := unmap(to[i])
		if err := c.sendable(a, len(d)); err != nil {
			c.counts.sendErrors.Add(1)
			failed = worse(failed, err)
			continue
		}
		c.correspond(a)
		b.add(i, a, d)
		if b.end == batchDatagrams {
			failed = worse(failed, b.flush(c, to, datagrams))
		}
	}
	return worse(failed, b.flush(c, to, datagrams))
}

// add prepares a datagram, which is the i-th of the caller.
func (b *batch) add(i int, to netip.AddrPort, datagram []byte) {
	k := b.end
	b.end++
	b.of[k] = i
	b.headers[k].header.Namelen = uint32(b.names.write(&b.to[k], to))
	b.parts[k].Base = unsafe.SliceData(datagram)
	b.parts[k].SetLen(len(datagram))
}

// flush sends what is prepared. What the call of the system stops at is sent alone.
func (b *batch) flush(c *Conn, to []netip.AddrPort, datagrams [][]byte) (failed error) {
	for b.next < b.end {
		n := 0
		if !b.useless.Load() {
			n = b.some(c)
		}
		for _, i := range b.of[b.next : b.next+n] {
			c.counts.sent.Add(1)
			c.counts.sentBytes.Add(uint64(len(datagrams[i])))
		}
		b.next += n
		if n == 0 {
			failed = worse(failed, b.alone(c, to, datagrams))
		}
	}
	for k := range b.end {
		b.parts[k].Base = nil // the bytes are the caller's again
	}
	runtime.KeepAlive(datagrams)
	b.next, b.end = 0, 0
	return failed
}

// some sends as many of the datagrams as one call takes, which are none if the first one fails.
func (b *batch) some(c *Conn) int {
	for {
		if err := b.hold(b.use); err != nil {
			b.errno = 0 // the socket is closed, as sending alone will tell
			return 0
		}
		switch {
		case b.n > 0 && b.errno == 0:
			return b.n
		case b.errno != syscall.EINTR:
			if isRefused(b.errno) {
				c.counts.refused.Add(1) // it is about an earlier datagram
			}
			return 0
		}
	}
}

// alone sends the next datagram by itself. If that works where a batch is not allowed, none is tried again.
func (b *batch) alone(c *Conn, to []netip.AddrPort, datagrams [][]byte) error {
	i := b.of[b.next]
	b.next++
	err := c.Send(to[i], datagrams[i])
	if err == nil && (b.errno == syscall.ENOSYS || b.errno == syscall.EPERM) {
		b.useless.Store(true)
	}
	return err
}

// sendmmsg has no name in package syscall on all of these processors.
func sendmmsg(fd uintptr, headers []messageHeader) (int, syscall.Errno) {
	number := uintptr(269)
	switch runtime.GOARCH {
	case "amd64":
		number = 307
	case "arm":
		number = 374
	}
	n, _, errno := syscall.Syscall6(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(headers))), uintptr(len(headers)), syscall.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
