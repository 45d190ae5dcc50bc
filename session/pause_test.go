package session

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// A pause of a match without peers also ends by itself, after Config.MaxPause.
func TestAPauseAloneEndsByItself(t *testing.T) {
	s, err := New(sumGame(), Config{Players: 1, MaxPause: time.Second}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	run := func(d time.Duration) {
		for end := now + d; now < end; now += 4 * time.Millisecond {
			s.Update(now)
		}
	}
	run(time.Second)
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	at := s.Frame()
	run(900 * time.Millisecond)
	if s.Frame() != at {
		t.Errorf("it runs on, from frame %d to %d", at, s.Frame())
	}
	run(time.Second)
	if _, paused := s.Paused(); paused || s.Frame() < at+50 {
		t.Errorf("paused %v at frame %d of %d", paused, s.Frame(), at)
	}
}

// After a pause a match goes on at its normal pace: it does not catch up on the time of the
// pause, even if the session was not updated for a part of it.
func TestAPauseIsNotCaughtUpOn(t *testing.T) {
	s, err := New(sumGame(), Config{Players: 1}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	for ; now < time.Second; now += 4 * time.Millisecond {
		s.Update(now)
	}
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	now += 400 * time.Millisecond
	s.Update(now)
	at := s.Frame()
	if err := s.Unpause(); err != nil {
		t.Fatal(err)
	}
	for end := now + 50*time.Millisecond; now < end; now += 4 * time.Millisecond {
		s.Update(now)
	}
	if ran := s.Frame() - at; ran < 2 || ran > 4 {
		t.Errorf("%d frames run in 50 ms after the pause", ran)
	}
}

// While a match is paused, all machines have shown all frames that have run, and are in the same
// state, even if inputs of the last frames came after the last tick, and differed from the
// predictions.
func TestAPauseShowsAllThatHasRun(t *testing.T) {
	for _, way := range []time.Duration{4 * time.Millisecond, 30 * time.Millisecond, 60 * time.Millisecond} {
		m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 600 })
		m.way = way
		m.playing()
		m.run(time.Second)
		if err := m.nodes[1].Pause(); err != nil {
			t.Fatal(err)
		}
		m.run(time.Second)
		for _, n := range m.nodes {
			if at, paused := n.Paused(); !paused || n.Frame() != at || Frame(len(n.agreed)) != at || *n.State() != *m.nodes[0].State() {
				t.Errorf("%v: %d frames are shown of %d, paused %v at %d, in state %v", way, len(n.agreed), n.Frame(), paused, at, *n.State())
			}
		}
	}
}

// A player that is lost or leaves while the match is paused can come back before it goes on, and
// learns that it is paused.
func TestComingBackInAPause(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		for _, way := range []time.Duration{4 * time.Millisecond, 30 * time.Millisecond} {
			m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames, c.MaxPause = 600, time.Minute })
			m.way = way
			m.playing()
			m.run(time.Second)
			if err := m.nodes[1].Pause(); err != nil {
				t.Fatal(err)
			}
			m.run(time.Second)
			gone, what := m.nodes[2], Dropped
			if leaves {
				gone.Leave("a call")
				what = Left
			} else {
				gone.down = true
			}
			m.until("its end", 5*time.Second, func() bool { _, c := m.nodes[0].saw(what); return c == 1 })
			back := m.join(m.somewhere(), 2, addrOf(0))
			m.until("the return", 5*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
			at, _ := m.nodes[0].Paused()
			if e, c := back.saw(Paused); c != 1 || e.Frame != at || e.Players != 0b10 || back.Frame() != at {
				t.Errorf("leaves %v, way %v: at frame %d it has heard %d times of a pause: %v", leaves, way, back.Frame(), c, e)
			}
			if err := back.Unpause(); err != nil {
				t.Fatal(err)
			}
			m.until("going on", 2*time.Second, func() bool { return back.Frame() > at+60 })
			m.theEnd(30 * time.Second)
		}
	}
}

