package session

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// paced describes how a match of two that are this far apart is played.
type paced struct {
	name     string
	way      time.Duration
	rate     int
	lockstep bool
	delay    int
	window   int
	slow     bool // noticeably fewer frames than are due
}

func playPaced(t *testing.T, c paced) (m *mesh) {
	t.Helper()
	m = newMesh(t, 2, 0, func(i int, cfg *Config) {
		cfg.TickRate, cfg.Lockstep, cfg.Window, cfg.DropAfter, cfg.Match.Frames = c.rate, c.lockstep, c.window, 5*time.Second, 1<<20
		cfg.Delay[i] = c.delay
	})
	m.way, m.step = c.way, time.Millisecond
	m.playing()
	return m
}

// Rule: Stalled is how much later than due frames are, so that the rest of the time is that of the frames that
// have run, in rollback and in lockstep, however long single frames waited; and it is attributed to the peer
// that is waited for.
func TestStalledIsWhatTheFramesAreLate(t *testing.T) {
	for _, c := range []paced{
		{name: "a window that covers the path", way: 50 * time.Millisecond, rate: 60},
		{name: "a window that does not", way: 100 * time.Millisecond, rate: 60, window: 3, slow: true},
		{name: "lockstep with enough delay", way: 40 * time.Millisecond, rate: 60, lockstep: true, delay: 4},
		{name: "lockstep with just enough delay", way: 33 * time.Millisecond, rate: 60, lockstep: true, delay: 2},
		{name: "lockstep with too little delay", way: 100 * time.Millisecond, rate: 60, lockstep: true, delay: 2, slow: true},
		{name: "lockstep at 20 frames a second", way: 45 * time.Millisecond, rate: 20, lockstep: true, delay: 1},
		{name: "a short window at 240 frames a second", way: 50 * time.Millisecond, rate: 240, window: 8, slow: true},
	} {
		m := playPaced(t, c)
		m.run(2 * time.Second)
		var before [2]Stats
		for i, n := range m.nodes {
			before[i] = n.Stats(nil)
		}
		m.run(10 * time.Second)
		for i, n := range m.nodes {
			s, b := n.Stats(nil), before[i]
			frames, stalled := s.Frame-b.Frame, s.Stalled-b.Stalled
			left := s.Uptime - b.Uptime - stalled
			if d := left - time.Duration(frames)*s.Nominal; d < -200*time.Millisecond || d > 200*time.Millisecond {
				t.Errorf("%s: %d frames in 10 s and %v stalled: %v is missing", c.name, frames, stalled, d)
			}
			if slow := stalled > time.Second; slow != c.slow || !slow && stalled > 300*time.Millisecond {
				t.Errorf("%s: %v stalled in 10 s, %d frames", c.name, stalled, frames)
			}
			if w := s.Links[0].Waited; w != s.Stalled {
				t.Errorf("%s: the peer was waited for for %v of %v", c.name, w, s.Stalled)
			}
		}
	}
}

// Rule: a match that loses time again and again reports that once, with the players, and with what would help:
// a longer window, more delay, or neither.
func TestASlowMatchIsTold(t *testing.T) {
	for _, c := range []struct {
		paced
		cut  bool   // the network is gone for half of each half second
		text string // of the event
	}{
		{paced: paced{name: "a window that is long enough", way: 50 * time.Millisecond, rate: 60}},
		{paced: paced{name: "eight frames at 240 Hz", way: 50 * time.Millisecond, rate: 240, window: 8}, text: "a round trip of 100ms takes a Window of 13 frames here, and it is 8"},
		{paced: paced{name: "with delay", way: 50 * time.Millisecond, rate: 240, window: 6, delay: 4}, text: "a round trip of 100ms takes a Window of 9 frames here, and it is 6"},
		{paced: paced{name: "lockstep", way: 100 * time.Millisecond, rate: 60, lockstep: true, delay: 2}, text: "a round trip of 200ms takes an input delay of 7 frames here, and it is 2"},
		{paced: paced{name: "no window covers it", way: 250 * time.Millisecond, rate: 1000, window: 120}, text: "and 120 is the largest: use a lower TickRate"},
		{paced: paced{name: "a bad network", way: 10 * time.Millisecond, rate: 60}, cut: true, text: "a machine or a network is too slow"},
	} {
		m := playPaced(t, c.paced)
		if c.cut {
			m.cut = func(netip.AddrPort, netip.AddrPort) bool { return m.now%(500*time.Millisecond) < 250*time.Millisecond }
		}
		m.run(12 * time.Second)
		for i, n := range m.nodes {
			var told []Event
			for _, e := range n.seen {
				if e.What == Slowed {
					told = append(told, e)
				}
			}
			switch {
			case c.text == "" && len(told) == 0:
			case len(told) != 1:
				t.Errorf("%s: told %d times: %v", c.name, len(told), told)
			case told[0].Players != rollback.SetOf(Player(1-i)) || told[0].For <= 0 || told[0].For > 4*time.Second || !strings.Contains(told[0].Text, c.text):
				t.Errorf("%s: %v, want %s", c.name, told[0], c.text)
			}
			if slowed, want := n.Stats(nil).Slowed, rollback.SetOf(Player(1-i)); slowed != want && c.text != "" || slowed != 0 && c.text == "" {
				t.Errorf("%s: it is slow for %v", c.name, slowed)
			}
		}
	}
}

