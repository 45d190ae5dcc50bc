package session_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/stream"
)

func (th *theatre[S]) recordPlayer(i int) *session.Reel {
	th.Helper()
	r := new(session.Reel)
	if err := th.players[i].Record(r, session.EveryFrame); err != nil {
		th.Fatal(err)
	}
	return r
}

func (th *theatre[S]) recordSpectator(i int) *session.Reel {
	th.Helper()
	r := new(session.Reel)
	if err := th.watchers[i].Record(r, session.EveryFrame); err != nil {
		th.Fatal(err)
	}
	return r
}

// Rule: a spectator records the same as the players: from frame 0, from the state with
// which it begins, or from the middle; also when a player has left, and with another
// host.
func TestSpectatorsRecordWhatPlayersDo(t *testing.T) {
	th := open(t, smallGame(), 3, netem.Link{Delay: 20 * time.Millisecond, Loss: 30000}, func(_ int, c *session.Config) { c.OnLeave = session.Continue })
	reels := []*session.Reel{th.recordPlayer(0)}
	th.watch(smallGame(), []int{0, 1}, nil)
	reels = append(reels, th.recordSpectator(0))
	th.run(3 * time.Second)
	th.players[2].Leave("")
	th.run(2 * time.Second)
	th.watch(smallGame(), []int{0, 1}, nil) // a state comes
	reels = append(reels, th.recordSpectator(1))
	th.watch(smallGame(), []int{1}, nil)
	th.run(3 * time.Second)
	reels = append(reels, th.recordSpectator(2)) // in the middle
	th.link(0, 4, netem.Link{Down: true})        // the first spectator continues at the next host
	th.run(40 * time.Second)
	for i, r := range reels {
		if s := reels[0].Differs(r); s != "" {
			t.Errorf("seed %d, recorders 0 and %d: %s", *seedFlag, i, s)
		}
		if err := session.Replays(r, smallGame()); err != nil {
			t.Errorf("seed %d, recorder %d: %v", *seedFlag, i, err)
		}
		if e := r.Done; e == nil || !e.Ended || e.Next != 1200 || e.Outcome.Chain != reels[0].Done.Outcome.Chain || e.Outcome.Left != session.PlayerSet(0b100) {
			t.Errorf("seed %d, recorder %d ends with %+v", *seedFlag, i, e)
		}
		if i > 1 != (r.Start.First > 0) || len(r.States) < 5 {
			t.Errorf("seed %d, recorder %d begins with frame %d and has %d states", *seedFlag, i, r.Start.First, len(r.States))
		}
	}
}

// Rule: a spectator that is shown the same match again, from the beginning, records no
// frame twice.
func TestNoFrameIsRecordedTwice(t *testing.T) {
	th := open(t, ownGame(false), 2, lan(), func(_ int, c *session.Config) { c.OnLeave = session.Continue })
	th.watch(ownGame(false), []int{0, 1}, func(c *session.SpectatorConfig) { c.JitterBuffer = 200 })
	players, r := th.recordPlayer(1), th.recordSpectator(0)
	th.until(5*time.Second, func() bool { return th.watchers[0].Stats(nil).Confirmed > 150 })
	th.nodes[0].down = true
	th.run(40 * time.Second)
	if s := players.Differs(r); s != "" || r.Start.First != 0 || len(r.Frames) != 1200 || r.Done == nil || !r.Done.Ended {
		t.Errorf("%s, frames %d to %d, %+v", s, r.Start.First, len(r.Frames), r.Done)
	}
	if len(r.States) != 0 {
		t.Errorf("%d states of a game that cannot marshal", len(r.States))
	}
	var missing *rollback.CapabilityError
	th = open(t, ownGame(false), 2, lan(), nil)
	th.watch(ownGame(false), []int{0}, nil)
	th.run(3 * time.Second)
	if err := th.watchers[0].Record(new(session.Reel), session.EveryFrame); !errors.As(err, &missing) {
		t.Errorf("a recording of it from the middle: %v", err)
	}
}

// Rule: a recording of a spectator ends with it.
func TestARecordingEndsWithTheSpectator(t *testing.T) {
	th := open(t, smallGame(), 2, lan(), nil)
	th.watch(smallGame(), []int{0}, nil)
	r := th.recordSpectator(0)
	if err := th.watchers[0].Record(new(session.Reel), session.EveryFrame); !errors.Is(err, session.ErrRecording) {
		t.Errorf("a second one: %v", err)
	}
	th.run(3 * time.Second)
	th.watchers[0].Leave("")
	if e := r.Done; e == nil || e.Ended || !errors.Is(e.Over, session.ErrClosed) || e.Next < 60 {
		t.Errorf("it ends with %+v", e)
	}
	th.watch(smallGame(), nil, func(c *session.SpectatorConfig) { c.Hosts = []addrPort{nodeAddr(40)} })
	r = th.recordSpectator(1)
	th.run(20 * time.Second)
	if e := r.Done; e == nil || r.Start != nil || !errors.Is(e.Failed, stream.ErrUnrecorded) || e.Over == nil {
		t.Errorf("nothing to watch: %+v", e)
	}
}
