package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// Plans with spectators that have failed once, shrunk.

// A host that leaves while a spectator has its state, but not all have agreed on the
// frames before it, says so: the spectator used to wait for these frames for ever.
func TestRegressionAStateThatIsNeverAgreed(t *testing.T) {
	p := watchedPlan(2, 3600, SpectatorPlan{Hosts: []int{1}, Late: 41716 * time.Millisecond})
	p.Seed, p.Until, p.Hosting.Max, p.Link.Delay = 89, 45*time.Second, 32, 20*time.Millisecond
	p.Faults = []Fault{
		{Kind: Partition, At: 40581 * time.Millisecond, For: 4176 * time.Millisecond, Side: 0b10},
		{Kind: Leave, At: 43273 * time.Millisecond, Machine: 1},
	}
	res := playLedger(t, p)
	fine(t, p, res)
	if res.States == 0 {
		t.Error("no state was sent")
	}
}

// A host whose session is over stops serving spectators after its last message, even if
// that was not heard: spectators used to be told for ever that the host is there.
func TestRegressionAHostThatIsOverIsSilent(t *testing.T) {
	p := watchedPlan(8, 900, SpectatorPlan{Hosts: []int{6, 7}})
	p.Seed, p.Until, p.Hosting.Max = 1235, 45*time.Second, 2
	p.Machines[1].Window, p.Machines[5].Window, p.Machines[7].Window, p.Machines[7].Delay = 0, 0, 0, 6
	p.Link = netem.Link{Delay: 40 * time.Millisecond, Loss: 9 * netem.Percent, Corrupt: 3 * netem.Percent}
	for _, w := range []struct {
		from, to, delay int
		loss, corrupt   netem.PPM
	}{{0, 7, 35, 7, 0}, {5, 0, 31, 11, 3}, {5, 4, 46, 13, 3}, {7, 5, 20, 13, 4}} {
		l := netem.Link{Delay: time.Duration(w.delay) * time.Millisecond, Loss: w.loss * netem.Percent, Corrupt: w.corrupt * netem.Percent}
		p.Links = append(p.Links, Way{From: w.from, To: w.to, Link: l})
	}
	fine(t, p, playLedger(t, p))
}

// The input delay is adapted in tick periods only, so that spectators, for which the
// machine wakes up more often, do not change it.
func TestRegressionSpectatorsDoNotMoveTheInputDelay(t *testing.T) {
	for _, seed := range []uint64{19, 229} {
		p := separate(drawn(t, seed, All, 2, 4*time.Second))
		if !p.Machines[0].AutoDelay || len(p.Spectators) == 0 {
			t.Fatalf("it is another plan now: %v", p)
		}
		if with, without := playLedger(t, p), playLedger(t, p.Unwatched()); with.Played != without.Played {
			t.Errorf("seed %d: %016x with who watches, %016x without", seed, with.Played, without.Played)
		}
	}
}
