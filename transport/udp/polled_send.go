//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"net"
	"net/netip"
	"sync"
	"syscall"
	"unsafe"
)

// output is what a backlog needs for sending.
type output struct {
	mu    sync.Mutex
	names naming
	name  syscall.RawSockaddrInet6
}

// send sends a datagram, unless the system has no room for it at the moment. Like reading, it does not block, so it
// does not inform the Go scheduler, which would look for other work and cost more than the call.
func (b *backlog) send(datagram []byte, to netip.AddrPort) error {
	b.life.RLock()
	defer b.life.RUnlock()
	if b.fd < 0 {
		return net.ErrClosed
	}
	o := &b.out
	o.mu.Lock()
	defer o.mu.Unlock()
	size := o.names.write(&o.name, to)
	var first *byte
	if len(datagram) > 0 {
		first = &datagram[0]
	}
	for {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(b.fd), uintptr(unsafe.Pointer(first)), uintptr(len(datagram)), syscall.MSG_DONTWAIT, uintptr(unsafe.Pointer(&o.name)), size)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return errno
		}
	}
}
