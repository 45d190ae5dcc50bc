package session

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// A player joins a running match that has a reserved place, and plays to the end like
// the others.
func TestAPlayerJoinsAMatch(t *testing.T) {
	for _, loss := range []int{0, 10} {
		m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 900 })
		m.loss = loss
		m.playing()
		m.run(2 * time.Second)
		n := m.join(netip.MustParseAddrPort("10.0.9.9:1"), 3, addrOf(1))
		m.until("the newcomer", 5*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
		e, _ := n.saw(Joined)
		m.until("the end", 30*time.Second, func() bool {
			for _, n := range m.nodes {
				if _, over := n.Outcome(); !over {
					return false
				}
			}
			return true
		})
		m.same()
		first, _ := m.nodes[0].Outcome()
		for _, n := range m.nodes {
			if o, _ := n.Outcome(); o.Frames != 900 || o.Hash != first.Hash || o.Chain != first.Chain || o.Health != Healthy || o.Left != 0 {
				m.dump()
				t.Fatalf("%v: %+v, elsewhere %+v", n.addr, o, first)
			}
		}
		for f, a := range m.nodes[0].agreed {
			if gone := a.statuses[3] == rollback.Disconnected; gone != (Frame(f) < e.Frame) || !gone && Frame(f) > e.Frame+5 && a.inputs[3] == 0 {
				t.Fatalf("frame %d of %d: %v", f, e.Frame, a)
			}
		}
	}
}

// theEnd runs until all present machines have reached the end, and checks that all have
// the same outcome.
func (m *mesh) theEnd(limit time.Duration) {
	m.Helper()
	m.until("the end", limit, func() bool {
		for _, n := range m.nodes {
			if _, over := n.Outcome(); !over && !n.down && n.Phase() != Over {
				return false
			}
		}
		return true
	})
	m.same()
	var first *Outcome
	for _, n := range m.nodes {
		o, over := n.Outcome()
		if !over || o.Unagreed {
			continue
		}
		if first == nil {
			first = &o
		}
		if o.Frames != first.Frames || o.Hash != first.Hash || o.Chain != first.Chain || o.Health == Desynced {
			m.dump()
			m.Fatalf("%v: %+v, elsewhere %+v", n.addr, o, *first)
		}
	}
	if first == nil {
		m.dump()
		m.Fatal("nobody has come to the end")
	}
}

// somewhere is an address that no machine has had.
func (m *mesh) somewhere() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 9, 9}), uint16(1000+len(m.nodes)))
}

var meshRuns = flag.Uint64("session.mesh", 40, "how many matches of TestPeopleComeAndGo are played")

// In whatever order machines come and go, on bad links, all that are present agree on
// who was present when, and on every state; and those that play to the end have the same
// end.
func TestPeopleComeAndGo(t *testing.T) {
	runs := *meshRuns
	if testing.Short() {
		runs = min(runs, 3)
	}
	for seed := uint64(1); seed <= runs; seed++ {
		r := rand.New(rand.NewPCG(seed, 99))
		players := 3 + r.IntN(4)
		reserved := PlayerSet(r.IntN(2)) << (players - 1)
		delays := 1 + r.IntN(2)*r.IntN(25)
		m := newMesh(t, players, reserved, func(player int, c *Config) {
			c.Match.Frames = 1800
			c.Window = 4 + r.IntN(8)
			c.Delay[player] = r.IntN(delays)
		})
		m.orders = func(n *node) []byte { return make([]byte, int(n.sampled%64)/61*50*int(n.sampled%4)) } // some travel apart
		m.r, m.way, m.loss = r, time.Duration(r.IntN(100))*time.Millisecond, r.IntN(12)
		t.Logf("seed %d: %d players, reserved %v, way %v, loss %d", seed, players, reserved, m.way, m.loss)
		m.playing()
		there := make([]*node, players) // by player
		copy(there, m.nodes)
		came := 0
		for range 5 {
			m.run(time.Duration(r.IntN(1500)) * time.Millisecond)
			p := r.IntN(players)
			switch n := there[p]; {
			case n == nil:
				n = m.join(m.somewhere(), p, m.hosts(there)...)
				m.until("the newcomer", 20*time.Second, func() bool {
					_, c := n.saw(Joined)
					return c > 0 || n.Phase() == Over || m.isOver()
				})
				if m.isOver() {
					break
				}
				if n.Err() != nil {
					m.dump()
					t.Fatalf("seed %d: %v", seed, n.Err())
				}
				there[p] = n
				came++
			case 2*(m.alive(there)-1) <= m.members(there): // the rest has to be a majority
			case r.IntN(2) == 0:
				n.down, there[p] = true, nil
			default:
				n.Leave("later")
				there[p] = nil
			}
		}
		m.theEnd(90 * time.Second)
	}
}

