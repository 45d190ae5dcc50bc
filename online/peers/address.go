package peers

import (
	"encoding/binary"
	"net/netip"
)

// prefix is a unique local prefix (RFC 4193), with a random global ID.
var prefix = [12]byte{0xfd, 0x8e, 0x71, 0x1c, 0xba, 0x2c, 0x52, 0x54}

// AddrOf returns the address of the peer with this number, the same on all machines.
func AddrOf(id uint32) netip.AddrPort {
	var a [16]byte
	copy(a[:], prefix[:])
	binary.BigEndian.PutUint32(a[12:], id)
	return netip.AddrPortFrom(netip.AddrFrom16(a), 1)
}

// IDOf returns the number of the peer that has this address, if AddrOf made it.
func IDOf(addr netip.AddrPort) (id uint32, ok bool) {
	a := addr.Addr().As16()
	id = binary.BigEndian.Uint32(a[12:])
	return id, AddrOf(id) == addr
}
