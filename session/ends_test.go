package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// until lets time pass until a condition holds, or the time is up, and reports which.
func (tr *trio) until(d time.Duration, holds func() bool) bool {
	for end := tr.now + d; tr.now < end; {
		if holds() {
			return true
		}
		tr.run(4 * time.Millisecond)
	}
	return holds()
}

// A player leaves a match that goes on at the frame that it has asked for, since all its
// inputs up to that frame reach the others.
func TestWhoLeavesGivesItsLastInputs(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	m := tr.peers[2]
	before := m.inputs.Next(2)
	m.Leave("dinner")
	asked := m.inputs.Next(2)
	if asked <= before {
		t.Fatalf("it leaves with frame %d, and was at %d", asked, before)
	}
	told := map[netip.AddrPort]int{}
	for to, b := range m.Outgoing() {
		told[to]++
		tr.peers[lowest(PlayerSet(to.Addr().As4()[3]))/2].Receive(tr.now, addrOf(2), b)
	}
	if len(told) != 2 {
		t.Errorf("it tells %v at once", told)
	}
	tr.run(2 * time.Second)
	for i := range 2 {
		if e := tr.peers[i].Log(); len(e) != 1 || e[0] != (Entry{Kind: EntryLeave, Players: 0b100, Frame: asked}) {
			t.Errorf("peer %d: the log is %v, and frame %d was asked for", i, e, asked)
		}
	}
}

// A machine that fails in a match says why, and is gone for the others like a machine that
// leaves.
func TestWhoFailsSaysWhy(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	broken := errors.New("the game is broken")
	tr.peers[2].fail(broken)
	tr.run(2 * time.Second)
	for i := range 2 {
		at := slices.IndexFunc(tr.seen[i], func(e Event) bool {
			return e.Players == 0b100 && (e.What == Left || e.What == Dropped || e.What == Lost)
		})
		if at < 0 || tr.seen[i][at].What != Left || tr.seen[i][at].Text != broken.Error() {
			t.Errorf("peer %d hears %v", i, tr.seen[i])
		}
	}
	if err := tr.peers[2].Err(); err != broken {
		t.Errorf("it ends with %v", err)
	}
}

// A session that ends before it knows all peers keeps contacting the unknown ones for half a
// second, so that they learn of the end; but not if they are the reason for it.
func TestWhoEndsLooksForTheOthers(t *testing.T) {
	for _, differs := range []bool{true, false} {
		peer := 0
		tr := newTrio(t, 3, func(c *Config) {
			if c.ConnectTimeout = time.Second; differs && peer == 1 {
				c.Build = "another"
			}
			peer++
		})
		tr.forge = func(from, to int, b []byte) []byte {
			if from == 2 || to == 2 {
				return nil
			}
			return b
		}
		m := tr.peers[0]
		if !tr.until(3*time.Second, func() bool { return m.Phase() == Over }) {
			t.Fatal(m.Phase())
		}
		began := tr.now
		if !tr.until(3*time.Second, m.Done) {
			t.Fatal("it is not done")
		}
		took, want := tr.now-began, time.Duration(0)
		if differs {
			want = 500 * time.Millisecond
		}
		if took < want-8*time.Millisecond || took > want+30*time.Millisecond {
			t.Errorf("after %v it is done within %v", m.Err(), took)
		}
	}
}

// A host that admits nobody itself still revokes the tokens of the others when it kicks.
func TestAKickRevokesTheTokensOfOthers(t *testing.T) {
	m := newMesh(t, 3, 0, func(i int, c *Config) {
		if c.Match.Frames = 0; i == 0 {
			c.Token = nil
		}
	})
	m.playing()
	host, other := m.nodes[0], m.nodes[1]
	if err := host.SetToken(meshToken); !errors.Is(err, ErrPhase) || !strings.Contains(err.Error(), "lets nobody in") {
		t.Errorf("the host invites: %v", err)
	}
	if err := host.Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	m.run(500 * time.Millisecond)
	_, at := host.saw(Revoked)
	if _, there := other.saw(Revoked); other.audience.Invitation().Good() || there != 1 || at != 0 {
		t.Errorf("events %v and %v", host.seen, other.seen)
	}
}

