//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"unsafe"
)

// output is what a backlog needs to send.
type output struct {
	mu    sync.Mutex
	v6    bool // the socket is of IPv6, and perhaps of both
	name  syscall.RawSockaddrInet6
	zones map[string]uint32
}

// send sends a datagram, unless the system has no room for it now.
func (b *backlog) send(datagram []byte, to netip.AddrPort) error {
	b.life.RLock()
	defer b.life.RUnlock()
	if b.fd < 0 {
		return net.ErrClosed
	}
	o := &b.out
	o.mu.Lock()
	defer o.mu.Unlock()
	size := o.address(to)
	var first *byte
	if len(datagram) > 0 {
		first = &datagram[0]
	}
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_SENDTO, uintptr(b.fd), uintptr(unsafe.Pointer(first)), uintptr(len(datagram)), syscall.MSG_DONTWAIT, uintptr(unsafe.Pointer(&o.name)), size)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return errno
		}
	}
}

// address writes an address as the system has it, and returns its length.
func (o *output) address(to netip.AddrPort) (size uintptr) {
	name := (*[unsafe.Sizeof(o.name)]byte)(unsafe.Pointer(&o.name))
	clear(name[:])
	binary.BigEndian.PutUint16(name[2:], to.Port())
	if !o.v6 {
		four := to.Addr().As4()
		o.name.Family = syscall.AF_INET
		copy(name[4:], four[:])
		return syscall.SizeofSockaddrInet4
	}
	o.name.Family, o.name.Addr = syscall.AF_INET6, to.Addr().As16()
	if zone := to.Addr().Zone(); zone != "" {
		o.name.Scope_id = o.scope(zone)
	}
	return syscall.SizeofSockaddrInet6
}

// scope returns the number of a zone, which is that of an interface.
func (o *output) scope(zone string) uint32 {
	id, known := o.zones[zone]
	if known {
		return id
	}
	if i, err := net.InterfaceByName(zone); err == nil {
		id = uint32(i.Index)
	} else if n, err := strconv.ParseUint(zone, 10, 32); err == nil {
		id = uint32(n)
	}
	if o.zones == nil || len(o.zones) > maxCorrespondents {
		o.zones = make(map[string]uint32)
	}
	o.zones[zone] = id
	return id
}
