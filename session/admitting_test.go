package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
)

// Rule: a place can only be taken if its players are nobody's, in a running match that goes on
// when somebody leaves. Only one newcomer at a time can be about to take it, as long as it is
// heard.
func TestWhoseAPlaceIs(t *testing.T) {
	const taken, wanted = "the place is taken", "somebody else is about to take the place"
	const nobody, nothing = "there are no such players", "there is no match that can be joined now"
	m := newMesh(t, 4, 0b1100, func(_ int, c *Config) { c.Match.Frames = 900 })
	host := m.nodes[0]
	say := func(what string, players PlayerSet, id uint64, want string) {
		t.Helper()
		if got := host.whyNotJoin(players, id); got != want {
			t.Errorf("%s: %v as %d: %q, want %q", what, players, id, got, want)
		}
	}
	say("before the match", 0b1000, 7, nothing)
	m.playing()
	say("a free one", 0b1000, 7, "")
	say("two free ones", 0b1100, 7, "")
	say("none", 0, 7, nobody)
	say("one that there is not", 0b10000, 7, nobody)
	say("one that there is not, besides", 0b11000, 7, nobody)
	say("another's", 0b0010, 7, taken)
	say("another's, besides", 0b1010, 7, taken)
	say("the host's own", 0b0001, 7, taken)
	c, fresh := host.addNewcomer(0b1000, 7, elsewhere, false)
	if again, twice := host.addNewcomer(0b1000, 7, elsewhere, false); !fresh || twice || again != c {
		t.Errorf("a candidate is there twice: %v, %v", fresh, twice)
	}
	say("its own", 0b1000, 7, "")
	say("somebody else's", 0b1000, 8, wanted)
	say("somebody else's, besides", 0b1100, 8, wanted)
	say("beside it", 0b0100, 8, "")
	c.Heard = host.now - host.cfg.WarnAfter + 1
	say("as long as it is heard", 0b1000, 8, wanted)
	c.Heard--
	say("when it is silent", 0b1000, 8, "")
	c.Heard, c.revoked = host.now, true
	say("when its token is no good", 0b1000, 8, "")
	host.Leave("")
	m.until("the end", 5*time.Second, func() bool { return host.Phase() == Over })
	say("after the match", 0b1000, 7, nothing)
}

// A newcomer for a place that another newcomer wanted, or from the same address, replaces that
// one. There are at most eight newcomers at a time.
func TestTheNewestCandidateCounts(t *testing.T) {
	at := func(n uint16) netip.AddrPort { return netip.AddrPortFrom(elsewhere.Addr(), n) }
	m := newMesh(t, 4, 0b1100, nil)
	m.playing()
	host := m.nodes[0]
	ids := func(want ...uint64) {
		t.Helper()
		var got []uint64
		for _, c := range host.newcomers {
			got = append(got, c.id)
		}
		for i := range max(len(got), len(want)) {
			if len(got) != len(want) || got[i] != want[i] {
				t.Fatalf("candidates are %v, want %v", got, want)
			}
		}
	}
	host.addNewcomer(0b1000, 1, at(1), false)
	host.addNewcomer(0b0100, 2, at(2), false)
	ids(1, 2)
	host.addNewcomer(0b1000, 3, at(3), false)
	ids(2, 3)
	host.addNewcomer(0b1000, 4, at(2), false) // a program that was started again
	ids(4)
	host.addNewcomer(0b1100, 5, at(5), false)
	ids(5)
	for id := uint64(100); len(host.newcomers) < 16; id++ { // as if there were more players
		host.newcomers = append(host.newcomers, &newcomer{link: &link{Link: &peer.Link{Conn: &peer.Conn{Addr: at(uint16(id))}}}, id: id})
	}
	if c, fresh := host.addNewcomer(0b1000, 9, at(9), false); c == nil || !fresh {
		t.Error("it does not take the place of another when there are as many as there may be")
	}
	if c, fresh := host.addNewcomer(0b0100, 10, at(10), false); c != nil || fresh {
		t.Error("there is one more than there may be")
	}
	host.newcomers = nil
}

// An address is sent with its length; anything shorter is not an address.
func TestAnAddressIsWholeOrNone(t *testing.T) {
	for _, a := range []netip.AddrPort{addrOf(1), netip.AddrPortFrom(netip.MustParseAddr("2001:db8::1"), 7000)} {
		b := append(appendAddr(nil, a), 42)
		for n := range len(b) - 1 {
			if got, _, ok := consumeAddr(b[:n:n]); ok {
				t.Errorf("%d of %d bytes are %v", n, len(b)-1, got)
			}
		}
		if got, rest, ok := consumeAddr(b); !ok || got != a || len(rest) != 1 || rest[0] != 42 {
			t.Errorf("%v comes as %v, with % x behind it", a, got, rest)
		}
	}
	mapped := netip.AddrPortFrom(netip.AddrFrom16(addrOf(1).Addr().As16()), addrOf(1).Port())
	if got, _, ok := consumeAddr(appendAddr(nil, mapped)); !ok || got != addrOf(1) {
		t.Errorf("%v comes as %v", mapped, got)
	}
	for _, none := range [][]byte{{0, 1, 1}, {3, 1, 2, 3, 1, 1}, {5, 1, 2, 3, 4, 5, 1, 1}, appendAddr(nil, netip.AddrPortFrom(addrOf(1).Addr(), 0))} {
		if got, _, ok := consumeAddr(none); ok {
			t.Errorf("% x is %v", none, got)
		}
	}
}

// A newcomer is ready when it is at most 30 frames behind the agreed frames. It stays ready
// until it is more than 60 frames behind, or is not heard.
func TestHowFarBehindANewcomerMayBe(t *testing.T) {
	m := newMesh(t, 4, 0b1100, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(3 * time.Second)
	host := m.nodes[0]
	m.until("quiet", time.Second, host.match.Log().Quiet)
	c, _ := host.addNewcomer(0b1000, 7, elsewhere, false)
	agreed := host.sim.Agreed()
	for i, step := range []struct {
		behind Frame
		change func()
		ready  bool
	}{
		{31, func() { c.state, c.follows, c.Counts.Received = connected, true, 1 }, false},
		{30, func() { c.state = connecting }, false},
		{30, func() { c.state, c.follows = connected, false }, false},
		{30, func() { c.follows, c.revoked, c.revokedAt = true, true, host.now }, false},
		{30, func() { c.revoked = false }, true},
		{31, func() {}, true},
		{60, func() {}, true},
		{61, func() {}, false},
		{31, func() {}, false},
		{0, func() {}, true},
		{0, func() { c.Heard = host.now - host.cfg.DropAfter }, true},
		{0, func() { c.Heard-- }, false},
	} {
		c.confirmed = agreed - step.behind
		step.change()
		if host.connectNewcomers(); host.match.Log().Quiet() == step.ready {
			t.Errorf("step %d, %d behind: it is ready: %v", i, step.behind, !step.ready)
		}
	}
	if len(host.newcomers) != 0 {
		t.Error("who is not heard is still awaited")
	}
}
