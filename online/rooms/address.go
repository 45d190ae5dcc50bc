//go:build !js

package rooms

import (
	"net/netip"
	"time"
)

// maxAddresses bounds how many addresses are remembered. Those of whom nobody is
// connected are forgotten after a minute.
const maxAddresses = 1 << 16

// visitor is what an address has here.
type visitor struct {
	connections, rooms int
	connects           bucket
}

// visitors are the addresses that have something here.
type visitors map[netip.Prefix]*visitor

// addressOf is whom a limit per address is for: an IPv4 address, or the 64 bits of an
// IPv6 address that one customer has. What is no address is one visitor together.
func addressOf(text string) netip.Prefix {
	ip, err := netip.ParseAddr(text)
	if err != nil {
		ap, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Prefix{}
		}
		ip = ap.Addr()
	}
	ip = ip.Unmap().WithZone("")
	bits := 32
	if !ip.Is4() {
		bits = 64
	}
	p, _ := ip.Prefix(bits) // these bits fit
	return p
}

// come lets a connection in, or says why not.
func (v visitors) come(who netip.Prefix, c *Config, now time.Time) error {
	at := v[who]
	if at == nil {
		if len(v) >= maxAddresses {
			return refuse(ErrServerFull, "too many addresses")
		}
		at = &visitor{connects: newBucket(c.ConnectsPerMinute, float64(c.ConnectsPerMinute)/60, now)}
		v[who] = at
	}
	switch {
	case !at.connects.take(1, now):
		return refuse(ErrRate, "more than %d connections a minute from one address", c.ConnectsPerMinute)
	case at.connections >= c.PerAddress:
		return refuse(ErrRate, "more than %d connections from one address", c.PerAddress)
	}
	at.connections++
	return nil
}

// sweep forgets those who have nothing here.
func (v visitors) sweep(now time.Time) {
	for who, at := range v {
		if at.connections == 0 && at.rooms == 0 && at.connects.full(now) {
			delete(v, who)
		}
	}
}
