package session_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

func lan() netem.Link { return netem.Link{Delay: 20 * time.Millisecond} }

// sameStream compares what a spectator saw with what a player agreed on.
func (th *theatre[S]) sameStream(node int, least int) {
	th.Helper()
	theirs, seen := th.streams[0], 0
	for f, h := range th.streams[node] {
		if h == 0 {
			continue
		}
		if seen++; f >= len(theirs) || h != theirs[f] {
			th.Fatalf("node %d: frame %d is not what the players agreed on", node, f)
		}
	}
	if seen < least {
		th.Errorf("node %d saw %d frames, want at least %d", node, seen, least)
	}
}

func TestASpectatorSeesTheMatchFromTheBeginning(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	w := th.watch(smallGame(), []int{0}, nil)
	th.run(30 * time.Second)
	for _, e := range th.nodes[w].events {
		t.Log(e)
	}
	th.sameStream(w, 1200)
	out, over := th.watchers[0].Outcome()
	theirs, _ := th.players[0].Outcome()
	if !over || out.Frames != 1200 || out.Hash != theirs.Hash || out.Health != session.Healthy {
		t.Errorf("the outcome is %+v, %v; that of the players %+v", out, over, theirs)
	}
}

func TestASpectatorComesLate(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	th.run(10 * time.Second)
	w := th.watch(smallGame(), []int{1}, nil)
	th.run(20 * time.Second)
	for _, e := range th.nodes[w].events {
		t.Log(e)
	}
	th.sameStream(w, 500)
	if out, over := th.watchers[0].Outcome(); !over || out.Health != session.Healthy {
		t.Errorf("the outcome is %+v, %v", out, over)
	}
}

func TestALargeStateComesInTime(t *testing.T) {
	link := netem.Link{Delay: 50 * time.Millisecond, Bandwidth: 1 << 20}
	th := open(t, bigGame(), 2, lan(), func(_ int, c *session.Config) { c.Match.Frames = 0 })
	th.run(10 * time.Second)
	for i := 2; i < 4; i++ {
		th.link(0, i, link)
		th.link(i, 0, link)
	}
	start := th.now
	w := th.watch(bigGame(), []int{0}, nil)
	ok := th.until(10*time.Second, func() bool { return th.saw(w, session.Live) != nil })
	for _, e := range th.nodes[w].events {
		t.Log(e)
	}
	t.Logf("live after %v: %v; %+v", th.now-start, ok, th.players[0].Stats(nil).Audience)
}