func (m *mesh) isOver() bool { _, over := m.nodes[0].Outcome(); return over }

func (m *mesh) alive(there []*node) (n int) {
	for _, t := range there {
		if t != nil {
			n++
		}
	}
	return n
}

// members returns how many members the log has, as seen by a machine that is present.
func (m *mesh) members(there []*node) (most int) {
	for _, t := range there {
		if t != nil && t.match.Log() != nil {
			most = max(most, t.match.Log().State().Len())
		}
	}
	return most
}

// hosts returns the addresses of the machines that are present.
func (m *mesh) hosts(there []*node) (list []netip.AddrPort) {
	for _, t := range there {
		if t != nil {
			list = append(list, t.addr)
		}
	}
	return list
}

// A machine that vanishes is dropped, and comes back from another address; so does one
// that was kicked.
func TestWhoWasDroppedComesBack(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 1800 })
	m.playing()
	m.run(time.Second)
	m.nodes[2].down = true
	back := m.join(m.somewhere(), 2, addrOf(0), addrOf(1)) // at once: it has to wait
	m.until("the return", 10*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
	if e, c := m.nodes[0].saw(Dropped); c != 1 || e.Players != 0b100 {
		t.Errorf("%d times dropped: %v", c, e)
	}
	if err := m.nodes[0].Kick(0b100, "enough"); err != nil {
		t.Fatal(err)
	}
	m.until("the end of who was kicked", 5*time.Second, func() bool { return back.Phase() == Over })
	var removed *RemovedError
	if !errors.As(back.Err(), &removed) || !removed.Kicked || removed.Reason != "enough" {
		t.Errorf("its error is %v", back.Err())
	}
	for _, n := range m.nodes[:2] {
		if err := n.SetToken(meshToken); err != nil { // the kick has revoked it
			t.Fatal(err)
		}
	}
	again := m.join(m.somewhere(), 2, addrOf(1))
	m.until("the return", 10*time.Second, func() bool { _, c := again.saw(Joined); return c == 1 })
	m.theEnd(60 * time.Second)
	if log, other := fmt.Sprint(m.nodes[0].Log()), fmt.Sprint(m.nodes[1].Log()); log != other {
		t.Errorf("the logs are %s and %s", log, other)
	}
}

// A newcomer that does not know the token, wants a place that is taken, or has another
// game, is told so, and the match is not disturbed.
func TestNobodyJoinsWhoMayNot(t *testing.T) {
	for want, c := range map[string]Config{
		"the token is not that of the match": {Players: 3, Local: 0b100, Token: []byte("0123456789abcdef"), Join: &Join{Hosts: []netip.AddrPort{addrOf(0)}}},
		"the place is taken":                 {Players: 3, Local: 0b010, Token: meshToken, Join: &Join{Hosts: []netip.AddrPort{addrOf(0)}}},
		"build differs":                      {Players: 3, Local: 0b100, Build: "other", Token: meshToken, Join: &Join{Hosts: []netip.AddrPort{addrOf(0)}}},
		"number of players differs":          {Players: 4, Local: 0b1000, Token: meshToken, Join: &Join{Hosts: []netip.AddrPort{addrOf(0)}}},
	} {
		m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.ConnectTimeout = 3 * time.Second })
		m.playing()
		n := m.add(m.somewhere(), 2, c)
		m.until("its end", 10*time.Second, func() bool { return n.Phase() == Over })
		if err := n.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
		m.run(2 * time.Second)
		if s := m.nodes[0].Stats(nil); s.Stalls > 0 || s.Frame < 120 {
			t.Errorf("%s: frame %d, %d stalls", want, s.Frame, s.Stalls)
		}
	}
}

