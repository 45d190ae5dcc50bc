package fleet

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// Whatever the network does, a match of N frames ends with the same frame, chain
// and hash on all peers, with equal agreed streams, which lead to the same states
// offline.
func TestAllPeersAgree(t *testing.T) {
	length := session.Frame(600)
	if testing.Short() {
		length = 120
	}
	for _, players := range few(2, 3, 4, 8, 16) {
		for _, loss := range []netem.PPM{0, 5 * netem.Percent, 20 * netem.Percent} {
			for name, link := range map[string]netem.Link{
				"steady":    {Delay: 30 * time.Millisecond},
				"jitter":    {Delay: 20 * time.Millisecond, Jitter: 15 * time.Millisecond, Distribution: netem.Exponential},
				"reorder":   {Delay: 20 * time.Millisecond, Jitter: 30 * time.Millisecond, Distribution: netem.Exponential, Reorder: true},
				"duplicate": {Delay: 30 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Normal, Reorder: true, Duplicate: 20 * netem.Percent},
				"corrupt":   {Delay: 30 * time.Millisecond, Corrupt: 5 * netem.Percent},
			} {
				t.Run(fmt.Sprintf("%d players, loss %v, %s", players, loss, name), func(t *testing.T) {
					link.Loss = loss
					l := newLab(t, players, frames(length), over(link), seeded(seedOf(t, 3)))
					l.end(1, 2*time.Minute)
					l.same(0, l.Peers...)
					l.healthy()
					for i := range l.Peers {
						l.sampledInOrder(0, 0, session.Player(i), 1)
					}
					if got := len(l.agreed[0][0]); got != int(length) {
						t.Errorf("%d frames were agreed, the match has %d", got, length)
					}
				})
			}
		}
	}
}

// The same for random networks, a different one in each direction, random seats,
// windows, delays and starts, and lockstep.
func TestAllPeersAgreeOnRandomNetworks(t *testing.T) {
	runs := uint64(150)
	if testing.Short() {
		runs = 10
	}
	for run := range runs {
		seed := run + 1
		if *seedFlag != 0 {
			seed = *seedFlag
		}
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 7))
			players := 2 + r.IntN(7)
			lockstep := r.IntN(5) == 0
			window := 1 + r.IntN(20)
			seed := seedOf(t, seed)
			l := newLab(t, players, frames(session.Frame(1+r.IntN(400))), seeded(seed), func(s *Setup[ledger, note]) {
				s.Frame = r.IntN(2) == 0
				for p := 0; p < players; {
					var set session.PlayerSet
					for range 1 + r.IntN(2) {
						if p < players && (p == 0 || set == 0 || p < players-1) {
							set |= 1 << p
							p++
						}
					}
					s.Seats = append(s.Seats, set)
				}
				if len(s.Seats) == 1 {
					s.Seats = nil
				}
				links := map[[2]int]netem.Link{}
				for from := range 8 {
					for to := range 8 {
						links[[2]int{from, to}] = randomLink(r)
					}
				}
				s.Links = func(from, to int) netem.Link { return links[[2]int{from, to}] }
				for range 8 {
					s.Late = append(s.Late, time.Duration(r.IntN(2000))*time.Millisecond)
					s.Drift = append(s.Drift, int64(r.IntN(4000)-2000))
				}
			}, configure(func(_ int, c *session.Config) {
				if lockstep {
					c.Lockstep = true
				} else {
					c.Window = window
				}
				for p := range c.Local.All() {
					c.Delay[p] = r.IntN(12)
				}
			}))
			l.end(1, 4*time.Minute)
			l.same(0, l.Peers...)
			for _, p := range l.Peers {
				if o, _ := p.Outcome(); o.Health != session.Healthy {
					l.dump()
					t.Fatalf("peer %d: %+v", p.Index, o)
				}
			}
		})
	}
}

// Numbers on the wire have 16 bits: a match of more frames, and more datagrams, goes
// on beyond them.
func TestAMatchOf20Minutes(t *testing.T) {
	if testing.Short() {
		t.Skip("70000 frames")
	}
	const length = 70000
	l := newLab(t, 2, frames(length), withLoss(30*time.Millisecond, 2*netem.Percent))
	l.end(1, 25*time.Minute)
	l.same(0, l.Peers...)
	l.healthy()
	l.sampledInOrder(0, 0, 1, 1)
	if l.Now > 20*time.Minute {
		t.Errorf("it took %v", l.Now)
	}
}

// An interruption that straddles the 16 bits of a sequence number is survived.
func TestAnInterruptionAtTheWrapOfTheSequence(t *testing.T) {
	if testing.Short() {
		t.Skip("66000 frames")
	}
	l := newLab(t, 2, delay(30*time.Millisecond))
	l.play()
	l.until("the wrap", 20*time.Minute, func() bool { return l.Peers[0].Stats(nil).Links[0].Sent > 65400 })
	for _, oneWay := range []bool{true, false} {
		l.cut(oneWay, true)
		l.pass(4 * time.Second)
		l.cut(oneWay, false)
		frame := l.Peers[0].Frame()
		l.pass(time.Second)
		if got := l.Peers[0].Frame(); got < frame+30 {
			l.dump()
			t.Fatalf("frame %d before, %d after", frame, got)
		}
	}
}

// A negative control: the checks find one wrong input in one frame.
func TestTheChecksCanFail(t *testing.T) {
	l := newLab(t, 2, frames(60), delay(20*time.Millisecond))
	l.end(1, 10*time.Second)
	a, b := l.agreed[0][0][30], l.agreed[1][0][30]
	if !equalFrames(a, b) {
		t.Error("frame 30 is not the same")
	}
	b.inputs[1]++
	if equalFrames(a, b) {
		t.Error("a frame with another input is the same")
	}
}
