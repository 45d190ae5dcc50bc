package fleet

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// impatient makes silence an end soon.
func impatient(_ int, c *session.Config) {
	c.OnLeave, c.DropAfter, c.WarnAfter = session.Continue, time.Second, 500*time.Millisecond
}

// goneFrom returns the first frame of a peer's agreed stream without a player, or the number
// of frames.
func (l *lab) goneFrom(peer, player int) int {
	for f, a := range l.stream(peer) {
		if a.statuses[player] != 0 {
			return f
		}
	}
	return len(l.stream(peer))
}

// With Continue, the rest plays on when some machines leave, vanish or are kicked, one or
// two at once, on bad networks. All agree on which players were present in which frame,
// and nothing that was agreed changes.
func TestTheRestPlaysOn(t *testing.T) {
	runs := uint64(60)
	if testing.Short() {
		runs = 3
	}
	for run := range runs {
		for _, players := range []int{3, 4, 5, 8} {
			seed := seedOf(t, run*16+uint64(players))
			r := rand.New(rand.NewPCG(seed, 31))
			l := newLab(t, players, frames(900), seeded(seed), anyMode(r), configure(impatient), func(s *Setup[ledger, note]) {
				s.Links = func(_, _ int) netem.Link {
					return netem.Link{Delay: time.Duration(r.IntN(125)) * time.Millisecond, Jitter: time.Duration(r.IntN(10)) * time.Millisecond, Distribution: netem.Uniform, Loss: netem.PPM(r.IntN(20)) * netem.Percent}
				}
			})
			l.play()
			l.pass(time.Duration(r.IntN(3000)) * time.Millisecond)
			var gone []int
			for range 1 + r.IntN((players-1)/2) {
				who := r.IntN(players)
				if contains(gone, who) {
					continue
				}
				gone = append(gone, who)
				switch how := r.IntN(3); {
				case how == 0:
					l.Peers[who].Down = true
				case how == 1 && who != 0 && !l.Peers[0].Down && !contains(gone, 0):
					if err := l.Peers[0].Kick(session.PlayerSet(1)<<who, "enough"); err != nil {
						l.Fatal(err)
					}
				default:
					l.Peers[who].Leave("bye")
				}
				if r.IntN(2) == 0 {
					l.pass(time.Duration(r.IntN(1500)) * time.Millisecond)
				}
			}
			l.survivors(2*time.Minute, gone...)
			alive := l.rest(gone...)
			for _, p := range alive {
				o, _ := p.Outcome()
				if o.Frames != 900 {
					l.dump()
					t.Fatalf("seed %d: peer %d: %+v", seed, p.Index, o)
				}
				for _, g := range gone {
					if n := l.goneFrom(p.Index, g); n != l.goneFrom(alive[0].Index, g) || n > 900 {
						t.Fatalf("seed %d: player %d is gone from %d at peer %d, from %d at %d", seed, g, n, p.Index, l.goneFrom(alive[0].Index, g), alive[0].Index)
					}
				}
			}
		}
	}
}

func contains(list []int, n int) bool {
	for _, i := range list {
		if i == n {
			return true
		}
	}
	return false
}
