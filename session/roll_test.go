package session

import (
	"net/netip"
	"reflect"
	"testing"

	"github.com/tickback/tickback/session/membership"
)

// rollOf is the roll that a node sends newcomers.
func rollOf(n *node) []byte {
	r := n.roll(n.match.number, n.cfg.Local, n.core.State())
	return r.append(nil)
}

// Rule: a roll arrives as it was sent, with the host's address as the first, or not at all if
// something is missing.
func TestARollArrivesWhole(t *testing.T) {
	p := peers{links: []*link{linkOf(0b0110, connected, 1), linkOf(0b1000, gone, 2), linkOf(0b10000, connected, 3)}}
	s := membership.Begin([]PlayerSet{1, 0b0110, 0b10000}, 0b1000)
	r := p.roll(7, 1, &s)
	addr := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(elsewhere.Addr(), port) }
	want := roll{7, s, []Peer{{1, addr(9)}, {0b0110, addr(1)}, {0b10000, addr(3)}}}
	b := r.append(nil)
	got, ok := consumeRoll(b, addr(9))
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v, want %+v", ok, got, want)
	}
	for n := range b {
		if got, ok := consumeRoll(b[:n], addr(9)); ok {
			t.Errorf("%d of %d bytes are %+v", n, len(b), got)
		}
	}
}
