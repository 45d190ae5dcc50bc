package fleet

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// A local player is sampled exactly once for each new frame, also for one that
// then waits: with a fixed delay the agreed inputs are the samples, one by one,
// after as many zeros as the delay has frames.
func TestEachFrameIsSampledOnce(t *testing.T) {
	for _, loss := range []netem.PPM{0, 10 * netem.Percent} {
		t.Run(loss.String(), func(t *testing.T) {
			l := newLab(t, 4, frames(400), withLoss(100*time.Millisecond, loss), seats(0b0011, 0b0100, 0b1000),
				configure(func(_ int, c *session.Config) {
					c.Window = 4 // so that there are stalls
					for p := range c.Local.All() {
						c.Delay[p] = 3 * int(p)
					}
				}))
			l.end(1, time.Minute)
			l.same(0, l.Peers...)
			for f, a := range l.agreed[0][0] {
				for p, in := range a.inputs {
					if want := note(max(0, f+1-3*p)); in != want {
						t.Fatalf("player %d does %d in frame %d, must be %d", p, in, f, want)
					}
				}
			}
			if st := l.Peers[0].Stats(nil); st.Stalls == 0 {
				t.Error("there was no stall, so this tests too little")
			}
		})
	}
}

// A machine that hangs for 0.3 s or 1 s, and then goes on, neither loses nor
// duplicates any input, and nor do the others.
func TestHitchesLoseNothing(t *testing.T) {
	for _, hitch := range []time.Duration{300 * time.Millisecond, time.Second, 4 * time.Second} {
		for _, players := range few(2, 3, 8, 16) {
			t.Run(fmt.Sprintf("%v, %d players", hitch, players), func(t *testing.T) {
				l := newLab(t, players, frames(500), withLoss(40*time.Millisecond, 5*netem.Percent), seeded(seedOf(t, 5)))
				l.play()
				l.pass(2 * time.Second)
				p := l.Peers[players-1]
				p.Down = true
				l.pass(hitch)
				p.Down = false
				l.end(1, time.Minute)
				l.same(0, l.Peers...)
				l.healthy()
				for p := range players {
					l.sampledInOrder(0, 0, rollback.Player(p), 1)
				}
				if n := count(p, session.Lost); n > 0 {
					t.Errorf("%d peers were lost", n)
				}
			})
		}
	}
}

// held is an input that is held for three samples: a delay can change only where
// a player does what it did before.
func held(s *Setup[ledger, note]) {
	s.Input = func(_ rollback.Player, n int) note { return note(n/3 + 1) }
}

// A delay that changes while playing loses, doubles and reorders nothing.
func TestDelayChangesLoseNothing(t *testing.T) {
	runs := uint64(20)
	if testing.Short() {
		runs = 2
	}
	for run := range runs {
		seed := seedOf(t, run+1)
		r := rand.New(rand.NewPCG(seed, 1))
		l := newLab(t, 3, held, frames(600), withLoss(50*time.Millisecond, 5*netem.Percent), seats(0b011, 0b100), seeded(seed))
		l.play()
		for !l.phases(session.Lobby) && l.Now < time.Minute {
			p := l.Peers[r.IntN(2)]
			if p.Phase() == session.Playing {
				player := session.Player(r.IntN(2))
				if p.Index == 1 {
					player = 2
				}
				if err := p.SetDelay(player, r.IntN(20)); err != nil {
					t.Fatal(err)
				}
			}
			l.pass(time.Duration(r.IntN(500)) * time.Millisecond)
		}
		l.end(1, time.Minute)
		l.same(0, l.Peers...)
		for p := range 3 {
			l.sampledInOrder(0, 0, rollback.Player(p), 1)
		}
	}
}

