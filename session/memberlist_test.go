package session

import (
	"net/netip"
	"reflect"
	"testing"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// rollOf returns the member list that a node sends newcomers.
func rollOf(n *node) []byte {
	r := n.memberList(n.match.Number(), n.cfg.Local, n.match.Log().State())
	return r.append(nil, n.cfg.sets())
}

// Rule: a member list arrives as it was sent, with the host's address first, or not at all if
// something is missing.
func TestARollArrivesWhole(t *testing.T) {
	for players, last := range map[int]PlayerSet{5: 0b10000, 8: 1 << 7, 9: 1 << 8, 16: 1 << 15} {
		rollOfMany(t, datagram.SetsOf(players), last)
	}
}

func rollOfMany(t *testing.T, sets datagram.Sets, last PlayerSet) {
	p := peers{links: []*link{linkOf(0b0110, connected, 1), linkOf(0b1000, gone, 2), linkOf(last, connected, 3)}}
	s := membership.Begin([]PlayerSet{1, 0b0110, last}, 0b1000)
	r := p.memberList(7, 1, &s)
	addr := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(elsewhere.Addr(), port) }
	want := memberList{7, s, []Peer{{1, addr(9)}, {0b0110, addr(1)}, {last, addr(3)}}}
	b := r.append(nil, sets)
	got, ok := consumeMemberList(b, sets, addr(9))
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v, want %+v", ok, got, want)
	}
	for n := range b {
		if got, ok := consumeMemberList(b[:n], sets, addr(9)); ok {
			t.Errorf("%d of %d bytes are %+v", n, len(b), got)
		}
	}
}
