package console

import (
	"flag"
	"testing"
	"time"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

var minutes = flag.Int("nes.minutes", 0, "play for so many minutes, over the network awful")

// Rule: two machines come to the same states over a bad network, for as long as they play.
func TestMinutes(t *testing.T) {
	if *minutes == 0 {
		t.Skip("a minute of two machines emulates some 10,000 frames, which takes half of it or more: add -nes.minutes 10")
	}
	match, err := Collect(nil)
	if err != nil {
		t.Fatal(err)
	}
	profile, err := netem.ProfileNamed("awful")
	if err != nil {
		t.Fatal(err)
	}
	frames := *minutes * Minute
	script := []Input{Right, Down, Left, Up, Right | Down, Left | Up, 0}
	f, err := fleet.New(fleet.Setup[nes.Console, Input]{
		Game: match.Game, Players: Seats, Seed: 7, Link: profile.Link,
		// Nobody goes the same way for long, and both turn at different times.
		Input: func(p rollback.Player, n int) Input { return script[(n/(11+4*int(p))+n/97)%len(script)] },
		Configure: func(peer int, c *session.Config) {
			c.TickRate, c.Rate = 0, Rate
			c.Match = session.Parameters{Frames: session.Frame(frames), Content: match.Content, Data: Dots(0)}
			c.Delay[peer] = 2
		},
		Hooks: func(_ int, h *session.Hooks[nes.Console, Input]) { h.Start = match.Start },
	})
	if err != nil {
		t.Fatal(err)
	}
	over := func() bool {
		for _, p := range f.Peers {
			if _, ended := p.Outcome(); !ended && p.Err() == nil {
				return false
			}
		}
		return true
	}
	f.RunUntil(time.Duration(2**minutes+1)*time.Minute, over)
	var ends [Seats]session.Outcome
	for i, p := range f.Peers {
		end, ended := p.Outcome()
		stats := p.Stats(nil)
		t.Logf("machine %d: %d frames in %v, state %016x, %d rollbacks, %d frames again, %v waited",
			i, end.Frames, stats.Uptime.Round(time.Second), end.Hash, stats.Engine.Rollbacks, stats.Engine.Resimulated, stats.Stalled.Round(time.Second))
		if !ended || int(end.Frames) != frames || end.Health != session.Healthy {
			t.Errorf("machine %d: over %v, %+v, %v", i, ended, end, p.Err())
		}
		if stats.Engine.Rollbacks == 0 {
			t.Errorf("machine %d rolls nothing back", i)
		}
		ends[i] = end
	}
	if ends[0].Hash != ends[1].Hash {
		t.Errorf("the last states are %016x and %016x", ends[0].Hash, ends[1].Hash)
	}
}
