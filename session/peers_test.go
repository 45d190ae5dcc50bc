package session

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/peer"
)

// linkOf is a link to these players, at a port.
func linkOf(players PlayerSet, state linkState, port uint16) *link {
	l := &link{Link: &peer.Link{Conn: &peer.Conn{Addr: netip.AddrPortFrom(elsewhere.Addr(), port)}}, players: players, state: state}
	l.List = slices.Collect(players.All())
	return l
}

// Rule: a peer is found by its address or its players, one that is present before one that is gone;
// then a newcomer, by its players if it is connected.
func TestWhichWayLeadsToAPeer(t *testing.T) {
	was, is := linkOf(0b010, gone, 1), linkOf(0b010, connected, 1)
	late, other := linkOf(0b010, connected, 3), linkOf(0b100, connecting, 4)
	p := peers{links: []*link{was, is}, newcomers: []*newcomer{{link: late}, {link: other}}}
	addr := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(elsewhere.Addr(), port) }
	for i, c := range []struct{ got, want *link }{
		{p.linkTo(addr(1)), is},
		{p.linkTo(addr(3)), late},
		{p.linkTo(addr(4)), other},
		{p.linkTo(addr(9)), nil},
		{p.linkToPlayers(0b010), is},
		{p.linkToPlayers(0b100), nil},
		{p.linkToPlayers(0b110), nil},
	} {
		if c.got != c.want {
			t.Errorf("case %d: %+v, want %+v", i, c.got, c.want)
		}
	}
	is.state = gone
	if p.linkTo(addr(1)) != is || p.linkToPlayers(0b010) != late {
		t.Error("without a peer that is there, one that is gone is not found, or comes before a candidate")
	}
	if p.newcomerOf(late) != p.newcomers[0] || p.newcomerOf(is) != nil {
		t.Error("a candidate is not found, or a peer is one")
	}
	if got := slices.Collect(p.allLinks()); !slices.Equal(got, []*link{was, is, late, other}) {
		t.Errorf("the ways are %v", got)
	}
}

// Rule: cached positions of links no longer count once links have moved, others have their
// addresses, or the set of links changes.
func TestPeersThatMoveAreFound(t *testing.T) {
	a, b := linkOf(0b010, connected, 1), linkOf(0b100, connected, 2)
	p := peers{links: []*link{a, b}}
	addr := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(elsewhere.Addr(), port) }
	finds := func(want ...*link) {
		t.Helper()
		for port, l := range want {
			for range 2 { // the second time by the table
				if p.linkTo(addr(uint16(port))) != l {
					t.Errorf("port %d leads elsewhere", port)
				}
			}
		}
	}
	finds(nil, a, b)
	a.Addr, b.Addr = addr(2), addr(1)
	finds(nil, b, a)
	a.Addr = addr(3)
	finds(nil, b, nil, a)
	a.state = gone
	p.add(linkOf(0b010, connected, 2))
	finds(nil, b, p.links[0], nil)
	p.links = []*link{b}
	finds(nil, b, nil, nil)
	p.add(a)
	finds(nil, b, nil, a)
}

// Rule: a newcomer replaces a peer with the same players if that is gone, and is added if there is
// none.
func TestANewcomerTakesAPlace(t *testing.T) {
	a, b := linkOf(0b010, connected, 1), linkOf(0b1100, gone, 2)
	p := peers{links: []*link{a, b}}
	back, more := linkOf(0b1100, connected, 3), linkOf(0b10000, connected, 4)
	p.add(back)
	if p.links[1] != back || len(p.links) != 2 || p.at[2] != back || p.at[3] != back {
		t.Errorf("the links are %v", p.links)
	}
	p.add(more)
	if len(p.links) != 3 || p.links[2] != more || p.at[4] != more || p.at[1] != nil {
		t.Errorf("the links are %v", p.links)
	}
	twin := linkOf(0b010, connected, 5)
	if p.add(twin); p.links[0] != a || p.links[3] != twin {
		t.Error("it takes the place of a peer that is there")
	}
}

// Rule: only members determine how many frames all have, and only peers that are at the end how
// many frames there are.
func TestWhatPeersHaveTold(t *testing.T) {
	a, b, c := linkOf(0b010, connected, 1), linkOf(0b100, gone, 2), linkOf(0b1000, connected, 3)
	p := peers{links: []*link{a, b, c}}
	a.confirmed, b.confirmed, c.confirmed = 70, 60, 50
	core := membership.New(1, membership.Begin([]PlayerSet{1, 0b010, 0b100}, 0b1000), nil, membership.Config{})
	for n, want := range map[Frame]Frame{100: 60, 60: 60, 40: 40} {
		if got, _ := p.told(core, n); got != want {
			t.Errorf("of %d frames all have %d, want %d", n, got, want)
		}
	}
	if told, ended := p.told(nil, 100); told != 100 || ended != 0 {
		t.Errorf("%d frames of 100 in a match without others, which has %d", told, ended)
	}
	a.done, b.done, c.done = true, true, true
	a.summary.Frames, b.summary.Frames, c.summary.Frames = 80, 95, 90
	if _, ended := p.told(core, 100); ended != 90 {
		t.Errorf("the match has %d frames, as those say that are there", ended)
	}
}

// Rule: for the farthest peer its jitter counts, too; and the peer with the oldest equal comparison
// counts.
func TestWhichPeerCounts(t *testing.T) {
	a, b, c := linkOf(0b010, connected, 1), linkOf(0b100, leaving, 2), linkOf(0b1000, gone, 3)
	p := peers{links: []*link{a, b, c}}
	a.RoundTrip.Smoothed, a.RoundTrip.Deviation = 50*time.Millisecond, 10*time.Millisecond
	b.RoundTrip.Smoothed, c.RoundTrip.Smoothed = 65*time.Millisecond, time.Second
	if p.farthest() != 70*time.Millisecond {
		t.Errorf("the farthest is %v away", p.farthest())
	}
	if a.RoundTrip.Deviation = 0; p.farthest() != 65*time.Millisecond {
		t.Errorf("the farthest is %v away", p.farthest())
	}
	a.compares(120, 60)
	c.compares(0, 60)
	if p.equal() != 120 {
		t.Errorf("all were equal in state %d", p.equal())
	}
	if a.state = gone; p.equal() != NoFrame {
		t.Errorf("nobody was equal in state %d", p.equal())
	}
}