// After a match, the machines that are still there can play another one without those
// that are not, and these can join it again.
func TestTheRestPlaysAnotherMatch(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 300; c.Lobby = c.Join == nil })
	start := func() {
		m.until("the lobby", 10*time.Second, func() bool { return m.nodes[0].Phase() == Lobby })
		if err := m.nodes[0].Propose(Parameters{Frames: 300}); err != nil {
			t.Fatal(err)
		}
		m.until("the proposal", 2*time.Second, func() bool {
			for _, n := range m.nodes[1:] {
				if n.Phase() == Starting && !n.down && n.Accept() == nil {
					_ = n.Ready()
				}
			}
			return m.nodes[0].Phase() == Playing
		})
	}
	start()
	m.run(time.Second)
	m.nodes[2].down = true
	m.theEnd(30 * time.Second)
	for _, n := range m.nodes {
		n.agreed = nil
	}
	start()
	m.run(time.Second)
	back := m.join(m.somewhere(), 2, addrOf(1))
	m.until("the return", 10*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
	m.until("the end of the second match", 30*time.Second, func() bool {
		o, _ := m.nodes[0].Outcome()
		p, over := back.Outcome()
		return o.Match == 2 && over && p.Match == 2
	})
	m.same()
	if o, _ := back.Outcome(); o.Left != 0 || o.Health != Healthy {
		t.Errorf("%+v", o)
	}
}

// A machine that has joined a match plays the next one like all others: from frame 0 on,
// compared with all.
func TestWhoHasJoinedPlaysTheNextMatch(t *testing.T) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Lobby = c.Join == nil })
	start := func(match uint32) {
		m.until("the lobby", 10*time.Second, func() bool { return m.nodes[0].Phase() == Lobby && m.nodes[1].Phase() == Lobby })
		if err := m.nodes[0].Propose(Parameters{Frames: 300}); err != nil {
			t.Fatal(err)
		}
		m.until("the match", 5*time.Second, func() bool {
			if m.nodes[1].Phase() == Starting && m.nodes[1].Accept() == nil {
				_ = m.nodes[1].Ready()
			}
			return m.nodes[0].Phase() == Playing && m.nodes[0].match.Number() == match
		})
	}
	start(1)
	m.run(2 * time.Second)
	n := m.join(m.somewhere(), 2, addrOf(1))
	for match := uint32(1); match < 4; match++ {
		m.until("the end", 20*time.Second, func() bool {
			o, over := n.Outcome()
			return over && o.Match == match && m.nodes[0].Phase() == Lobby && m.nodes[1].Phase() == Lobby
		})
		m.same()
		for _, n := range m.nodes {
			if o, _ := n.Outcome(); o.Match != match || o.Frames != 300 || o.Left != 0 || o.Health != Healthy || !o.Told {
				m.dump()
				t.Fatalf("%v: %+v", n.addr, o)
			}
			n.agreed = nil
		}
		start(match + 1)
	}
}

// A machine that has just joined admits the next newcomer as soon as it has something to
// show: it sends nothing that the newcomer cannot continue from.
func TestWhoHasJustJoinedLetsInTheNext(t *testing.T) {
	for k := range 6 {
		m := newMesh(t, 4, 0b1100, func(player int, c *Config) { c.Match.Frames, c.Delay[player] = 600, 25 })
		m.playing()
		m.run(time.Second + time.Duration(k)*150*time.Millisecond)
		first := m.join(m.somewhere(), 2, addrOf(1))
		m.until("the first newcomer", 5*time.Second, func() bool { _, c := first.saw(Joined); return c == 1 })
		second := m.join(m.somewhere(), 3, first.addr)
		m.until("the second one", 4*time.Second, func() bool { _, c := second.saw(Joined); return c == 1 })
		if s := first.Stats(nil).Spectators; s.States > 3 {
			t.Errorf("%d: %d states were encoded for one", k, s.States)
		}
		m.theEnd(30 * time.Second)
	}
}

