package session_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Late spectators share the rate: it is used, it is not exceeded, and nobody is served
// much later than others, however near the others are. Spectators that are up to date
// are not affected.
func TestLatecomersShareTheRate(t *testing.T) {
	long(t)
	const rate = 2 << 20
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames, c.Spectators.Rate = 0, rate })
	live := th.watch(bigGame(), []int{0}, nil)
	th.run(5 * time.Second)
	from := th.now
	sent := map[int]int{}
	var total, burst int
	second := time.Duration(0)
	th.tap = func(from, to int, b []byte) bool {
		if from == 0 && to > live {
			if th.now-second > time.Second {
				second, burst = th.now, 0
			}
			burst += len(b)
			total += len(b)
			sent[to] += len(b)
			if burst > rate*5/4+60_000 {
				t.Fatalf("%d bytes in a second", burst)
			}
		}
		return true
	}
	var late []int
	for i := range 4 {
		w := th.watch(bigGame(), []int{0}, nil)
		near := netem.Link{Delay: time.Duration(1+30*i) * time.Millisecond}
		th.link(0, w, near)
		th.link(w, 0, near)
		late = append(late, w)
	}
	least, most := time.Hour, time.Duration(0)
	for _, w := range late {
		if !th.until(10*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
			th.log(w)
			t.Fatalf("node %d is not live; %v", w, sent)
		}
		least, most = min(least, th.now-from), max(most, th.now-from)
	}
	t.Logf("%d bytes, live after %v to %v", total, least, most)
	if most > 6*time.Second {
		t.Errorf("the last was live after %v", most)
	}
	th.run(time.Second)
	th.sameStream(live, 300)
	if e := th.saw(live, session.Waiting); e != nil {
		t.Errorf("who was up to date had to wait: %v", e)
	}
}

// However small the share of each spectator that gets a state is, all hear from the
// host.
func TestThoseWhoWaitAreNotForgotten(t *testing.T) {
	long(t)
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames, c.Spectators.Rate = 0, 12_000 })
	th.run(3 * time.Second)
	for range 32 {
		th.watch(bigGame(), []int{0}, nil)
	}
	th.run(20 * time.Second)
	for w := 2; w < 34; w++ {
		if e := th.saw(w, session.Lost); e != nil || th.saw(w, session.Connected) == nil {
			t.Fatalf("node %d: %v", w, e)
		}
	}
	if s := th.players[0].Stats(nil).Spectators; s.Spectators != 32 || s.Bytes > 20*(12_000+32*4*60) {
		t.Errorf("%+v", s)
	}
}

// Spectators that take their states as slowly as possible keep nobody else out.
func TestSlowSpectatorsKeepNobodyOut(t *testing.T) {
	long(t)
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 0 })
	th.run(3 * time.Second)
	for range 8 {
		w := th.watch(bigGame(), []int{0}, nil)
		th.link(0, w, netem.Link{Delay: 20 * time.Millisecond, Bandwidth: 5_000})
		th.run(3 * time.Second)
	}
	w := th.watch(bigGame(), []int{0}, nil)
	if !th.until(15*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
		th.log(w)
		t.Errorf("it is not live: %+v", th.players[0].Stats(nil).Spectators)
	}
}

// A host that leaves notifies its spectators, and is done as soon as they know, or
// after a time-out for those that do not answer.
func TestAHostTellsItsSpectatorsThatItGoes(t *testing.T) {
	for _, dead := range []bool{false, true} {
		th := open(t, smallGame(), 2, lan(), nil)
		th.watch(smallGame(), []int{0}, nil)
		th.watch(smallGame(), []int{0}, nil)
		th.run(3 * time.Second)
		th.nodes[3].down = dead
		th.players[0].Leave("enough")
		if !th.until(5*time.Second, func() bool { return th.players[0].Phase() == session.Over }) {
			t.Fatal("it does not leave")
		}
		start := th.now
		if !th.until(3*time.Second, th.players[0].Done) {
			t.Fatalf("dead %v: it is not done: %+v", dead, th.players[0].Stats(nil).Spectators)
		}
		if took := th.now - start; !dead && took > 200*time.Millisecond || dead && took > session.DefaultLinger+100*time.Millisecond {
			t.Errorf("dead %v: it took %v", dead, took)
		}
		if e := th.saw(2, session.Lost); e == nil {
			t.Error("the spectator does not know")
		}
	}
}

