package session_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

func lan() netem.Link { return netem.Link{Delay: 20 * time.Millisecond} }

// long is a test that -short leaves out.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes a while")
	}
}

// sameStream compares the inputs, orders, statuses and states that a spectator saw with
// those that a player agreed on.
func (th *theatre[S]) sameStream(node int, least int) {
	th.Helper()
	theirs, seen := th.streams[th.reference], 0
	for f, h := range th.streams[node] {
		if h == 0 {
			continue
		}
		if seen++; f >= len(theirs) || h != theirs[f] {
			th.log(node)
			th.Fatalf("seed %d, node %d: frame %d is not what the players agreed on", *seedFlag, node, f)
		}
	}
	if seen < least {
		th.log(node)
		th.Errorf("seed %d, node %d saw %d frames, want at least %d", *seedFlag, node, seen, least)
	}
}

// log writes what has happened at a node.
func (th *theatre[S]) log(node int) {
	th.Helper()
	for _, e := range th.nodes[node].events {
		th.Log(node, e)
	}
}

// sameEnd compares the end of a match for a spectator and for a player.
func (th *theatre[S]) sameEnd(watcher, player int) {
	th.Helper()
	out, over := th.watchers[watcher].Outcome()
	theirs, _ := th.players[player].Outcome()
	if !over || out.Match != theirs.Match || out.Frames != theirs.Frames || out.Hash != theirs.Hash ||
		out.Left != theirs.Left || out.Health != session.Healthy || th.watchers[watcher].Health() != session.Healthy {
		th.log(len(th.players) + watcher)
		th.Errorf("seed %d: the outcome is %+v, %v; that of the players %+v", *seedFlag, out, over, theirs)
	}
}

// Whenever a spectator comes, it sees what the players agree on, and the same end.
func TestASpectatorMayComeAtAnyTime(t *testing.T) {
	for name, c := range map[string]struct {
		at    time.Duration
		least int
	}{
		"before the peers meet": {0, 1200},
		"at frame 0":            {100 * time.Millisecond, 1200},
		"soon":                  {time.Second, 1200},
		"in the middle":         {10 * time.Second, 500},
		"in the last second":    {19500 * time.Millisecond, 1},
		"after the end":         {25 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, smallGame(), 2, lan(), nil)
			th.run(c.at)
			w := th.watch(smallGame(), []int{1}, nil)
			th.run(30*time.Second - c.at)
			th.sameStream(w, c.least)
			th.sameEnd(0, 1)
			if c.at < 15*time.Second && th.saw(w, session.Live) == nil {
				t.Error("it was never live")
			}
		})
	}
}

// Spectators stay for the next match.
func TestSpectatorsStayForARematch(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Lobby = true })
	th.start = func(p session.Parameters) (func(s *small), error) {
		return func(s *small) { s.Total = p.Seed }, nil
	}
	early := th.watch(smallGame(), []int{0, 1}, nil)
	late := th.watch(smallGame(), []int{1}, nil)
	for match := range 3 {
		if !th.until(10*time.Second, func() bool { return th.players[0].Phase() == session.Lobby && th.players[1].Phase() == session.Lobby }) {
			t.Fatalf("match %d: no lobby", match)
		}
		th.run(time.Second)
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		check(th.players[0].Propose(session.Parameters{Frames: 400, Seed: uint64(match)}))
		th.until(time.Second, func() bool { return th.players[1].Phase() == session.Starting })
		check(th.players[1].Accept())
		check(th.players[1].Ready())
		th.until(10*time.Second, func() bool { return th.players[0].Phase() == session.Playing })
		th.until(20*time.Second, func() bool { return th.players[0].Phase() != session.Playing })
		th.run(2 * time.Second)
		for i, node := range []int{early, late} {
			th.sameStream(node, 400)
			th.sameEnd(i, 0)
			if got := th.watchers[i].Stats(nil).Match; got != uint32(match+1) {
				t.Errorf("after match %d, the statistics are of match %d", match+1, got)
			}
		}
	}
	// In between, the host's simulation is at the beginning of a match that is not
	// played: no spectator may get that as the end of the last one.
	if err := th.players[0].Propose(session.Parameters{Frames: 400, Seed: 99}); err != nil {
		t.Fatal(err)
	}
	th.run(500 * time.Millisecond)
	w := th.watch(smallGame(), []int{0}, nil)
	th.run(5 * time.Second)
	th.sameStream(w, 0)
	if th.watchers[2].Health() == session.Desynced {
		t.Error("it was given a state of another match")
	}
}

