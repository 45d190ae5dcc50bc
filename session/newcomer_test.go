package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// A host that has a token answers newcomers that know it, even if spectators are not admitted,
// and tells them that there is no place; its match goes on.
func TestAMatchWithoutASeatRefusesNewcomers(t *testing.T) {
	n := uint64(5)
	random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
	token := []byte("a secret of 20 bytes")
	host, err := New(sumGame(), Config{
		GameID: "sum", Players: 1, MaxOrders: 300, Random: random, Token: token,
	}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	for why, seat := range map[string]*spectate.JoinRequest{
		"there is no match that can be joined now": {Players: 1, Sets: datagram.SetsOf(1), ID: 7, Token: token},
		"the token is not that of the match":       {Players: 1, ID: 7, Token: []byte("another one of 20 b.")},
		"none was given here":                      nil,
	} {
		v := spectate.NewFollower(spectate.FollowerConfig{
			Hosts: []netip.AddrPort{addrOf(0)}, Period: host.nominal, Timeout: time.Second, Drop: time.Second, Random: random, Join: seat,
			Compare: func(netip.AddrPort, byte, *datagram.Items) error { return nil },
		})
		start := host.now
		for now := start; now < start+3*time.Second; now += 4 * time.Millisecond {
			host.Update(now)
			host.Events()
			v.Update(now)
			for _, b := range v.Outgoing() {
				host.Receive(now, spectatorAddr, b)
			}
			for to, b := range host.Outgoing() {
				if to == spectatorAddr {
					v.Receive(now, addrOf(0), b)
				}
			}
		}
		var (
			bye     *spectate.ByeError
			refused *admission.TokenError
		)
		if !errors.As(v.Err(), &bye) && !errors.As(v.Err(), &refused) || !strings.Contains(v.Err().Error(), why) {
			t.Errorf("it is told %v, not %q", v.Err(), why)
		}
	}
	if s := host.Stats(nil); s.Spectators.Spectators+s.Spectators.Newcomers != 0 || s.Frame < 500 {
		t.Errorf("frame %d, %+v", s.Frame, s.Spectators)
	}
}

// If a machine has lost a newcomer by the time the log admits it, the newcomer is dropped
// sooner than by silence: that machine has no link to it, and says so.
func TestANewcomerThatIsOutOfSight(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 900; c.DropAfter = 4 * time.Second })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 3, addrOf(0))
	m.until("a place", 5*time.Second, func() bool { return n.Phase() == Playing })
	other := m.nodes[1]
	m.until("who comes", 5*time.Second, func() bool {
		if !other.match.Log().Quiet() {
			other.newcomers = nil
		}
		_, c := other.saw(Joined)
		return c == 1
	})
	if l := other.linkToPlayers(0b1000); l == nil || l.state != gone {
		t.Fatal("there is a way to it")
	}
	m.until("its end", 3*time.Second, func() bool { _, c := other.saw(Dropped); return c == 1 })
}

// A member list that names a player twice, or splits the players of one machine, is invalid.
func TestARollThatContradictsItself(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 900 })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 3, addrOf(0))
	m.until("the roll", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.known })
	host := m.nodes[0]
	head := host.match.Log().State().Append(le.AppendUint32(nil, host.match.Number()), host.cfg.sets())
	roll := func(others ...byte) []byte {
		b := append(slices.Clone(head), 0b001)
		for i, players := range others {
			b = appendAddr(append(b, players), addrOf(i+1))
		}
		return b
	}
	for _, c := range []struct {
		what string
		b    []byte
		good bool
	}{
		{"nothing", nil, false},
		{"a part of a number", head[:3], false},
		{"a number alone", head[:4], false},
		{"nobody", head, false},
		{"of another match", append([]byte{head[0] + 1}, roll(0b010, 0b100)[1:]...), false},
		{"with half an address", append(roll(0b010), 0b100, 4, 1, 2), false},
		{"as it is", roll(0b010, 0b100), true},
		{"one twice", roll(0b010, 0b010, 0b100), false},
		{"the host twice", roll(0b001, 0b010, 0b100), false},
		{"two in one", roll(0b110), false},
		{"one is missing", roll(0b010), false},
	} {
		n.lateJoin.known, n.lateJoin.direct = false, false
		if n.receiveMemberList(c.b); n.lateJoin.known != c.good {
			t.Errorf("%s: it is taken: %v", c.what, n.lateJoin.known)
		}
	}
}

