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

// batch sends several datagrams with one system call.
type batch struct {
	v6 bool // it is an IPv6 socket, perhaps for both families
	// useless is set once the system has refused such calls in general, as a system call filter does.
	useless atomic.Bool
	// hold calls a function with the socket's descriptor, which stays open during the call.
	hold func(func(fd uintptr)) error
	// call is sendmmsg, which tests replace.
	call func(fd uintptr, headers []messageHeader) (n int, errno syscall.Errno)
}

// newBatch returns a batch for a socket: for that of the backlog if polled is not nil.
func newBatch(socket *net.UDPConn, polled *backlog, v6 bool) *batch {
	b := &batch{v6: v6, call: sendmmsg}
	if polled != nil {
		b.hold = polled.hold
		return b
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	b.hold = raw.Control
	return b
}

// send implements [Conn.SendBatch].
func (b *batch) send(c *Conn, to []netip.AddrPort, datagrams [][]byte) (failed error) {
	s := sheets.Get().(*sheet)
	defer sheets.Put(s)
	s.batch, s.names.v6 = b, b.v6
	for i, d := range datagrams {
		a := unmap(to[i])
		if err := c.sendable(a, len(d)); err != nil {
			c.counts.sendErrors.Add(1)
			failed = worse(worse(failed, s.flush(c, to, datagrams)), err)
			continue
		}
		c.correspond(a)
		s.add(i, a, d)
		if s.end == batchDatagrams {
			failed = worse(failed, s.flush(c, to, datagrams))
		}
	}
	return worse(failed, s.flush(c, to, datagrams))
}

// sheet is the memory for one system call. Sockets share sheets, so that they stay in the processor's cache.
type sheet struct {
	batch   *batch
	names   naming
	headers [batchDatagrams]messageHeader
	parts   [batchDatagrams]syscall.Iovec
	to      [batchDatagrams]syscall.RawSockaddrInet6
	of      [batchDatagrams]int // for each header, the index of the caller's datagram
	// next and end delimit the headers that have not been sent. use makes the call; n and errno are its results.
	next, end int
	use       func(fd uintptr)
	n         int
	errno     syscall.Errno
}

var sheets = sync.Pool{New: func() any {
	s := &sheet{}
	s.use = func(fd uintptr) { s.n, s.errno = s.batch.call(fd, s.headers[s.next:s.end]) }
	for i := range s.headers {
		h := &s.headers[i].header
		h.Name, h.Iov, h.Iovlen = (*byte)(unsafe.Pointer(&s.to[i])), &s.parts[i], 1
	}
	return s
}}

// add prepares the i-th datagram of the caller.
func (s *sheet) add(i int, to netip.AddrPort, datagram []byte) {
	k := s.end
	s.end++
	s.of[k] = i
	s.headers[k].header.Namelen = uint32(s.names.write(&s.to[k], to))
	s.parts[k].Base = unsafe.SliceData(datagram)
	s.parts[k].SetLen(len(datagram))
}

// flush sends the prepared datagrams. If the system call stops at one, that one is sent individually.
func (s *sheet) flush(c *Conn, to []netip.AddrPort, datagrams [][]byte) (failed error) {
	for s.next < s.end {
		n := 0
		if !s.batch.useless.Load() {
			n = s.some(c)
		}
		for _, i := range s.of[s.next : s.next+n] {
			c.counts.sent.Add(1)
			c.counts.sentBytes.Add(uint64(len(datagrams[i])))
		}
		s.next += n
		if n == 0 {
			failed = worse(failed, s.alone(c, to, datagrams))
		}
	}
	for k := range s.end {
		s.parts[k].Base = nil // the bytes belong to the caller again
	}
	s.next, s.end = 0, 0
	return failed
}

// some sends as many of the datagrams as one call accepts, which is none if the first one fails.
func (s *sheet) some(c *Conn) int {
	for {
		if err := s.batch.hold(s.use); err != nil {
			s.errno = 0 // the socket is closed, which sending individually will report
			return 0
		}
		switch {
		case s.n > 0 && s.errno == 0:
			return s.n
		case s.errno != syscall.EINTR:
			if isRefused(s.errno) {
				c.counts.refused.Add(1) // the error is about an earlier datagram
			}
			return 0
		}
	}
}

// alone sends the next datagram individually. If that works after the system has refused a batch, batches are not
// tried again.
func (s *sheet) alone(c *Conn, to []netip.AddrPort, datagrams [][]byte) error {
	i := s.of[s.next]
	s.next++
	err := c.Send(to[i], datagrams[i])
	if err == nil && (s.errno == syscall.ENOSYS || s.errno == syscall.EPERM) {
		s.batch.useless.Store(true)
	}
	return err
}

// sendmmsg has no name in package syscall on all of these processors. It does not block, so the runtime need not know
// about the call: see [backlog.send].
func sendmmsg(fd uintptr, headers []messageHeader) (int, syscall.Errno) {
	number := uintptr(269)
	switch runtime.GOARCH {
	case "amd64":
		number = 307
	case "arm":
		number = 374
	}
	n, _, errno := syscall.RawSyscall6(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(headers))), uintptr(len(headers)), syscall.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