// All spectators that there is room for see everything, and any further one is told why
// it cannot watch.
func TestThereIsRoomForSoMany(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	th.run(time.Second)
	for i := range spectate.MaxSpectators {
		if th.watch(smallGame(), []int{0}, nil); i%8 == 0 {
			th.run(100 * time.Millisecond)
		}
	}
	th.run(4 * time.Second)
	if n := th.players[0].Stats(nil).Spectators.Spectators; n != spectate.MaxSpectators {
		t.Fatalf("%d watch", n)
	}
	th.watch(smallGame(), []int{0}, func(c *session.SpectatorConfig) { c.ConnectTimeout = 3 * time.Second })
	th.run(30 * time.Second)
	for i := range spectate.MaxSpectators {
		th.sameStream(2+i, 1000)
		th.sameEnd(i, 0)
	}
	th.refused(spectate.MaxSpectators, "there is no room for another spectator")
}

// refused checks that a spectator is refused for a reason.
func (th *theatre[S]) refused(watcher int, why string) {
	th.Helper()
	var nobody *spectate.HostsError
	var bye *spectate.ByeError
	if err := th.watchers[watcher].Err(); !errors.As(err, &nobody) || !errors.As(err, &bye) || bye.Reason != why {
		th.log(len(th.players) + watcher)
		th.Errorf("it is told %v", err)
	}
}

func TestAnAddressHasRoomForSoMany(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(_ int, c *session.Config) { c.Spectators.MaxPerAddress = 1 })
	th.watch(smallGame(), []int{0}, nil)
	twin := th.watch(smallGame(), []int{0}, func(c *session.SpectatorConfig) { c.ConnectTimeout = 3 * time.Second })
	th.alias = map[int]int{twin: twin - 1}
	other := th.watch(smallGame(), []int{0}, nil)
	th.run(30 * time.Second)
	th.sameStream(other-1, 0)
	th.sameEnd(0, 0)
	th.refused(1, "there is no room for another spectator from this address")
	th.sameEnd(2, 0)
}

// A spectator with the wrong game is told so by name, and a machine that admits no
// spectators does not answer.
func TestASpectatorIsToldWhatDoesNotFit(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), func(i int, c *session.Config) { c.Spectators.Max *= 1 - i })
	th.watch(smallGame(), []int{0, 1}, func(c *session.SpectatorConfig) { c.Build, c.ConnectTimeout = "other", 3*time.Second })
	th.run(10 * time.Second)
	var mismatch *session.MismatchError
	if err := th.watchers[0].Err(); !errors.As(err, &mismatch) || mismatch.Item != "build" {
		t.Errorf("it is told %v", err)
	}
}

// The negative control: another game under the same name is noticed.
func TestASpectatorWithAnotherGameIsDesynced(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	other := smallGame()
	step := other.Step
	other.Step = func(s *small, tick *smallTick) { step(s, tick); s.Total += s.Frame / 500 }
	w := th.watch(other, []int{0}, nil)
	th.run(30 * time.Second)
	e := th.saw(w, session.Desync)
	out, over := th.watchers[0].Outcome()
	if e == nil || e.Frame < 500 || e.Frame > 600 || e.Ours == e.Theirs || !over || out.Health != session.Desynced {
		th.log(w)
		t.Errorf("%v, %+v", e, out)
	}
}

func TestALargeStateComesInTime(t *testing.T) {
	long(t)
	link := netem.Link{Delay: 50 * time.Millisecond, Bandwidth: 1 << 20}
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 0 })
	th.run(10 * time.Second)
	for i := 2; i < 4; i++ {
		th.link(0, i, link)
		th.link(i, 0, link)
	}
	start := th.now
	w := th.watch(bigGame(), []int{0}, nil)
	if !th.until(4*time.Second, func() bool { return th.saw(w, session.Live) != nil }) {
		th.log(w)
		t.Error("it is not live after 4 s")
	}
	t.Logf("live after %v; %+v", th.now-start, th.players[0].Stats(nil).Spectators)
	th.run(5 * time.Second)
	th.sameStream(w, 200)
}
