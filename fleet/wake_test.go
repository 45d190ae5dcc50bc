package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// wakes counts how often the owners of the peers are woken within a time.
func (l *lab) wakes(d time.Duration) (n int) {
	l.RunUntil(l.Now+d, func() bool { n++; return false })
	return n
}

// It is worth waking up at the time that Update returns: in no phase is an
// owner woken much more often than there are datagrams and tick periods.
func TestNobodyIsWokenInVain(t *testing.T) {
	for name, prepare := range map[string]func() *lab{
		"connecting, nobody there": func() *lab {
			l := newLab(t, 2)
			l.Peers[1].Down = true
			return l
		},
		"lobby":   func() *lab { return lobbyOf(t, 2, delay(20*time.Millisecond)) },
		"playing": func() *lab { l := newLab(t, 2, delay(20*time.Millisecond)); l.play(); return l },
		"stalled": func() *lab {
			l := newLab(t, 2, delay(20*time.Millisecond))
			l.play()
			l.pass(time.Second)
			l.Peers[1].Down = true
			return l
		},
		"the host waits for readiness": func() *lab {
			l := lobbyOf(t, 2, delay(20*time.Millisecond))
			l.propose(session.Parameters{})
			l.pass(time.Second)
			return l
		},
		"a guest waits for readiness": func() *lab {
			l := lobbyOf(t, 3, delay(20*time.Millisecond))
			l.propose(session.Parameters{})
			l.pass(time.Second)
			if l.Peers[1].Accept() != nil || l.Peers[1].Ready() != nil {
				t.Fatal("it cannot accept")
			}
			return l
		},
		"ending alone": func() *lab {
			l := newLab(t, 2, frames(60), delay(20*time.Millisecond))
			l.play()
			l.until("the end", 10*time.Second, func() bool { return l.Peers[0].Phase() == session.Ending })
			l.Peers[1].Down = true
			return l
		},
		"leaving alone": func() *lab {
			l := newLab(t, 2, delay(20*time.Millisecond))
			l.play()
			l.Peers[1].Down = true
			l.Peers[0].Leave("")
			return l
		},
		"over by an error": func() *lab {
			l := newLab(t, 2, delay(20*time.Millisecond), configure(func(peer int, c *session.Config) { c.Build = fmt.Sprint(peer) }))
			l.pass(300 * time.Millisecond)
			l.Peers[1].Down = true
			return l
		},
		"leaving before anybody has come": func() *lab {
			l := newLab(t, 3, delay(20*time.Millisecond))
			l.Peers[1].Down, l.Peers[2].Down = true, true
			l.pass(100 * time.Millisecond)
			l.Peers[0].Leave("")
			return l
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := prepare()
			if n := l.wakes(2 * time.Second); n > 2*len(l.Peers)*250 {
				l.dump()
				t.Errorf("%d wake-ups in 2 s", n)
			}
		})
	}
}

// The same for random ends of random matches.
func TestNobodyIsWokenInVainAtTheEnd(t *testing.T) {
	runs := uint64(60)
	if testing.Short() {
		runs = 8
	}
	for seed := range runs {
		for ms := 0; ms < 600; ms += 150 {
			l := newLab(t, 3, frames(30), withLoss(60*time.Millisecond, 20*netem.Percent), seeded(seed+1))
			l.pass(time.Duration(ms+int(seed)) * time.Millisecond)
			if seed%2 == 0 {
				l.Peers[2].Leave("")
			} else {
				l.Peers[2].Down = true
			}
			for range 10 {
				if n := l.wakes(time.Second); n > 3*400 {
					l.dump()
					t.Fatalf("seed %d, %d ms: %d wake-ups in a second before %v", seed+1, ms, n, l.Now)
				}
			}
		}
	}
}
