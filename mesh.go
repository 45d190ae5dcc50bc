package tickback

import "net/netip"

// Mesh returns the peers of a match with one player at each machine: me here, and the addresses
// of all others in the order of their players, who count from 0. If there are fewer addresses
// than players before me, the others are peers without an address, which [P2P] refuses by name.
func Mesh(me Player, others ...netip.AddrPort) []Peer {
	peers := make([]Peer, max(len(others), min(int(me), MaxPlayers-1)))
	for i := range peers {
		p := Player(i)
		if p >= me {
			p++
		}
		peers[i].Players = SetOf(p)
		if i < len(others) {
			peers[i].Addr = others[i]
		}
	}
	return peers
}
