package session

import (
	"net/netip"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// memberList lists the members of a match, as a member sends it to a newcomer.
type memberList struct {
	match uint32
	state membership.LogState
	peers []Peer // all members, beginning with the sender, whose address the newcomer knows
}

// memberList returns the member list of a match in which the players own are local.
func (p *peers) memberList(match uint32, own PlayerSet, s *membership.LogState) memberList {
	r := memberList{match, *s, []Peer{{Players: own}}}
	for _, l := range p.links {
		if s.Has(l.players) {
			r.peers = append(r.peers, Peer{l.players, l.Addr})
		}
	}
	return r
}

func (r *memberList) append(b []byte, sets datagram.Sets) []byte {
	b = r.state.Append(le.AppendUint32(b, r.match), sets)
	for i, p := range r.peers {
		if b = sets.Append(b, uint16(p.Players)); i > 0 {
			b = appendAddr(b, p.Addr)
		}
	}
	return b
}

// consumeMemberList decodes a member list from a host. ok is false if it is invalid or does not list each member
// exactly once.
func consumeMemberList(b []byte, sets datagram.Sets, host netip.AddrPort) (r memberList, ok bool) {
	if len(b) < 4 {
		return r, false
	}
	r.match = le.Uint32(b)
	var err error
	if r.state, b, err = membership.ConsumeState(b[4:], sets); err != nil {
		return r, false
	}
	var all PlayerSet
	for len(b) > 0 && len(r.peers) <= MaxPlayers {
		players, rest, err := sets.Consume(b)
		if err != nil {
			return r, false
		}
		p := Peer{Players: PlayerSet(players), Addr: host}
		if b = rest; len(r.peers) > 0 {
			if p.Addr, b, ok = consumeAddr(b); !ok {
				return r, false
			}
		}
		if !r.state.Has(p.Players) || all&p.Players != 0 {
			return r, false
		}
		all |= p.Players
		r.peers = append(r.peers, p)
	}
	return r, len(r.peers) > 0 && all == r.state.All()
}

// appendAddr appends an address: its length, IP, and port.
func appendAddr(b []byte, a netip.AddrPort) []byte {
	ip := a.Addr().AsSlice()
	return le.AppendUint16(append(append(b, byte(len(ip))), ip...), a.Port())
}

func consumeAddr(b []byte) (a netip.AddrPort, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0])+2 {
		return a, nil, false
	}
	n := int(b[0])
	ip, ok := netip.AddrFromSlice(b[1 : 1+n])
	a = netip.AddrPortFrom(ip.Unmap(), le.Uint16(b[1+n:]))
	return a, b[1+n+2:], ok && a.Port() != 0
}
