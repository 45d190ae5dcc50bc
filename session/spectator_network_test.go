package session_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// On any link, the spectator gets what the players agreed on, and continues to the end.
func TestASpectatorOnABadWay(t *testing.T) {
	for name, c := range map[string]struct {
		link  netem.Link
		least int
	}{
		"slow":       {netem.Link{Delay: 50 * time.Millisecond, Bandwidth: 30_000}, 1200},
		"lossy":      {netem.Link{Delay: 40 * time.Millisecond, Loss: 20 * netem.Percent}, 1200},
		"jittery":    {netem.Link{Delay: 40 * time.Millisecond, Jitter: 40 * time.Millisecond, Distribution: netem.Uniform, Reorder: true}, 1200},
		"duplicated": {netem.Link{Delay: 40 * time.Millisecond, Duplicate: 30 * netem.Percent, Jitter: 9 * time.Millisecond, Distribution: netem.Uniform, Reorder: true}, 1200},
		"damaged":    {netem.Link{Delay: 40 * time.Millisecond, Corrupt: 20 * netem.Percent}, 1200},
		"far":        {netem.Link{Delay: 400 * time.Millisecond}, 1200},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, smallGame(), 2, lan(), nil)
			w := th.watch(smallGame(), []int{0}, nil)
			th.link(0, w, c.link)
			th.link(w, 0, c.link)
			th.run(40 * time.Second)
			th.sameStream(w, c.least)
			th.sameEnd(0, 0)
		})
	}
}

// A large state gets through a narrow and lossy link, in time to be of use.
func TestALargeStateComesOnABadWay(t *testing.T) {
	long(t)
	for name, c := range map[string]struct {
		link netem.Link
		most time.Duration
	}{
		"100 kB/s": {netem.Link{Delay: 50 * time.Millisecond, Bandwidth: 100_000}, 30 * time.Second},
		"5% loss":  {netem.Link{Delay: 20 * time.Millisecond, Loss: 5 * netem.Percent}, 30 * time.Second},
		"20% loss": {netem.Link{Delay: 20 * time.Millisecond, Loss: 20 * netem.Percent}, 60 * time.Second},
		"jitter":   {netem.Link{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Uniform, Reorder: true}, 30 * time.Second},
	} {
		th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 0 })
		th.run(3 * time.Second)
		w := th.watch(bigGame(), []int{0}, nil)
		th.link(0, w, c.link)
		th.link(w, 0, c.link)
		start := th.now
		if !th.until(c.most, func() bool { return th.saw(w, session.Live) != nil }) {
			th.log(w)
			have, size := th.watchers[0].Transfer()
			t.Errorf("%s: not live after %v, %d of %d bytes", name, c.most, have, size)
			continue
		}
		t.Logf("%s: live after %v, %+v", name, th.now-start, th.players[0].Stats(nil).Spectators)
		th.run(time.Second)
		th.sameStream(w, 30)
	}
}

// After an interruption of everything, and after a pause of the spectator's program,
// the spectator continues.
func TestASpectatorIsInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		gap   time.Duration
		pause bool
		least int // frames that it sees: after a while others are no longer held
	}{
		"5 s without a network": {5 * time.Second, false, 3900},
		"5 s of pause":          {5 * time.Second, true, 3900},
		"30 s of pause":         {30 * time.Second, true, 2000},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 4000 })
			w := th.watch(smallGame(), []int{0}, nil)
			th.run(6 * time.Second)
			if c.pause {
				th.nodes[w].down = true
			} else {
				th.link(0, w, netem.Link{Down: true})
				th.link(w, 0, netem.Link{Down: true})
			}
			th.run(c.gap)
			if guests := th.players[0].Stats(nil).Spectators.Spectators; c.gap > 6*time.Second && guests != 0 {
				t.Errorf("the host still has %d guests", guests)
			}
			th.nodes[w].down, th.nodes[w].wake = false, th.now
			th.link(0, w, lan())
			th.link(w, 0, lan())
			th.run(90*time.Second - c.gap)
			th.sameEnd(0, 0)
			th.sameStream(w, c.least)
		})
	}
}

// A spectator that is far behind catches up, but not faster than configured.
func TestCatchingUpIsBounded(t *testing.T) {
	for _, most := range []int{2, 8} {
		th := open(t, ownGame(false), 2, lan(), nil)
		th.run(15 * time.Second)
		w := th.watch(ownGame(false), []int{0}, func(c *session.SpectatorConfig) { c.CatchUp = most })
		fastest, last := 0, session.Frame(0)
		for th.now < 40*time.Second {
			th.run(100 * time.Millisecond)
			f := th.watchers[0].Frame()
			fastest, last = max(fastest, int(f-last)), f
		}
		th.sameEnd(0, 0)
		th.sameStream(w, 1200)
		if slots := 7; fastest > slots*most || fastest < 5*most {
			t.Errorf("CatchUp %d: %d frames in 100 ms", most, fastest)
		}
	}
}

// On an uneven link there are breaks at first, and hardly any later, since more frames
// are held back.
func TestBreaksBecomeRare(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 5400 })
	w := th.watch(smallGame(), []int{0}, func(c *session.SpectatorConfig) { c.JitterBuffer = 4 })
	th.link(0, w, netem.Awful())
	th.link(w, 0, netem.Awful())
	th.run(45 * time.Second)
	early := th.watchers[0].Stats(nil).Stalls
	th.run(40 * time.Second)
	late := th.watchers[0].Stats(nil).Stalls - early
	t.Logf("%d breaks, then %d", early, late)
	if early == 0 || late > max(early/3, 1) {
		t.Errorf("%d breaks in 45 seconds, and %d in the next 40", early, late)
	}
}
