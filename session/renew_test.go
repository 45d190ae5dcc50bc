package session

import (
	"net/netip"
	"testing"
	"time"
)

// A newcomer that has lost a member, and is therefore not admitted, connects to it again,
// and then has as much time to be admitted as at first. No machine reports it as missing.
func TestANewcomerFindsAMemberAgain(t *testing.T) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames, c.ConnectTimeout = 0, 4500*time.Millisecond })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 2, addrOf(0))
	m.until("its frames", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.direct })
	old := n.at[1]
	m.cut = func(from, to netip.AddrPort) bool {
		return from == n.addr && to == addrOf(1) || from == addrOf(1) && to == n.addr
	}
	for end := m.now + 4200*time.Millisecond; m.now < end; m.run(2 * time.Millisecond) {
		for _, o := range m.nodes[:2] {
			for _, c := range o.newcomers {
				c.follows, c.confirmed = false, 0 // as if it were far behind
				o.match.Log().Unready(c.players)
			}
		}
		if n.Phase() != Playing {
			t.Fatalf("it is %v: %v", n.Phase(), n.Err())
		}
	}
	if l := n.at[1]; l == old || l.Addr != addrOf(1) || l.state != connecting || !l.notBothMembers || !l.follows || len(n.links) != 2 {
		t.Errorf("the way to it is %+v", l)
	}
	m.cut = nil
	m.until("that it is in", 3*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
	m.run(time.Second)
	m.same()
	for _, o := range m.nodes {
		for _, w := range []What{Lost, Left, Dropped} {
			if e, c := o.saw(w); c > 0 && e.Players != 0 {
				t.Errorf("%v hears %v", o.addr, e)
			}
		}
	}
}

// When a session is over, spectators and newcomers get nothing more as soon as there was
// enough time for its last message.
func TestAnEndIsTheEndForSpectators(t *testing.T) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames, c.Linger = 0, time.Second })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 2, addrOf(0))
	host := m.nodes[0]
	m.until("the guest", 3*time.Second, func() bool { return host.audience.Stats().Newcomers == 1 })
	n.down = true // it acknowledges nothing
	host.fail(ErrClosed)
	sent := false
	m.loses = func(from, to netip.AddrPort, _ []byte) bool {
		sent = sent || from == host.addr && to == n.addr
		return false
	}
	if m.run(900 * time.Millisecond); !sent || host.silent() || host.audience.Done() {
		t.Errorf("it hears the last word: %v", sent)
	}
	m.run(150 * time.Millisecond)
	sent = false
	if m.run(2 * time.Second); sent || !host.silent() || !host.Done() {
		t.Errorf("something is sent after the end: %v", sent)
	}
	if host.receiveAside(host.now, n.addr, make([]byte, 600)) {
		t.Error("somebody is heard after the end")
	}
}