// AutoDelay covers the path without losing or duplicating an input, and follows
// when the path becomes longer or shorter.
func TestAutoDelayFollowsTheRoundTrip(t *testing.T) {
	l := newLab(t, 2, held, delay(20*time.Millisecond), configure(func(_ int, c *session.Config) {
		c.AutoDelay = session.AutoDelay{On: true, Max: 15}
	}))
	l.play()
	for _, step := range []struct {
		way         time.Duration
		least, most int
	}{
		{20 * time.Millisecond, 1, 3}, {120 * time.Millisecond, 7, 10}, {20 * time.Millisecond, 1, 3},
	} {
		for from := range 2 {
			if err := l.Net.SetLink(from, 1-from, netem.Link{Delay: step.way}); err != nil {
				t.Fatal(err)
			}
		}
		l.pass(60 * time.Second)
		for i, p := range l.Peers {
			if asked, actual := p.Inspect().Delay(session.Player(i)); asked < step.least || asked > step.most || actual != asked {
				t.Errorf("way %v: peer %d has a delay of %d frames (%d in effect), must be %d to %d", step.way, i, asked, actual, step.least, step.most)
			}
		}
	}
	l.Peers[1].Leave("enough")
	l.pass(time.Second)
	l.same(0, l.Peers...)
	l.sampledInOrder(0, 0, 0, 1)
	l.sampledInOrder(0, 0, 1, 1)
}

// Orders of any length arrive once, complete and in their frame, whatever is lost
// and reordered, and with several players on a machine.
func TestOrdersArriveInTheirFrame(t *testing.T) {
	for name, size := range map[string]func(p rollback.Player, n int) int{
		"short, every frame":      func(rollback.Player, int) int { return 20 },
		"128 bytes, every frame":  func(rollback.Player, int) int { return 128 },
		"129 bytes, now and then": func(p rollback.Player, n int) int { return 129 * b2i(n%7 == int(p)) },
		"4 KiB, now and then":     func(p rollback.Player, n int) int { return 4096 * b2i(n%40 == int(p)) },
		"short, long and none, mixed": func(p rollback.Player, n int) int {
			return []int{0, 5, 0, 300, 128, 0, 1000, 0}[(n+int(p))%8] * b2i(n%3 == 0)
		},
	} {
		for _, loss := range []netem.PPM{0, 10 * netem.Percent} {
			t.Run(fmt.Sprintf("%s, loss %v", name, loss), func(t *testing.T) {
				l := newLab(t, 3, frames(300), ordersOf(size), seats(0b011, 0b100), seeded(seedOf(t, 2)),
					over(netem.Link{Delay: 30 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Exponential, Reorder: true, Loss: loss}),
					configure(func(_ int, c *session.Config) { c.MaxOrders = 4096 }))
				l.end(1, 2*time.Minute)
				l.same(0, l.Peers...)
				l.healthy()
				l.checkOrders(0, size)
			})
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkOrders checks that the orders of every frame are those that were given with
// the input of that frame.
func (l *lab) checkOrders(match int, size func(p rollback.Player, n int) int) {
	l.Helper()
	for f, a := range l.agreed[0][match] {
		for p, in := range a.inputs {
			if in == 0 {
				continue
			}
			n, o := int(in)-1, a.orders[p]
			want := size(rollback.Player(p), n)
			if want > 0 {
				want = max(want, 4)
			}
			if len(o) != want || want > 0 && binary.LittleEndian.Uint32(o) != uint32(n) {
				l.Fatalf("frame %d: player %d has %d bytes of orders, gave %d", f, p, len(o), want)
			}
		}
	}
}

// Orders of 4 KiB in every frame are more than the control stream carries: the
// match may become slow, but nobody is lost because of that, whatever the window.
func TestTooManyOrdersLoseNobody(t *testing.T) {
	size := func(rollback.Player, int) int { return 4096 }
	for _, window := range []int{8, 100} {
		t.Run(fmt.Sprintf("window %d", window), func(t *testing.T) {
			l := newLab(t, 2, frames(200), ordersOf(size), delay(30*time.Millisecond),
				configure(func(_ int, c *session.Config) {
					c.MaxOrders, c.Window = 4096, window
					for p := range c.Local.All() {
						c.Delay[p] = window / 2
					}
				}))
			l.end(1, 2*time.Minute)
			l.same(0, l.Peers...)
			l.checkOrders(0, size)
		})
	}
}