// A machine that withdraws a pause before it is decided gets none, or one that ends immediately
// instead of lasting until MaxPause. It gets none if no other machine can have heard of it.
func TestAPauseIsTakenBackBeforeItIsDecided(t *testing.T) {
	for ask := range 40 {
		m := newMesh(t, 2+ask%2, 0, func(_ int, c *Config) { c.Match.Frames = 600; c.MaxPause = time.Minute })
		m.playing()
		m.run(time.Second)
		n := m.nodes[ask%2]
		if err := n.Pause(); err != nil {
			t.Fatal(err)
		}
		took := time.Duration(ask) * 5 * time.Millisecond
		m.run(took)
		if err := n.Unpause(); err != nil {
			t.Fatal(err)
		}
		at := n.Frame()
		m.until("going on", 2*time.Second, func() bool { return n.Frame() > at+60 })
		if _, c := n.saw(Paused); c > 0 && took < m.way {
			t.Errorf("it is paused, and nobody else can have known of it after %v", took)
		}
		// It is no promise never to pause.
		if err := n.Pause(); err != nil {
			t.Fatal(err)
		}
		m.run(time.Second)
		if _, paused := m.nodes[0].Paused(); !paused {
			t.Fatalf("%d: the next pause does not come", ask)
		}
		if err := n.Unpause(); err != nil {
			t.Fatal(err)
		}
		m.theEnd(30 * time.Second)
	}
}

// A machine that has not heard of the end of a pause, and is then cut off, knows inputs of
// frames that it has not played: its end is the frame where it is paused.
func TestCutOffInAPause(t *testing.T) {
	cut := 0
	for after := time.Duration(0); after < 100*time.Millisecond; after += 4 * time.Millisecond {
		m := newMesh(t, 3, 0, func(i int, c *Config) {
			c.OnLeave, c.Match.Frames, c.QuorumTimeout = End, 600, 2*time.Second
			c.Delay[i] = 4 // frames are agreed before they run
		})
		m.playing()
		m.run(time.Second)
		if err := m.nodes[1].Pause(); err != nil {
			t.Fatal(err)
		}
		m.run(500 * time.Millisecond)
		if err := m.nodes[1].Unpause(); err != nil {
			t.Fatal(err)
		}
		m.run(after)
		last := m.nodes[2]
		m.cut = func(from, to netip.AddrPort) bool { return (from == last.addr) != (to == last.addr) }
		m.until("the end", 20*time.Second, func() bool { return last.Phase() == Over })
		o, over := last.Outcome()
		if !over || !o.Unagreed || o.Frames > last.Frame() {
			t.Errorf("after %v: %+v at frame %d", after, o, last.Frame())
		}
		if last.sim.Agreed() > last.Frame() {
			cut++
		}
	}
	if cut == 0 {
		t.Error("it was never cut off with frames agreed that it had not played")
	}
}

// Each machine may pause a match a limited number of times; then it gets an error, while others
// may still pause.
func TestHowOftenAMatchIsPaused(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.OnLeave, c.DropAfter = true, Continue, 10*time.Second })
	tr.reach(Playing)
	poke(&tr.peers[0].match, "limit", NoFrame)
	poke(&tr.peers[1].match, "limit", NoFrame)
	paused := func(want bool) {
		t.Helper()
		if !tr.until(time.Second, func() bool { _, p := tr.peers[0].Paused(); _, q := tr.peers[1].Paused(); return p == want && q == want }) {
			t.Fatalf("it is not so: paused %v", want)
		}
	}
	for range membership.MaxPauses {
		if err := tr.peers[0].Pause(); err != nil {
			t.Fatal(err)
		}
		paused(true)
		if err := tr.peers[1].Unpause(); err != nil {
			t.Fatal(err)
		}
		paused(false)
	}
	var wish *membership.WishError
	if err := tr.peers[0].Pause(); !errors.As(err, &wish) {
		t.Errorf("one more: %v", err)
	}
	if err := tr.peers[1].Pause(); err != nil {
		t.Errorf("the other one: %v", err)
	}
	paused(true)
}
