package dtls

import (
	"net/netip"
	"slices"
	"time"
)

// maxPlaces limits the addresses of a peer: that of the handshake, the one that it has moved to, and two that an
// attacker on the path may have faked.
const maxPlaces = 4

// roster has the peers, and the addresses at which they are.
type roster struct {
	list   []*peer                    // in the order in which they were added
	at     map[netip.AddrPort]*peer   // by address, including addresses that they have moved to
	places map[*peer][]netip.AddrPort // the addresses of each, the oldest first
}

func newRoster() roster {
	return roster{at: map[netip.AddrPort]*peer{}, places: map[*peer][]netip.AddrPort{}}
}

func (r *roster) add(p *peer, at netip.AddrPort) {
	r.list, r.at[at], r.places[p] = append(r.list, p), p, []netip.AddrPort{at}
}

func (r *roster) remove(p *peer) {
	for _, a := range r.places[p] {
		delete(r.at, a)
	}
	delete(r.places, p)
	r.list = slices.DeleteFunc(r.list, func(o *peer) bool { return o == p })
}

// move adds an address of a peer, unless it is another one's. An older one makes room, but not those that are in use.
func (r *roster) move(p *peer, to netip.AddrPort, used ...netip.AddrPort) bool {
	if r.at[to] != nil {
		return false
	}
	places := r.places[p]
	if len(places) == maxPlaces {
		old := slices.IndexFunc(places, func(a netip.AddrPort) bool { return !slices.Contains(used, a) })
		delete(r.at, places[old])
		places = slices.Delete(places, old, old+1)
	}
	r.places[p], r.at[to] = append(places, to), p
	return true
}

// halfOpen counts the other strangers with which a handshake takes place, and those of them in the network of this one.
func (r *roster) halfOpen(who *peer) (all, near int) {
	net := network(who.handshake.addr.Addr())
	for _, p := range r.list {
		if p.handshake.pending != nil && p.stranger && p != who {
			all++
			if net.Contains(p.handshake.addr.Addr().WithZone("")) {
				near++
			}
		}
	}
	return all, near
}

// expendable returns the peer that a new one may replace: the one without a connection whose address has not been
// wanted for the longest time, or otherwise a connected stranger that our owner does not send to, the newest one of the
// network that has most of them. Peers that our owner currently sends to are kept, even while their connection is lost.
func (r *roster) expendable(now time.Time) *peer {
	var oldest, idle *peer
	strangers := map[netip.Prefix]int{}
	for _, p := range r.list {
		switch {
		case p.handshake.wanted.ago(now) < wantTime:
		case p.handshake.conn.Load() == nil && p.handshake.pending == nil:
			if oldest == nil || p.handshake.wanted.after.Load() < oldest.handshake.wanted.after.Load() {
				oldest = p
			}
		case p.stranger:
			net := network(p.handshake.addr.Addr())
			if strangers[net]++; idle == nil || strangers[net] >= strangers[network(idle.handshake.addr.Addr())] {
				idle = p
			}
		}
	}
	if oldest == nil && idle != nil && strangers[network(idle.handshake.addr.Addr())] > 1 { // a network with only one such peer is not flooding us
		return idle
	}
	return oldest
}
