package served

import (
	"fmt"
	"net/netip"
)

// Unlimited is a [ServerConfig.PerAddress] that sets no limit.
const Unlimited = -1

// network returns what counts as one address: an IPv4 address, or the smallest IPv6 prefix that providers give to a
// customer.
func network(a netip.Addr) netip.Prefix {
	a = a.Unmap().WithZone("")
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits) // an address that is invalid has the zero one: all of these count as one
	return p
}

// perAddress returns how many places one address may have.
func (c *ServerConfig) perAddress(a netip.Addr) int {
	switch {
	case c.PerAddress > 0:
		return c.PerAddress
	case c.PerAddress < 0, c.Token != nil, a.IsLoopback(), a.IsPrivate(), a.IsLinkLocalUnicast():
		return c.Players
	}
	return max(4, (c.Players+1)/2)
}

// crowded returns why no other client gets a place at an address, or "".
func (c *clients) crowded(cfg *ServerConfig, at netip.AddrPort) string {
	most := cfg.perAddress(at.Addr())
	here, n := network(at.Addr()), 0
	for _, k := range c.list {
		if k.plays && network(k.pipe.Addr.Addr()) == here {
			n++
		}
	}
	if n < most || n >= cfg.Players {
		return "" // if the match is full, that is the reason to give
	}
	return fmt.Sprintf("address %v has %d places already, and no address gets more", at.Addr(), n)
}
