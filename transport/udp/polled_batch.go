//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// backlog is a socket that is read on demand: everything that has arrived, up to a batch, in one call. The system
// records when each datagram has arrived. The socket is not one of package net, which would wake up for every datagram.
type backlog struct {
	life sync.RWMutex // held while fd is in use
	fd   int          // -1 after the socket is closed
	out  output
	// alarm is used to wait; nil if the system does not support it.
	alarm *alarm

	mu     sync.Mutex // guards the fields below
	load   *load      // the datagrams that were read, if some have not been taken; else nil
	got    int        // number of datagrams returned by the last call
	all    bool       // the last call has emptied the system's buffer
	failed syscall.Errno
	next   int       // index of the next datagram to take
	at     time.Time // the time of the call
	zones  map[uint32]string
}

// load is the data of one system call. Loads take much memory, so sockets share them, and they stay in the processor's
// cache.
type load struct {
	used    int // the headers that a call may have changed
	headers [batchDatagrams]messageHeader
	parts   [batchDatagrams]syscall.Iovec
	names   [batchDatagrams]syscall.RawSockaddrInet6
	notes   [batchDatagrams][noteWords]uint64
	bytes   [batchDatagrams][MaxDatagram]byte
}

// spare is a load that nobody uses, which is cheaper to get than one of the pool. Most processes have one socket.
var spare atomic.Pointer[load]

var loads = sync.Pool{New: func() any {
	l := &load{used: batchDatagrams}
	for i := range l.headers {
		l.parts[i].Base = &l.bytes[i][0]
		l.parts[i].SetLen(MaxDatagram)
		h := &l.headers[i].header
		h.Iov, h.Iovlen = &l.parts[i], 1
		h.Name, h.Control = (*byte)(unsafe.Pointer(&l.names[i])), (*byte)(unsafe.Pointer(&l.notes[i]))
	}
	return l
}}

// ready prepares the headers for a system call.
func (l *load) ready() {
	for i := range l.used {
		h := &l.headers[i].header
		h.Namelen, h.Flags = uint32(unsafe.Sizeof(l.names[i])), 0
		h.SetControllen(int(unsafe.Sizeof(l.notes[i])))
	}
	l.used = 0
}

// messageHeader is struct mmsghdr.
type messageHeader struct {
	header syscall.Msghdr
	length uint32
}

// noteWords is the room for a control message with a time, in words, since it must be aligned.
const noteWords = 8

// newBacklog takes over a socket. It returns nil, and leaves the socket as it is, if the system does not support this.
func newBacklog(socket *net.UDPConn, v6 bool) *backlog {
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	b := &backlog{fd: -1, out: output{names: naming{v6: v6}}, zones: make(map[uint32]string)}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		if failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TIMESTAMPNS, 1); failed != nil {
			return
		}
		copied, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_DUPFD_CLOEXEC, 0)
		if errno != 0 {
			failed = errno
			return
		}
		b.fd = int(copied)
	}); err != nil || failed != nil {
		return nil
	}
	if b.fill(); b.failed == syscall.ENOSYS || b.failed == syscall.EPERM {
		syscall.Close(b.fd)
		return nil
	}
	socket.Close() // our own descriptor stays open
	b.alarm = newAlarm(b.fd)
	return b
}

// close frees the socket. Later calls find no datagrams.
func (b *backlog) close() error {
	if b.alarm != nil {
		b.alarm.close()
	}
	b.life.Lock()
	defer b.life.Unlock()
	fd := b.fd
	if b.fd = -1; fd < 0 {
		return nil
	}
	return syscall.Close(fd)
}

// hold calls use with the descriptor, which stays open during the call.
func (b *backlog) hold(use func(fd uintptr)) error {
	b.life.RLock()
	defer b.life.RUnlock()
	if b.fd < 0 {
		return net.ErrClosed
	}
	use(uintptr(b.fd))
	return nil
}

// share returns the socket as one of package net, in addition to the backlog's descriptor, or nil.
func (b *backlog) share() *net.UDPConn {
	copied := -1
	if err := b.hold(func(fd uintptr) {
		if n, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_DUPFD_CLOEXEC, 0); errno == 0 {
			copied = int(n)
		}
	}); err != nil || copied < 0 {
		return nil
	}
	file := os.NewFile(uintptr(copied), "udp")
	defer file.Close()
	conn, err := net.FilePacketConn(file)
	if err != nil {
		return nil
	}
	return conn.(*net.UDPConn)
}

// each takes the datagrams that were read and not taken, and reads nothing.
func (b *backlog) each(do func(datagram []byte, from netip.AddrPort, at time.Time), counts *counters) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; b.next < b.got; b.next++ {
		if b.load.headers[b.next].header.Flags&syscall.MSG_TRUNC != 0 {
			counts.tooLong.Add(1)
			continue
		}
		length := b.load.headers[b.next].length
		counts.received.Add(1)
		counts.receivedBytes.Add(uint64(length))
		do(b.load.bytes[b.next][:length], b.from(b.next), b.arrival(b.next))
	}
	b.all = false
	b.rest()
}

