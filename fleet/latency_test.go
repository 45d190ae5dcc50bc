package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// Without loss and with the usual window of 8 frames, 2 to 8 players up to 245 ms
// of round trip apart play 60 ticks a second and never wait, from the start.
func TestNoStallUpTo245msWithoutLoss(t *testing.T) {
	for _, players := range few(2, 3, 4, 8, 16) {
		for _, ms := range []int{0, 1, 50, 100, 200, 245} {
			t.Run(fmt.Sprintf("%d players, %d ms", players, ms), func(t *testing.T) {
				l := newLab(t, players, delay(time.Duration(ms)*time.Millisecond/2))
				l.play()
				l.pass(3 * time.Second)
				var early [session.MaxPlayers]uint64
				for i, p := range l.Peers {
					early[i] = p.Stats(nil).Stalls
				}
				begin, at := l.Peers[0].Frame(), l.Now
				l.pass(10 * time.Second)
				ticks := time.Duration(l.Peers[0].Frame()-begin) * time.Second / (l.Now - at)
				for i, p := range l.Peers {
					st := p.Stats(nil)
					if late := st.Stalls - early[i]; late > 0 {
						t.Errorf("peer %d: %d stalls after the first 3 s, lags %v", i, late, st.Links)
					}
					if early[i] > 0 {
						t.Errorf("peer %d: %d stalls in the first 3 s", i, early[i])
					}
				}
				if ticks < 59 || ticks > 61 {
					t.Errorf("%d ticks a second", ticks)
				}
			})
		}
	}
}

// With a far peer among near ones, still no machine stalls.
func TestNoStallWithOneFarPeer(t *testing.T) {
	for _, players := range []int{3, 4, 8} {
		l := newLab(t, players, func(s *Setup[ledger, note]) {
			s.Links = func(from, to int) netem.Link {
				if from == 1 || to == 1 {
					return netem.Link{Delay: 115 * time.Millisecond}
				}
				return netem.Link{Delay: 5 * time.Millisecond}
			}
		})
		l.play()
		l.pass(3 * time.Second)
		var early [session.MaxPlayers]uint64
		for i, p := range l.Peers {
			early[i] = p.Stats(nil).Stalls
		}
		l.pass(10 * time.Second)
		for i, p := range l.Peers {
			if st := p.Stats(nil); st.Stalls > early[i] {
				t.Errorf("%d players: peer %d: %d stalls after the first 3 s (%d before)", players, i, st.Stalls-early[i], early[i])
			}
		}
	}
}

// Lockstep with a delay that covers the path never waits either, and runs no frame twice.
func TestLockstepWithEnoughDelayNeverWaits(t *testing.T) {
	l := newLab(t, 3, delay(50*time.Millisecond), configure(func(_ int, c *session.Config) {
		c.Lockstep = true
		for p := range c.Local.All() {
			c.Delay[p] = 6
		}
	}))
	l.play()
	l.pass(3 * time.Second)
	before := l.Peers[0].Stats(nil).Stalls
	l.pass(10 * time.Second)
	st := l.Peers[0].Stats(nil)
	if st.Stalls != before || st.Engine.Resimulated != 0 || st.Frame < 700 {
		t.Errorf("%d stalls (%d in the first 3 s), %d frames simulated again, frame %d", st.Stalls, before, st.Engine.Resimulated, st.Frame)
	}
}

// Two peers that start 100 ms apart, or whose clocks differ by 0.1 percent, or whose paths
// to each other differ, roll back equally often after a short time: their lags converge
// within 10 s. (On unequal paths equal lags are fair.)
func TestLagsConverge(t *testing.T) {
	for name, change := range map[string]option{
		"late start": func(s *Setup[ledger, note]) { s.Late = []time.Duration{0, 100 * time.Millisecond} },
		"fast clock": func(s *Setup[ledger, note]) { s.Drift = []int64{1000, 0} },
		"slow clock": func(s *Setup[ledger, note]) { s.Drift = []int64{-500, 500} },
		"unequal ways": func(s *Setup[ledger, note]) {
			s.Links = func(from, _ int) netem.Link { return netem.Link{Delay: time.Duration(10+80*from) * time.Millisecond} }
		},
		"hitch": func(*Setup[ledger, note]) {},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, 2, delay(40*time.Millisecond), change)
			l.play()
			if name == "hitch" {
				l.pass(time.Second)
				l.Peers[1].Down = true
				l.pass(100 * time.Millisecond)
				l.Peers[1].Down = false
			}
			l.pass(10 * time.Second)
			a, b := l.Peers[0].Stats(nil).Links[0], l.Peers[1].Stats(nil).Links[0]
			if d := (a.Lag - b.Lag).Abs(); d > 2*time.Millisecond {
				t.Errorf("the lags are %v and %v after 10 s", a.Lag, b.Lag)
			}
			l.pass(50 * time.Second)
			a, b = l.Peers[0].Stats(nil).Links[0], l.Peers[1].Stats(nil).Links[0]
			if d := (a.Lag - b.Lag).Abs(); d > 2*time.Millisecond {
				t.Errorf("the lags are %v and %v after a minute", a.Lag, b.Lag)
			}
		})
	}
}