// A newcomer that has heard of more agreed frames than a member is as ready as one that has
// heard of fewer.
func TestANewcomerMayKnowMoreThanAMember(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 900 })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 3, addrOf(0))
	other := m.nodes[1]
	m.until("its first frame", 8*time.Second, func() bool {
		for _, c := range other.newcomers {
			if c.follows {
				c.confirmed = other.sim.Agreed() + 20
			}
		}
		_, joined := n.saw(Joined)
		return joined == 1
	})
}

// A newcomer that has caught up with a match and is not admitted gives up after ConnectTimeout,
// and says what it has waited for; the match is not affected.
func TestANewcomerThatNobodyLetsIn(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames, c.ConnectTimeout = 900, 2*time.Second })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 3, addrOf(0))
	other := m.nodes[1]
	var began time.Duration
	m.until("its end", 8*time.Second, func() bool {
		for _, c := range other.newcomers {
			c.follows, c.confirmed = false, 0 // as if it were far behind
			other.match.Log().Unready(c.players)
		}
		if began == 0 && n.Phase() == Playing {
			began = m.now
		}
		return n.Phase() == Over
	})
	var e *TimeoutError
	if err := n.Err(); !errors.As(err, &e) || e.Players != 0b1000 || e.For != "a place in the match" || e.After <= 2*time.Second || e.After > 2100*time.Millisecond {
		t.Errorf("%v", err)
	}
	if took := m.now - began; began == 0 || took < 2*time.Second || took > 2200*time.Millisecond {
		t.Errorf("it waits for %v", took)
	}
	m.theEnd(30 * time.Second)
	for _, o := range m.nodes[:3] {
		for _, w := range []What{Lost, Dropped, Left, Joined} {
			if e, c := o.saw(w); c > 0 && e.Players == 0b1000 {
				t.Errorf("%v hears %v", o.addr, e)
			}
		}
	}
}

// A newcomer that has fallen behind catches up at once, except while a peer takes its messages
// too slowly: then it waits, like any machine.
func TestANewcomerThatIsHeldUpWaits(t *testing.T) {
	for _, slow := range []bool{false, true} {
		m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames, c.DropAfter = 0, 5*time.Second })
		m.playing()
		m.run(time.Second)
		n := m.join(m.somewhere(), 2, addrOf(0))
		m.until("its frames", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.direct })
		outside := func() bool {
			for _, o := range m.nodes[:2] {
				for _, c := range o.newcomers {
					c.follows, c.confirmed = false, 0 // as if it were far behind
					o.match.Log().Unready(c.players)
				}
			}
			return false
		}
		span := func(d time.Duration) {
			for end := m.now + d; m.now < end; outside() {
				m.run(2 * time.Millisecond)
			}
		}
		m.cut = func(from, to netip.AddrPort) bool { return from == n.addr || to == n.addr }
		span(2 * time.Second)
		for _, l := range n.links {
			for slow && l.Channel.Pending() <= maxBacklog {
				if err := l.Channel.Send(append([]byte{messageApplication}, make([]byte, 1000)...)); err != nil {
					t.Fatal(err)
				}
			}
		}
		m.cut = func(from, to netip.AddrPort) bool { return slow && from == n.addr && to == addrOf(1) }
		span(4 * time.Second) // the stream notices that the cut is over
		behind := m.nodes[0].sim.Agreed() - n.frame
		if n.Phase() != Playing || !n.lateJoin.observing() || (behind > maxBehind) != slow {
			t.Errorf("slow %v: %v, %d frames behind", slow, n.Phase(), behind)
		}
	}
}

// Joining over a good link wastes nothing: no machine gets a datagram that it does not
// understand, and a newcomer that comes to play is not counted as a spectator.
func TestACleanWayIntoAMatch(t *testing.T) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 2, addrOf(0))
	m.until("the newcomer", 5*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
	m.run(2 * time.Second)
	for _, o := range m.nodes {
		s := o.Stats(nil)
		// Data of the stream that still arrives when it plays is ignored.
		if s.Rejected != 0 && (o != n || s.Rejected > 5) || s.DroppedDatagrams != 0 || s.Members != 0b111 {
			t.Errorf("%v: %+v", o.addr, s)
		}
		if _, c := o.saw(SpectatorJoined); c > 0 {
			t.Errorf("%v takes it for a spectator", o.addr)
		}
		if _, c := o.saw(Lost); c > 0 {
			t.Errorf("%v: %v", o.addr, o.seen)
		}
	}
	if e, _ := n.saw(Connected); e.Text != addrOf(0).String() {
		t.Errorf("it hears of %v", e)
	}
	if e, c := n.saw(Started); c != 1 || e.Match != 1 || e.Frame == 0 {
		t.Errorf("it hears of %v", e)
	}
	if n.lateJoin != nil {
		t.Error("it is still about to join")
	}
}