// A newcomer that violates the protocol is dropped, and nobody is reported as lost.
func TestANewcomerThatIsBrokenIsForgotten(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(time.Second)
	n := m.newcomer(3, m.nodes[0])
	for _, l := range n.links {
		_ = l.Channel.Send([]byte{messageMember}) // without a match
	}
	m.run(300 * time.Millisecond)
	for _, o := range m.nodes[:3] {
		for _, w := range []What{Lost, Left, Dropped, Joined} {
			if e, c := o.saw(w); c > 0 {
				t.Errorf("%v hears %v", o.addr, e)
			}
		}
		if o.Phase() != Playing || o.match.Log().State().All() != 0b111 {
			t.Errorf("%v is %v with %v", o.addr, o.Phase(), o.match.Log().State().All())
		}
	}
}

// Empty datagrams are refused in all phases, wherever they come from; so are those that are
// too large.
func TestWhatIsEmptyIsRefused(t *testing.T) {
	for _, s := range situations() {
		for _, size := range []int{0, 1, 1201} {
			tr := newTrio(t, 3, func(c *Config) {
				c.Lobby, c.OnLeave, c.Token, c.Spectators = true, Continue, meshToken, spectate.Config{Max: 2}
			})
			s.reach(tr)
			m := tr.peers[0]
			before := tr.stats(0)
			for i, from := range []netip.AddrPort{addrOf(1), addrOf(2), elsewhere} {
				m.Receive(tr.now, from, make([]byte, size))
				now := tr.stats(0)
				if n := now.Strangers + now.Rejected - before.Strangers - before.Rejected; size != 1 && n != uint64(i+1) {
					t.Errorf("%s: %d bytes from %v: %d are counted", s.name, size, from, n)
				}
			}
		}
	}
}

// A machine whose session is over answers queries until everything is said; after that it
// behaves as if nobody were there.
func TestAHelloAfterTheEnd(t *testing.T) {
	hello := func(tr *trio) (answers int) {
		tr.sentTo(0, addrOf(1))
		tr.now += time.Second
		tr.peers[0].Poll(tr.now)
		tr.sentTo(0, addrOf(1))
		tr.peers[0].Receive(tr.now, addrOf(1), datagram.Hello{Version: datagram.Version, Nonce: 9}.Append(nil))
		return len(tr.sentTo(0, addrOf(1)))
	}
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.Linger = true, 10*time.Second })
	tr.reach(Lobby)
	tr.deaf = true
	tr.peers[0].fail(errors.New("the game is broken"))
	if n := hello(tr); n != 1 || tr.peers[0].Done() {
		t.Errorf("%d answers before all is said", n)
	}
	tr.now += 20 * time.Second
	tr.peers[0].Poll(tr.now)
	tr.pass(0, 10*time.Second)
	if n := hello(tr); n != 0 || !tr.peers[0].Done() {
		t.Errorf("%d answers after that", n)
	}
}

// A host that leaves before a spectator is ready ends the match; a match that all are ready
// for begins without the host, if matches go on.
func TestAHostLeavesBeforeTheMatch(t *testing.T) {
	for _, ready := range []bool{false, true} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.reach(Starting)
		for i := 1; i <= 2; i++ {
			if err := tr.peers[i].Accept(); err != nil {
				t.Fatal(err)
			}
		}
		if ready {
			for i := 1; i <= 2; i++ {
				if err := tr.peers[i].Ready(); err != nil {
					t.Fatal(err)
				}
			}
		}
		tr.peers[0].Leave("bye")
		tr.run(10 * time.Second)
		for i := 1; i <= 2; i++ {
			var lost *LostError
			_, over := tr.peers[i].Outcome()
			if over != ready || !ready && (!errors.As(tr.peers[i].Err(), &lost) || lost.Players != 0b001) {
				t.Errorf("ready %v: peer %d is %v: %v, %v", ready, i, tr.peers[i].Phase(), tr.peers[i].Err(), tr.seen[i])
			}
		}
	}
}