// Hosts whose states differ are distinguished, and a spectator that goes from one to
// the other shows what the other one has.
func TestHostsWithOtherStates(t *testing.T) {
	other := smallGame()
	step := other.Step
	other.Step = func(s *small, tick *smallTick) { step(s, tick); s.Total += s.Frame / 300 }
	th := openEach(t, func(i int) rollback.Definition[small, uint16] {
		if i == 1 {
			return other
		}
		return smallGame()
	}, 2, lan(), func(_ int, c *session.Config) { c.OnLeave = session.Continue })
	w := th.watch(smallGame(), []int{0, 1}, nil)
	th.run(8 * time.Second)
	if h := th.watchers[0].Health(); h != session.Healthy {
		t.Errorf("at the host with the same game it is %v", h)
	}
	th.nodes[0].down = true
	th.run(20 * time.Second)
	out, over := th.watchers[0].Outcome()
	if !over || out.Frames != 1200 || th.saw(w, session.Desync) == nil {
		th.log(w)
		t.Errorf("%v %+v", over, out)
	}
}

// Random matches: players, links, and spectators that come at some time and watch some
// of the hosts, some of which leave. A spectator sees what was agreed.
func TestRandomAudiences(t *testing.T) {
	count := 40
	if testing.Short() {
		count = 5
	}
	for n := range uint64(count) {
		seed := *seedFlag*1000 + n
		r := rand.New(rand.NewPCG(seed, 5))
		way := func() netem.Link {
			return netem.Link{
				Delay: time.Duration(1+r.IntN(80)) * time.Millisecond, Loss: netem.PPM(r.IntN(10)) * netem.Percent,
				Jitter: time.Duration(1+r.IntN(15)) * time.Millisecond, Distribution: netem.Uniform, Reorder: r.IntN(2) == 0,
				Duplicate: netem.PPM(r.IntN(5)) * netem.Percent, Corrupt: netem.PPM(r.IntN(3)) * netem.Percent,
			}
		}
		players, delay, every := 2+r.IntN(3), r.IntN(3)*40, []int{0, 1, 7, 90}[r.IntN(4)]
		goes := r.IntN(2) == 0
		th := open(t, smallGame(), players, lan(), func(_ int, c *session.Config) {
			c.Spectators.Delay, c.ChainEvery = delay, every
			if c.Match.Frames = 600; players == 2 {
				c.OnLeave = session.Continue
			}
		})
		th.reference = 0
		for range 2 + r.IntN(4) {
			hosts := r.Perm(players)[:1+r.IntN(players)]
			w := th.watch(smallGame(), hosts, nil)
			for h := range players {
				th.link(h, w, way())
				th.link(w, h, way())
			}
			th.run(time.Duration(r.IntN(2000)) * time.Millisecond)
		}
		if goes {
			th.nodes[players-1].down = true
		}
		th.run(40 * time.Second)
		out, over := th.players[0].Outcome()
		if !over {
			t.Fatalf("seed %d: no outcome", seed)
		}
		for i := range th.watchers {
			th.sameStream(players+i, 0)
			mine, seen := th.watchers[i].Outcome()
			if seen && (mine.Frames != out.Frames || mine.Hash != out.Hash || mine.Health != session.Healthy) {
				t.Errorf("seed %d: spectator %d: %+v, not %+v", seed, i, mine, out)
			}
			if !seen && !goes {
				th.log(players + i)
				t.Errorf("seed %d: spectator %d has not seen the end", seed, i)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %d players, delay %d, chain every %d, one goes: %v", seed, players, delay, every, goes)
		}
	}
}
