package session_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// A host that is gone, at any time and in any way, causes a break, but loses no frame.
func TestASpectatorGoesOnAtTheNextHost(t *testing.T) {
	r := rand.New(rand.NewPCG(*seedFlag, 3))
	for _, way := range []string{"killed", "leaves", "cut off"} {
		for _, late := range []bool{false, true} {
			at := time.Duration(3000+r.IntN(15000)) * time.Millisecond // earlier, nothing has been compared
			th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.OnLeave = session.Continue })
			th.reference = 1
			first := time.Duration(0)
			if late {
				first = time.Duration(r.Int64N(int64(at)))
			}
			th.run(first)
			w := th.watch(smallGame(), []int{0, 1}, nil)
			th.run(at - first)
			switch way {
			case "killed":
				th.nodes[0].down = true
			case "leaves":
				th.players[0].Leave("")
			case "cut off":
				th.link(0, w, netem.Link{Down: true})
			}
			th.run(40*time.Second - at)
			t.Logf("%s after %v, watched after %v", way, at, first)
			th.sameEnd(0, 1)
			frames := 1195 // except for frames from before the state that it began with
			if late {
				frames = 1200 - int((first+3*time.Second)/(16*time.Millisecond))
			}
			th.sameStream(w, frames)
		}
	}
}

// A host that cannot tell whether a spectator has seen the same match, and cannot send
// it a state, shows it everything again.
func TestASpectatorBeginsAgainAtTheNextHost(t *testing.T) {
	th := open(t, ownGame(false), 2, lan(), func(_ int, c *session.Config) { c.OnLeave = session.Continue })
	th.reference = 1
	w := th.watch(ownGame(false), []int{0, 1}, func(c *session.SpectatorConfig) { c.JitterBuffer = 200 })
	th.until(5*time.Second, func() bool { return th.watchers[0].Stats(nil).Confirmed > 150 })
	th.nodes[0].down = true
	th.run(40 * time.Second)
	th.sameEnd(0, 1)
	th.sameStream(w, 1200)
}

// When no host is left, the spectator shows everything that it has, and says why it is
// over.
func TestASpectatorKnowsWhenNobodyIsLeft(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	w := th.watch(smallGame(), []int{0, 1}, nil)
	th.run(5 * time.Second)
	th.nodes[0].down, th.nodes[1].down = true, true
	th.run(20 * time.Second)
	if th.nodes[w].Phase() != session.Over || th.watchers[0].Err() == nil {
		t.Errorf("it is %v: %v", th.nodes[w].Phase(), th.watchers[0].Err())
	}
	th.sameStream(w, 250)
}

// A spectator that was cut off in the middle of a state continues where it was, at the
// same host: hardly a byte is sent twice.
func TestATransferIsResumed(t *testing.T) {
	long(t)
	for _, gap := range []time.Duration{time.Second, 3 * time.Second, 7 * time.Second} {
		th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames, c.Spectators.Rate = 0, 64<<10 })
		th.run(3 * time.Second)
		w := th.watch(bigGame(), []int{0}, nil)
		bytes := 0
		th.tap = func(from, to int, b []byte) bool {
			if from == 0 && to == w {
				bytes += len(b)
			}
			return true
		}
		half := func() bool { have, size := th.watchers[0].Transfer(); return size > 0 && have > size/2 }
		if !th.until(15*time.Second, half) {
			t.Fatal("no transfer")
		}
		th.link(0, w, netem.Link{Down: true})
		th.link(w, 0, netem.Link{Down: true})
		th.run(gap)
		th.link(0, w, lan())
		th.link(w, 0, lan())
		if !th.until(30*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
			th.log(w)
			t.Fatalf("after %v it is not live", gap)
		}
		// Data in flight at the cut is sent again, and a few times without success.
		if limit := 1<<20 + 300<<10; bytes > limit || th.players[0].Stats(nil).Spectators.States != 1 {
			t.Errorf("after %v, %d bytes were sent, more than %d: %+v", gap, bytes, limit, th.players[0].Stats(nil).Spectators)
		}
		th.run(time.Second)
		th.sameStream(w, 30)
	}
}

// A host that is lost in the middle of a state is replaced by another one, with a state
// of its own.
func TestAHostIsLostInTheMiddleOfAState(t *testing.T) {
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames, c.OnLeave = 600, session.Continue })
	th.reference = 1
	th.run(2 * time.Second)
	w := th.watch(bigGame(), []int{0, 1}, nil)
	th.until(10*time.Second, func() bool { have, _ := th.watchers[0].Transfer(); return have > 1<<18 })
	th.nodes[0].down = true
	th.run(20 * time.Second)
	th.sameEnd(0, 1)
	th.sameStream(w, 200)
}

// A spectator that moves to another address, as behind a NAT, goes on.
func TestASpectatorMoves(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Spectators.Max = 1 })
	w := th.watch(smallGame(), []int{0}, nil)
	th.run(5 * time.Second)
	th.alias = map[int]int{w: 40}
	th.run(25 * time.Second)
	th.sameEnd(0, 0)
	th.sameStream(w, 1200)
}

// Hosts and spectators that are started again find each other.
func TestBothSidesStartAgain(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	w := th.watch(smallGame(), []int{0}, nil)
	th.run(4 * time.Second)
	again := th.watch(smallGame(), []int{0}, nil) // at the address of the one before
	th.nodes[w].down = true
	th.alias = map[int]int{again: w}
	th.samePort = true
	th.run(26 * time.Second)
	th.sameEnd(1, 0)
	th.sameStream(again, 800)
}
