package session

import (
	"errors"
	"math"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
)

// A match that the game finishes ends for all with the game's result, and with the last frame
// that it has played; so does a match in which somebody has left by then.
func TestWhatTheGameSaysInTheEnd(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames, c.Lobby = 300, true })
		step := sumGame().Step
		m.game = rollback.Game[sum, uint16]{Step: func(s *sum, t *rollback.Tick[uint16]) {
			if step(s, t); s.Frame == 120 {
				t.Finish(77)
			}
		}}
		for i := range 3 {
			var peers []Peer
			for k := range 3 {
				if k != i {
					peers = append(peers, Peer{PlayerSet(1) << k, addrOf(k)})
				}
			}
			m.add(addrOf(i), i, Config{Players: 3, Peers: peers})
		}
		m.until("the lobby", 3*time.Second, func() bool { return m.nodes[0].Phase() == Lobby })
		if err := m.nodes[0].Propose(Parameters{Frames: 300}); err != nil {
			t.Fatal(err)
		}
		m.until("the match", 3*time.Second, func() bool {
			for _, n := range m.nodes[1:] {
				if n.Phase() == Starting && n.Accept() == nil {
					_ = n.Ready()
				}
			}
			return m.nodes[0].Phase() == Playing
		})
		want, there := Outcome{Match: 1, Result: 77, Finished: true}, m.nodes
		if leaves {
			m.nodes[2].Leave("dinner")
			want.Left, there = 0b100, m.nodes[:2]
		}
		m.until("the end", 10*time.Second, func() bool { return there[0].Phase() == Lobby && there[1].Phase() == Lobby })
		m.same()
		for _, n := range there {
			o, over := n.Outcome()
			if !over || o.Frames != 120 || o.Hash == 0 || o.Chain == 0 || o.Health != Healthy || o.Told == leaves {
				t.Errorf("leaves %v: %v: %+v", leaves, n.addr, o)
			}
			if o.Summary, o.Told, o.Fairness = (Summary{}), false, 0; o != want {
				t.Errorf("leaves %v: %v: %+v, want %+v", leaves, n.addr, o, want)
			}
		}
	}
}

// Fairness is the difference between the shares of resimulated frames, in hundredths of a
// percent, and only known if all peers have reported. A peer that reports different states
// makes the match a desync; one that reports nothing leaves its last frames unverified.
func TestHowAMatchIsConcluded(t *testing.T) {
	for _, c := range []struct {
		what     string
		ours     uint64
		theirs   [2]uint64
		done     [2]bool
		state    linkState // of the second
		health   [2]Health
		fairness int
		told     bool
		want     Health
	}{
		{"nothing again", 0, [2]uint64{0, 0}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 0, true, Healthy},
		{"all the same", 5, [2]uint64{5, 5}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 0, true, Healthy},
		{"ours alone", 8, [2]uint64{0, 0}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 2000, true, Healthy},
		{"one frame, at one peer", 1, [2]uint64{0, 0}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 250, true, Healthy},
		{"a lie", 1, [2]uint64{0, 1<<64 - 1}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, math.MaxInt32, true, Healthy},
		{"theirs are more", 10, [2]uint64{20, 50}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 10000, true, Healthy},
		{"theirs are fewer", 50, [2]uint64{20, 10}, [2]bool{true, true}, connected, [2]Health{Healthy, Healthy}, 10000, true, Healthy},
		{"a silent one", 50, [2]uint64{20, 10}, [2]bool{true, false}, connected, [2]Health{Healthy, Healthy}, 0, false, Unverified},
		{"one that is gone", 50, [2]uint64{20, 10}, [2]bool{true, false}, gone, [2]Health{Healthy, Healthy}, 0, false, Healthy},
		{"one that differs", 5, [2]uint64{5, 5}, [2]bool{true, true}, connected, [2]Health{Healthy, Desynced}, 0, true, Desynced},
		{"one that is not sure", 5, [2]uint64{5, 5}, [2]bool{true, true}, connected, [2]Health{Unverified, Healthy}, 0, true, Healthy},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave, c.ChainEvery = true, Continue, 10 })
		tr.reach(Playing)
		m := tr.peers[0]
		m.match.End().Finish(Outcome{Match: 1, Summary: Summary{Frames: 40, Resimulated: c.ours}})
		for i := range 2 {
			l := tr.way(0, i+1)
			l.done, l.summary = c.done[i], Summary{Frames: 40, Resimulated: c.theirs[i], Health: c.health[i]}
		}
		tr.way(0, 2).state = c.state
		m.phase = Ending
		m.completeOutcome()
		o, over := m.Outcome()
		if !over || o.Told != c.told || o.Fairness != c.fairness || o.Health != c.want || o.Frames != 40 || o.Resimulated != c.ours {
			t.Errorf("%s: %+v", c.what, o)
		}
	}
}

