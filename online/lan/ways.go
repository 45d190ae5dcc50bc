//go:build !js

package lan

import (
	"net"
	"net/netip"
	"slices"
)

// network has the addresses of this machine at one moment.
type network struct {
	addrs []netip.Addr // of interfaces that are up, the most useful first
	zones []string     // of interfaces with link-local IPv6 addresses
	casts []netip.Addr // the broadcast addresses of its IPv4 networks
}

// maxZones is the number of networks that are tried for a link-local address, since the address itself does not name
// one.
const maxZones = 4

// networks reads the interfaces of this machine.
func networks() network {
	list, _ := net.Interfaces() // on an error the list is empty
	return networksOf(list)
}

// networksOf reads these interfaces. If none is up, or the system does not list them, the result is loopback alone.
func networksOf(list []net.Interface) (n network) {
	for i := range list {
		if list[i].Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := list[i].Addrs()
		if err != nil {
			continue
		}
		for _, a := range addrs {
			if p, err := netip.ParsePrefix(a.String()); err == nil {
				n.add(p, list[i].Name)
			}
		}
	}
	if len(n.addrs) == 0 {
		n.add(netip.MustParsePrefix("127.0.0.1/8"), "lo")
	}
	return n
}

func (n *network) add(p netip.Prefix, name string) {
	a := p.Addr().Unmap()
	at, _ := slices.BinarySearchFunc(n.addrs, rank(a)+1, func(b netip.Addr, r int) int { return rank(b) - r }) // after those of equal rank
	n.addrs = slices.Insert(n.addrs, at, a)
	if a.Is6() && a.IsLinkLocalUnicast() && len(n.zones) < maxZones && !slices.Contains(n.zones, name) {
		n.zones = append(n.zones, name)
	}
	if c, ok := broadcast(p); ok && !slices.Contains(n.casts, c) {
		n.casts = append(n.casts, c)
	}
}

// broadcast returns the broadcast address of an IPv4 network.
func broadcast(p netip.Prefix) (netip.Addr, bool) {
	if !p.Addr().Is4() || p.Bits() > 30 {
		return netip.Addr{}, false
	}
	a := p.Addr().As4()
	for i := p.Bits(); i < 32; i++ {
		a[i/8] |= 0x80 >> (i % 8)
	}
	return netip.AddrFrom4(a), true
}

// asked returns the addresses to which a search is sent: the broadcast address of each network, the multicast group,
// and this machine.
func (n *network) asked() []netip.Addr {
	return append(slices.Clone(n.casts), group, netip.AddrFrom4([4]byte{255, 255, 255, 255}), netip.AddrFrom4([4]byte{127, 0, 0, 1}))
}

// rank orders addresses by how likely they are to be useful, and how easy they are to type.
func rank(a netip.Addr) int {
	switch {
	case a.IsLoopback():
		return 4
	case a.Is4() && a.IsPrivate():
		return 0
	case a.Is4() && !a.IsLinkLocalUnicast():
		return 1
	case !a.IsLinkLocalUnicast():
		return 2
	}
	return 3
}

// elsewhere returns the addresses that other machines can use: not those of loopback or link-local IPv6, whose zone
// only this machine knows.
func (n *network) elsewhere() (list []netip.Addr) {
	for _, a := range n.addrs {
		if !a.IsLoopback() && !(a.Is6() && a.IsLinkLocalUnicast()) {
			list = append(list, a)
		}
	}
	return list
}

// told returns the addresses to give to others for a server at all addresses of this machine, or the one for this machine
// if there are none.
func (n *network) told(local netip.AddrPort) (list []string) {
	for _, a := range n.elsewhere() {
		list = append(list, netip.AddrPortFrom(a, local.Port()).String())
	}
	if len(list) == 0 {
		list = append(list, local.String())
	}
	return list
}

// ways returns the addresses at which a socket of this machine can be reached.
func (n *network) ways(local netip.AddrPort) (list []netip.AddrPort) {
	if !local.Addr().IsUnspecified() {
		return []netip.AddrPort{local}
	}
	for _, a := range n.addrs {
		if (a.Is4() || local.Addr().Is6()) && len(list) < maxWays {
			list = append(list, netip.AddrPortFrom(a, local.Port()))
		}
	}
	return list
}

// called returns addresses in the form in which this machine uses them: a link-local one can be on any of our
// networks.
func (n *network) called(ways []netip.AddrPort) (list []netip.AddrPort) {
	for _, w := range ways {
		if a := w.Addr(); !a.Is6() || !a.IsLinkLocalUnicast() {
			list = append(list, w)
			continue
		}
		for _, zone := range n.zones {
			list = append(list, netip.AddrPortFrom(w.Addr().WithZone(zone), w.Port()))
		}
	}
	return list[:min(len(list), maxWays)]
}