// Rule: a newcomer plays on the connection on which it watched.
func TestANewcomerPlaysOnTheConnectionOfItsStream(t *testing.T) {
	m := newMesh(t, 3, 0b100, nil)
	m.playing()
	m.run(2 * time.Second)
	n := m.join(addrOf(2), 2, addrOf(0))
	m.until("its links", 5*time.Second, func() bool { return len(n.links) == 2 })
	host := m.nodes[0]
	ways := map[*node]*peer.Link{n: n.at[0].Link}
	for l := range host.allLinks() {
		if l.players == 0b100 {
			ways[host] = l.Link
		}
	}
	if ways[host] == nil || host.audience.Link(n.lateJoin.id) != nil || n.lateJoin.follower.Link() != nil {
		t.Fatal("the connection of the stream is not the way to the peer")
	}
	conns := map[*node]*peer.Conn{n: ways[n].Conn, host: ways[host].Conn}
	m.until("the newcomer", 10*time.Second, func() bool { return n.Phase() == Playing && n.lateJoin == nil })
	m.run(5 * time.Second)
	m.same()
	for o, l := range map[*node]*link{n: n.at[0], host: host.at[2]} {
		if l.Link != ways[o] || l.Conn != conns[o] || o.Health() != Healthy {
			t.Errorf("%v has another connection by now, %v", o.addr, o.Health())
		}
	}
	if s := host.audience.Stats(); s.Newcomers+s.Spectators+s.Leaving != 0 {
		t.Errorf("it still watches: %+v", s)
	}
}

// Rule: if only one end uses the connection of the stream as the link to the peer, because the
// other has begun another link, both connect by Hellos.
func TestANewcomerWhoseHostHasAnotherWayToIt(t *testing.T) {
	for name, other := range map[string]func(m *mesh, n *node){
		"the host":     func(m *mesh, n *node) { m.nodes[0].audience.Link(n.lateJoin.id) },
		"the newcomer": func(_ *mesh, n *node) { n.lateJoin.follower.Link() },
	} {
		m := newMesh(t, 3, 0b100, nil)
		m.playing()
		m.run(2 * time.Second)
		n := m.join(addrOf(2), 2, addrOf(0))
		m.until("its stream", 5*time.Second, func() bool { return n.lateJoin.follower.Attached() })
		other(m, n) // takes it, for nothing
		began := m.now
		m.until(name+": the newcomer", 10*time.Second, func() bool { return n.Phase() == Playing && n.lateJoin == nil })
		if took := m.now - began; took > 3*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		m.run(3 * time.Second)
		m.same()
		if n.Health() != Healthy || n.at[0].Theirs != m.nodes[0].at[2].Nonce {
			t.Errorf("%s: %v", name, n.Health())
		}
	}
}

// Rule: the first byte of a datagram alone decides whether it is for a peer or for a spectator,
// whichever is at the address: no key has to be tried.
func TestDatagramsOfSpectatorsAreTold(t *testing.T) {
	m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Spectators.Max = 4 })
	m.playing()
	host := m.nodes[0]
	l := host.at[1]
	for first, want := range map[byte]bool{
		datagram.KindHello: false, datagram.KindWatch: true, datagram.KindAttach: true, 0x40: true, 0x7F: true, 0x80: false, 0xFF: false,
	} {
		b := append([]byte{first}, make([]byte, 20)...)
		if host.aside(l, b) != want || !host.aside(nil, b) {
			t.Errorf("%#x of a peer is a spectator's: %v", first, !want)
		}
	}
	w := datagram.Welcome{Version: datagram.Version, Nonce: 5}
	welcome := w.Append(nil)
	for nonce, want := range map[uint64]bool{l.Nonce: false, l.Nonce + 1: true} {
		if got := host.aside(l, datagram.Key(nonce).Seal(append([]byte(nil), welcome...), 0, 0)); got != want {
			t.Errorf("a Welcome is a spectator's: %v", got)
		}
	}
	before, links := host.Stats(nil).Strangers, l.Counts
	host.Receive(host.clock.External(host.now), l.Addr, l.In.Seal([]byte{0x40, 0, 0}, 0, 0))
	if host.Stats(nil).Strangers != before+1 || l.Counts != links {
		t.Error("what a peer sends as a spectator counts for the peer")
	}
}