// A player that joins and leaves again immediately, by itself or not, was present for as long
// as the log says.
func TestWhoJoinsAndGoesAtOnce(t *testing.T) {
	for _, vanish := range []bool{false, true} {
		m := newMesh(t, 3, 0b100, func(player int, c *Config) { c.Match.Frames, c.Delay[player] = 300, 20 })
		m.playing()
		m.run(500 * time.Millisecond)
		n := m.join(m.somewhere(), 2, addrOf(0))
		m.until("that it is in", 5*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
		if n.down = vanish; !vanish {
			n.Leave("oh")
		}
		m.theEnd(20 * time.Second)
		for _, o := range m.nodes[:2] {
			out, _ := o.Outcome()
			e, c := o.saw(Left)
			if vanish {
				e, c = o.saw(Dropped)
			}
			if log := o.Log(); c != 1 || e.Players != 0b100 || !vanish && e.Text != "oh" || out.Left != 0b100 || out.Frames != 300 || len(log) != 2 || log[1].Frame < log[0].Frame {
				t.Errorf("vanishes %v: %v, %+v, log %v", vanish, e, out, log)
			}
		}
	}
}

// A player that comes back at a frame and leaves again before that frame has run here leaves
// as soon as it has come.
func TestWhoGoesBeforeItHasComeBack(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	tr.abused = true
	m := tr.peers[0]
	at := m.sim.Next(2)
	if err := m.sim.Disconnect(2, at); err != nil {
		t.Fatal(err)
	}
	if err := m.sim.Connect(2, at+4); err != nil {
		t.Fatal(err)
	}
	m.disconnect(2, at+6)
	tr.way(0, 2).state = gone
	for f := at; f < at+6; f++ {
		if m.sim.Next(2) == f {
			if err := m.sim.TakeInput(2, f, []byte{1, 0}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 20 {
		_ = m.sim.Tick()
	}
	if m.phase == Over || len(m.sim.removal) > 0 || m.sim.Next(2) != NoFrame {
		t.Errorf("it is %v: %v; the next input is of frame %d, and %v wait", m.phase, m.err, m.sim.Next(2), m.sim.removal)
	}
}

// A machine that was removed, but was in the match to its end, waits for at most Linger for
// the message that the match has reached its end. It does not wait only for its own players:
// others that leave with it are missing from its frames, too.
func TestWhoIsOutAtTheEnd(t *testing.T) {
	const limit = 100
	for _, c := range []struct {
		what    string
		cut     Frame // of the other one that goes
		ours    Frame
		waits   bool
		without bool // frames to the end run without the other one
	}{
		{"before the end", limit, 60, false, false},
		{"both at the end", limit, limit, true, false},
		{"another one before", 0, limit, true, true},
		{"another one whose inputs are here", 1, limit, false, false},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.reach(Playing)
		tr.abused = true
		m := tr.peers[0]
		next := m.sim.Next(2)
		e := membership.Entry{Kind: membership.Drop, Players: 0b101}
		e.Cuts[0], e.Cuts[2] = c.ours, c.cut
		switch c.cut {
		case 0:
			e.Cuts[2] = next
		case 1:
			e.Cuts[2] = next - 1
		}
		m.match.Log().State().Absent[0].From = c.ours
		m.match.Apply(&e, m.facts())
		m.carryOutOrders()
		m.handleLosses()
		if m.Phase() == Playing != c.waits {
			t.Errorf("%s: it is %v: %v", c.what, m.Phase(), m.Err())
		}
		if out := m.sim.Next(2) == NoFrame; out != c.without {
			t.Errorf("%s: the other one is out: %v", c.what, out)
		}
		var removed *RemovedError
		if c.waits {
			m.match.AwaitEnd(m.facts())
			m.carryOutOrders()
			m.handleLosses()
			m.now += m.cfg.Linger
			m.match.AwaitEnd(m.facts())
			m.carryOutOrders()
			if m.Phase() != Playing {
				t.Errorf("%s: it does not wait", c.what)
			}
			m.now++
			m.match.AwaitEnd(m.facts())
			m.carryOutOrders()
			m.handleLosses()
		}
		if !errors.As(m.Err(), &removed) || removed.Frame != c.ours || removed.Kicked {
			t.Errorf("%s: it ends with %v", c.what, m.Err())
		}
		if o, over := m.Outcome(); over != (c.ours == limit) || over && !o.Unagreed {
			t.Errorf("%s: %v, %+v", c.what, over, o)
		}
	}
}

// A match goes on as soon as the others know that a player has gone: two one-way delays after
// that is noticed; if the first messages about it are lost, as soon as others get through.
func TestHowSoonAMatchGoesOn(t *testing.T) {
	for _, lossy := range []bool{false, true} {
		m := newMesh(t, 4, 0, func(_ int, c *Config) { c.Match.Frames = 0 })
		m.playing()
		m.run(time.Second)
		m.nodes[3].down = true
		down := m.now
		m.loses = func(_, _ netip.AddrPort, _ []byte) bool {
			return lossy && m.now > down+1020*time.Millisecond && m.now < down+1060*time.Millisecond
		}
		for _, n := range m.nodes[:3] {
			m.until("that it goes on", 5*time.Second, func() bool { _, c := n.saw(Resumed); return c == 1 })
		}
		took, want := m.now-down, 1170*time.Millisecond
		if lossy {
			want += 60 * time.Millisecond
		}
		t.Logf("lossy %v: %v", lossy, took)
		if took > want {
			t.Errorf("lossy %v: it goes on after %v", lossy, took)
		}
	}
}