// fill reads the datagrams that have arrived, and reports whether there are any.
func (b *backlog) fill() bool {
	if b.load == nil {
		if b.load = spare.Swap(nil); b.load == nil {
			b.load = loads.Get().(*load)
		}
	}
	b.load.ready()
	b.life.RLock()
	n, _, errno := uintptr(0), uintptr(0), syscall.EBADF
	if b.fd >= 0 {
		n, _, errno = syscall.RawSyscall6(syscall.SYS_RECVMMSG, uintptr(b.fd), uintptr(unsafe.Pointer(&b.load.headers)), batchDatagrams, syscall.MSG_DONTWAIT, 0, 0)
	}
	b.life.RUnlock()
	if b.next, b.got, b.failed = 0, int(n), errno; errno != 0 || n == 0 {
		b.got = 0
		b.rest()
		return false
	}
	b.load.used = b.got
	b.at = time.Now()
	return true
}

// rest returns a load to the shared ones after everything in it has been taken.
func (b *backlog) rest() {
	if b.load != nil {
		if !spare.CompareAndSwap(nil, b.load) {
			loads.Put(b.load)
		}
		b.load = nil
	}
}

// pop copies the oldest datagram into buf, as [Conn.Receive] does.
func (b *backlog) pop(buf []byte, counts *counters) (n int, from netip.AddrPort, at time.Time, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if b.next >= b.got && !b.more(counts) {
			return 0, netip.AddrPort{}, time.Time{}, false
		}
		i, l := b.next, b.load
		b.next++
		h := &l.headers[i]
		if h.header.Flags&syscall.MSG_TRUNC != 0 {
			counts.tooLong.Add(1)
			continue
		}
		counts.received.Add(1)
		counts.receivedBytes.Add(uint64(h.length))
		if int(h.length) > len(buf) {
			counts.tooLong.Add(1)
			continue
		}
		return copy(buf, l.bytes[i][:h.length]), b.from(i), b.arrival(i), true
	}
}

// more fills the backlog. If the last call has emptied the system's buffer, it instead reports once that there is
// nothing, without asking the system. A socket error about an earlier datagram is skipped.
func (b *backlog) more(counts *counters) bool {
	if b.all {
		b.all = false
		b.rest()
		return false
	}
	const tries = 8
	for range tries {
		if b.fill() {
			b.all = b.got < batchDatagrams
			return true
		}
		switch {
		case b.failed == 0 || b.failed == syscall.EAGAIN || b.failed == syscall.EBADF:
			return false
		case b.failed == syscall.EINTR:
		case isRefused(b.failed):
			counts.refused.Add(1)
		default:
			counts.readErrors.Add(1)
			return false
		}
	}
	return false
}

// from returns the address that a datagram came from.
func (b *backlog) from(i int) netip.AddrPort {
	name := (*[unsafe.Sizeof(b.load.names[i])]byte)(unsafe.Pointer(&b.load.names[i]))
	port := binary.BigEndian.Uint16(name[2:])
	if b.load.names[i].Family == syscall.AF_INET {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(name[4:])), port)
	}
	addr := netip.AddrFrom16(b.load.names[i].Addr).Unmap()
	if scope := b.load.names[i].Scope_id; scope != 0 && addr.Is6() {
		addr = addr.WithZone(b.zone(scope))
	}
	return netip.AddrPortFrom(addr, port)
}

// zone returns the name of a zone, which is the name of an interface.
func (b *backlog) zone(scope uint32) string {
	name, known := b.zones[scope]
	if !known {
		name = strconv.Itoa(int(scope))
		if i, err := net.InterfaceByIndex(int(scope)); err == nil {
			name = i.Name
		}
		b.zones[scope] = name
	}
	return name
}

// longestWait is the maximum time that a datagram is assumed to have waited, since the system's clock may have been
// set in the meantime.
const longestWait = 5 * time.Second

// arrival returns when a datagram arrived, by the clock of this process. The system records the time of day instead.
func (b *backlog) arrival(i int) time.Time {
	note := (*syscall.Cmsghdr)(unsafe.Pointer(&b.load.notes[i]))
	size := uintptr(b.load.headers[i].header.Controllen)
	if size < uintptr(syscall.CmsgLen(0))+unsafe.Sizeof(syscall.Timespec{}) || note.Level != syscall.SOL_SOCKET || note.Type != syscall.SCM_TIMESTAMPNS {
		return b.at
	}
	stamp := (*syscall.Timespec)(unsafe.Add(unsafe.Pointer(&b.load.notes[i]), syscall.CmsgLen(0)))
	waited := time.Duration(b.at.UnixNano() - stamp.Nano())
	if waited < 0 || waited > longestWait {
		return b.at
	}
	return b.at.Add(-waited)
}
