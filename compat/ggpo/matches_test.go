package ggpo_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

var (
	matchesFlag = flag.Int("ggpo.matches", 0, "how many random matches TestMatches plays; 0: a few")
	seedFlag    = flag.Uint64("ggpo.seed", 0, "the seed of the only random match to play; 0: one after the other, from 1 on")
)

// Random matches at 5 % loss: 2 to 4 machines, some with two players, some with a spectator, clocks that go wrong, loops
// of both kinds, input delay, and pauses. All machines simulate the same frames, and know it.
func TestMatches(t *testing.T) {
	count := uint64(12)
	if testing.Short() {
		count = 4
	}
	if *matchesFlag > 0 {
		count = uint64(*matchesFlag)
	}
	if *seedFlag != 0 {
		randomMatch(t, *seedFlag)
		return
	}
	var all tally
	for seed := range count {
		if all.add(randomMatch(t, seed+1)); t.Failed() {
			t.Fatalf("in the match of seed %d: -ggpo.seed=%[1]d plays it alone", seed+1)
		}
	}
	t.Logf("%d matches: %d frames at all machines, %d rollbacks, %d frames again, %d waits", count, all.frames, all.loads, all.again, all.waited)
	if all.loads < int(count)*20 || all.again < int(count)*50 {
		t.Errorf("there were hardly any rollbacks: %+v", all)
	}
}

type tally struct{ frames, loads, again, waited int }

func (a *tally) add(b tally) {
	a.frames += b.frames
	a.loads += b.loads
	a.again += b.again
	a.waited += b.waited
}

func randomMatch(t *testing.T, seed uint64) (sum tally) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	between := func(least, most int) int { return least + r.IntN(most-least+1) }
	c := plan{
		seed: seed, size: between(1, 20), delay: between(0, 3), spectators: max(0, between(-2, 1)), machines: []int{1, 1},
		link: netem.Link{Delay: time.Duration(between(2, 60)) * ms, Loss: 5 * netem.Percent, Reorder: r.IntN(2) == 0},
	}
	if r.IntN(2) == 0 {
		c.link.Jitter, c.link.Distribution = time.Duration(between(1, 10))*ms, netem.Exponential
	}
	if r.IntN(4) == 0 {
		c.link.Duplicate, c.link.Corrupt = netem.Percent, netem.Percent
	}
	for players := 2; len(c.machines) < 4 && r.IntN(3) == 0; players++ {
		c.machines = append(c.machines, 1)
	}
	if len(c.machines) < 4 && r.IntN(3) == 0 {
		c.machines[r.IntN(len(c.machines))]++ // a test game has 4 players at most
	}
	for range c.machines {
		c.fast = append(c.fast, between(-5, 5))
	}
	w, players := meet(t, c)
	loops := loopsOf(players, c.fast...)
	for _, l := range loops {
		l.sync = r.IntN(3) == 0
	}
	length := time.Duration(between(8, 20)) * time.Second
	w.run(length/2, loops, nil)
	pause := time.Duration(0)
	if r.IntN(3) == 0 {
		l := loops[r.IntN(len(loops))]
		l.stop, pause = true, time.Duration(between(1, 20))*100*ms
		w.run(pause, loops, nil)
		l.stop = false
	}
	w.run(length/2, loops, nil)
	// Players at more than a window from each other wait for each other.
	equal(t, int(length/time.Second)*20, players...)
	healthy(t, players[:len(c.machines)]...)
	for i, p := range players {
		if p.count(ggpo.EventCodeDisconnectedFromPeer)+p.count(ggpo.EventCodeDesync)+p.count(ggpo.EventCodeFrameNotAdvanced) != 0 {
			t.Errorf("machine %d is told %v", i, p.events)
		}
		if p.mostState > ggpo.MaxPredictionFrames+1 {
			t.Errorf("machine %d numbers a state %d", i, p.mostState)
		}
		sum.add(tally{len(p.sums), p.loads, p.again, p.waited})
	}
	w.meanwhile = nil
	for i := range players {
		w.meanwhile = loops[i+1:]
		ok(t, players[i].backend.Close())
	}
	return sum
}
