package session_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// rematch plays a match of a number of frames in a lobby of two, up to its first
// frame.
func (th *theatre[S]) rematch(frames rollback.Frame) {
	th.Helper()
	check := func(ok bool, err error) {
		th.Helper()
		if !ok || err != nil {
			th.Fatalf("no match: %v, players are %v and %v", err, th.players[0].Phase(), th.players[1].Phase())
		}
	}
	lobby := func() bool {
		return th.players[0].Phase() == session.Lobby && th.players[1].Phase() == session.Lobby
	}
	check(th.until(10*time.Second, lobby), nil)
	check(true, th.players[0].Propose(session.Parameters{Frames: frames}))
	check(th.until(time.Second, func() bool { return th.players[1].Phase() == session.Starting }), nil)
	check(true, th.players[1].Accept())
	check(true, th.players[1].Ready())
	check(th.until(10*time.Second, func() bool { return th.players[0].Phase() == session.Playing }), nil)
}

// A spectator configured to hold back more frames than there is room for gets as
// many as there is room for, and does not wait for ever.
func TestMoreDelayThanThereIsRoomFor(t *testing.T) {
	long(t)
	const orders = 4096
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames, c.MaxOrders = 4800, orders })
	w := th.watch(smallGame(), []int{0}, func(c *session.SpectatorConfig) { c.JitterBuffer, c.MaxOrders = 1<<16, orders })
	if !th.until(79*time.Second, func() bool { return th.watchers[0].Frame() > 0 }) {
		th.log(w)
		t.Fatalf("nothing is shown: %+v", th.watchers[0].Stats(nil))
	}
	th.run(120 * time.Second)
	th.sameStream(w, 4800)
	th.sameEnd(0, 0)
	if n := th.watchers[0].Stats(nil).Stalls; n > 1 {
		t.Errorf("it stalled %d times", n)
	}
}

// A spectator that runs one frame at a time still catches up with the present.
func TestOneFrameAtATimeCatchesUp(t *testing.T) {
	long(t)
	th := open(t, ownGame(false), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 0 })
	th.run(5 * time.Second)
	w := th.watch(ownGame(false), []int{0}, func(c *session.SpectatorConfig) { c.CatchUp = 1 })
	if !th.until(120*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
		th.log(w)
		t.Fatalf("it is not live: %+v", th.watchers[0].Stats(nil))
	}
}

// A spectator stays through several matches, however long the players take to begin
// the next one.
func TestSpectatorsWaitInTheLobby(t *testing.T) {
	long(t)
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Lobby = true })
	w := th.watch(smallGame(), []int{0, 1}, nil)
	th.rematch(200)
	th.run(10 * time.Second)
	th.sameEnd(0, 0)
	th.run(5 * time.Minute)
	if err := th.watchers[0].Err(); err != nil {
		th.log(w)
		t.Fatal(err)
	}
	th.rematch(200)
	th.run(10 * time.Second)
	th.sameEnd(0, 0)
	th.players[0].Leave("")
	th.run(20 * time.Second)
	if th.watchers[0].Err() == nil {
		t.Error("it does not notice that everybody has left")
	}
}

// A program that hangs while one match ends and the next one begins still sees the
// outcome.
func TestNoOutcomeIsPassedOver(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Lobby = true })
	w := th.watch(smallGame(), []int{0}, nil)
	th.rematch(200)
	th.until(10*time.Second, func() bool { return th.watchers[0].Frame() == 190 })
	th.nodes[w].wake = th.now + time.Hour
	th.until(10*time.Second, func() bool { return th.players[0].Phase() == session.Lobby })
	th.rematch(200)
	th.run(500 * time.Millisecond)
	th.nodes[w].wake = th.now
	seen := th.until(time.Second, func() bool { o, over := th.watchers[0].Outcome(); return over && o.Match == 1 })
	if !seen {
		th.log(w)
		t.Error("the outcome of the first match was never there")
	}
	th.run(10 * time.Second)
	th.sameEnd(0, 0)
}