// A pause begins at the same frame for all, and ends for all, even if the machine that
// asked for it is gone or has forgotten it; and each machine has a limited number of
// pauses.
func TestAPauseIsOneForAll(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 1800; c.MaxPause = 2 * time.Second })
	m.loss = 5
	m.playing()
	m.run(time.Second)
	for round := range 3 {
		if err := m.nodes[round%3].Pause(); err != nil {
			t.Fatal(err)
		}
		m.run(time.Second)
		at, paused := m.nodes[0].Paused()
		for _, n := range m.nodes {
			if k, p := n.Paused(); !paused || !p || k != at || n.Frame() != at {
				m.dump()
				t.Fatalf("%v: frame %d, paused %v at %d, elsewhere %v at %d", n.addr, n.Frame(), p, k, paused, at)
			}
		}
		if round < 2 {
			if err := m.nodes[(round+1)%3].Unpause(); err != nil {
				t.Fatal(err)
			}
		}
		m.until("going on", 4*time.Second, func() bool { return m.nodes[0].Frame() > at+30 && m.nodes[2].Frame() > at+30 })
	}
	if s := m.nodes[0].Stats(nil); s.Stalls > 3 {
		t.Errorf("%d stalls", s.Stalls)
	}
	m.theEnd(60 * time.Second)
}

// A side without a majority freezes, says so, and gives up in the end; the other side
// plays on.
func TestASideWithoutAMajorityStandsStill(t *testing.T) {
	m := newMesh(t, 5, 0, func(_ int, c *Config) { c.Match.Frames = 1200; c.QuorumTimeout = 3 * time.Second })
	m.playing()
	m.run(time.Second)
	m.cut = func(from, to netip.AddrPort) bool { return (from.Addr().As4()[3] > 3) != (to.Addr().As4()[3] > 3) }
	m.until("the end of the few", 10*time.Second, func() bool { return m.nodes[3].Phase() == Over && m.nodes[4].Phase() == Over })
	for _, n := range m.nodes[3:] {
		var q *QuorumError
		if _, c := n.saw(Frozen); c != 1 || !errors.As(n.Err(), &q) || q.Players != 0b111 {
			t.Errorf("%v: %d times frozen, %v", n.addr, c, n.Err())
		}
		if o, over := n.Outcome(); !over || !o.Unagreed || o.Frames != n.sim.Agreed() || o.Health == Healthy {
			t.Errorf("%v: %+v", n.addr, o)
		}
	}
	m.theEnd(60 * time.Second)
	if o, _ := m.nodes[0].Outcome(); o.Frames != 1200 || o.Left != 0b11000 {
		t.Errorf("%+v", o)
	}
}

// Machines that have said goodbye are missing, too: a machine that waits in vain for a
// majority names them.
func TestWhoHasSaidGoodbyeIsMissed(t *testing.T) {
	m := newMesh(t, 4, 0, func(_ int, c *Config) { c.Match.Frames = 1200; c.QuorumTimeout = 2 * time.Second })
	m.playing()
	m.run(time.Second)
	for _, n := range m.nodes[1:] {
		n.fail(errors.New("out of memory"))
	}
	m.until("the end", 10*time.Second, func() bool { return m.nodes[0].Phase() == Over })
	var q *QuorumError
	if !errors.As(m.nodes[0].Err(), &q) || q.Players != 0b1110 {
		t.Errorf("it ends with %v", m.nodes[0].Err())
	}
	if e, _ := m.nodes[0].saw(Frozen); e.Players == 0 {
		t.Errorf("the event is %v", e)
	}
}