// Rule: that is also reported if the path takes seconds, at every tick rate, and frames wait equally long each
// time; but one interruption, or a second one half a minute later, does not make a match slow.
func TestASlowMatchIsToldOverALongPath(t *testing.T) {
	for _, c := range []paced{
		{way: 3 * time.Second, rate: 2},
		{way: 2 * time.Second, rate: 4},
		{way: 5 * time.Second, rate: 4},
		{way: 3 * time.Second, rate: 30},
		{way: 5 * time.Second, rate: 60},
		{way: 4 * time.Second, rate: 240},
		{way: 5 * time.Second, rate: 240},
	} {
		for _, lockstep := range []bool{false, true} {
			m := newMesh(t, 2, 0, func(_ int, cfg *Config) {
				cfg.TickRate, cfg.Lockstep, cfg.DropAfter, cfg.WarnAfter, cfg.Match.Frames = c.rate, lockstep, 0, 0, 1<<20
			})
			m.way, m.step = c.way, fine(c.rate)
			m.until("the match", time.Minute, func() bool { return m.nodes[0].Phase() == Playing && m.nodes[1].Phase() == Playing })
			before := m.nodes[0].Frame()
			m.run(time.Minute)
			frames := int(m.nodes[0].Frame() - before)
			for i, n := range m.nodes {
				if _, told := n.saw(Slowed); told != 1 && frames < 60*c.rate*9/10 {
					t.Errorf("%d Hz, %v one way, lockstep %v: %d frames in a minute, and machine %d is told %d times", c.rate, c.way, lockstep, frames, i, told)
				}
			}
		}
	}
	m := playPaced(t, paced{way: 20 * time.Millisecond, rate: 60})
	for range 3 {
		m.cut = func(netip.AddrPort, netip.AddrPort) bool { return true }
		m.run(3 * time.Second)
		m.cut = nil
		m.run(40 * time.Second)
	}
	for _, n := range m.nodes {
		if e, told := n.saw(Slowed); told > 0 || n.Stats(nil).Slowed != 0 {
			t.Errorf("after interruptions: %v", e)
		}
	}
}

// Rule: a match that becomes fast and then slow again is reported again. In between, nobody makes it slow.
func TestAMatchThatIsSlowAgainIsToldAgain(t *testing.T) {
	m := playPaced(t, paced{way: 100 * time.Millisecond, rate: 60, window: 3})
	for _, way := range []time.Duration{100 * time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond} {
		m.way = way
		m.run(10 * time.Second)
		if slowed := m.nodes[0].Stats(nil).Slowed; (slowed == rollback.SetOf(1)) != (way > 50*time.Millisecond) {
			t.Errorf("%v away, it is slow for %v", way, slowed)
		}
	}
	n := 0
	for _, e := range m.nodes[0].seen {
		if e.What == Slowed {
			n++
		}
	}
	if n != 2 {
		t.Errorf("told %d times", n)
	}
}

// Rule: a player that is gone is not named as the one that slows the match, although it was waited for.
func TestWhoIsGoneSlowsNothing(t *testing.T) {
	for _, there := range []bool{true, false} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.abused = true
		tr.reach(Playing)
		m := tr.peers[0]
		m.tellSlow() // begins to observe
		now := m.now
		for range 8 { // four seconds of waits
			m.pacing.stalls.Begin(now, time.Second)
			m.pacing.stalls.Wait(0b100, now)
			m.pacing.stalls.Begin(now+400*time.Millisecond, time.Second)
			now += 500 * time.Millisecond
			m.pacing.stalls.Resume(now)
		}
		m.now = now
		if !there {
			tr.way(0, 2).state = gone
		}
		m.Events()
		m.tellSlow()
		told := false
		for _, e := range m.Events() {
			told = told || e.What == Slowed && e.Players == 0b100
		}
		if slowed := m.Stats(nil).Slowed; told != there || (slowed == 0b100) != there {
			t.Errorf("a player that is there: %v, is named: %v, %b", there, told, slowed)
		}
	}
}
