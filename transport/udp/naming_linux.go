//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"syscall"
	"unsafe"
)

// naming writes addresses in the system's format.
type naming struct {
	v6    bool // it is an IPv6 socket, perhaps for both families
	zones map[string]uint32
}

// write writes an address, and returns its length.
func (o *naming) write(name *syscall.RawSockaddrInet6, to netip.AddrPort) (size uintptr) {
	bytes := (*[unsafe.Sizeof(*name)]byte)(unsafe.Pointer(name))
	clear(bytes[:])
	binary.BigEndian.PutUint16(bytes[2:], to.Port())
	if !o.v6 {
		four := to.Addr().As4()
		name.Family = syscall.AF_INET
		copy(bytes[4:], four[:])
		return syscall.SizeofSockaddrInet4
	}
	name.Family, name.Addr = syscall.AF_INET6, to.Addr().As16()
	if zone := to.Addr().Zone(); zone != "" {
		name.Scope_id = o.scope(zone)
	}
	return syscall.SizeofSockaddrInet6
}

// scope returns the number of a zone, which is the index of an interface.
func (o *naming) scope(zone string) uint32 {
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
