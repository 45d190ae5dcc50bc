//go:build !js

package lan

import "net/netip"

// routes say from which peer a datagram comes: from its source address to the address that package peers gives the peer.
type routes map[netip.AddrPort]netip.AddrPort

// set replaces the addresses from which datagrams of a peer are accepted.
func (r routes) set(peer netip.AddrPort, sources []netip.AddrPort) {
	for from, who := range r {
		if who == peer {
			delete(r, from)
		}
	}
	for _, from := range sources {
		r[from] = peer
	}
}
