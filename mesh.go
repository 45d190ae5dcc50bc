package tickback

import "net/netip"

// Mesh returns the peers of a match with one player at each machine: me here, and
// the addresses of all others in the order of their players.
func Mesh(me Player, others ...netip.AddrPort) []Peer {
	peers := make([]Peer, len(others))
	for i, addr := range others {
		p := Player(i)
		if p >= me {
			p++
		}
		peers[i] = Peer{Players: SetOf(p), Addr: addr}
	}
	return peers
}
