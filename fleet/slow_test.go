package fleet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// slowMatch is a match in which the last machine is slow, and what is measured of it.
type slowMatch struct {
	players  int
	lockstep bool
	cost     fleet.Cost // of the last player's machine, or of the spectator, if watched
	watched  bool
	rest     fleet.Cost // of the others
	delay    time.Duration
	framed   bool
}

// slowFigures are those of the last 20 seconds of 25.
type slowFigures struct {
	frames       float64 // of the match, a second
	slow, other  float64 // pictures a second, at the slow machine and at the worst of the others
	slowGap, gap time.Duration
}

func (f slowFigures) String() string {
	return fmt.Sprintf("%.1f frames/s; slow: %.1f pictures/s, longest gap %v; others: %.1f, %v", f.frames, f.slow, f.slowGap.Round(100*time.Microsecond), f.other, f.gap.Round(100*time.Microsecond))
}

func (m slowMatch) play(t *testing.T) (f slowFigures) {
	t.Helper()
	nodes := m.players
	s := fleet.Setup[tinyState, uint32]{
		Game: tiny, Players: m.players, Input: heldInput, Link: netem.Link{Delay: m.delay}, Seed: 3, Late: staggered(m.players), Frame: m.framed,
		Configure: func(peer int, c *session.Config) {
			if c.TickRate = 60; m.lockstep {
				c.Lockstep, c.Delay = true, [session.MaxPlayers]int{}
				c.Delay[peer] = 3
			}
			c.Spectators = spectate.Config{Max: 4}
		},
	}
	if m.watched {
		nodes++
		s.Spectators = []fleet.SpectatorSetup{{Hosts: []int{0}}}
		s.ConfigureSpectator = func(_ int, c *session.SpectatorConfig) { c.TickRate = 60 }
	}
	s.Costs = func(node int) fleet.Cost {
		switch {
		case node == nodes-1:
			return m.cost
		case m.rest == (fleet.Cost{}):
			return fleet.Cost{Frame: time.Microsecond}
		}
		return m.rest
	}
	fl, err := fleet.New(s)
	if err != nil {
		t.Fatal(err)
	}
	const warm, length = 5 * time.Second, 20 * time.Second
	fl.Run(warm)
	began := make([]uint64, nodes)
	for i := range nodes {
		w := fl.Work(i)
		began[i], w.Longest = w.Pictures, 0
	}
	first := fl.Peers[0].Frame()
	fl.Run(length)
	f.frames, f.other = float64(fl.Peers[0].Frame()-first)/length.Seconds(), 1e9
	for i := range nodes {
		w := fl.Work(i)
		rate := float64(w.Pictures-began[i]) / length.Seconds()
		if i == nodes-1 {
			f.slow, f.slowGap = rate, w.Longest
			continue
		}
		f.other, f.gap = min(f.other, rate), max(f.gap, w.Longest)
	}
	for _, p := range fl.Peers {
		if p.Phase() != session.Playing {
			t.Errorf("peer %d is %v: %v", p.Index, p.Phase(), p.Err())
		}
	}
	return f
}

// Rule: a machine whose frames take longer than a tick period shows each frame, all others show as many, and none
// waits for more than two frames of the slow one. The match runs at the speed of that machine, and not below. -v
// prints how many frames each showed.
func TestASlowMachine(t *testing.T) {
	const ms, overhead = time.Millisecond, time.Millisecond
	for _, mode := range []struct {
		name string
		slowMatch
	}{
		{"2 peers", slowMatch{players: 2, delay: 25 * ms}},
		{"2 peers, framed", slowMatch{players: 2, delay: 25 * ms, framed: true}},
		{"4 peers", slowMatch{players: 4, delay: 25 * ms}},
		{"8 peers, far", slowMatch{players: 8, delay: 50 * ms}},
		{"lockstep", slowMatch{players: 3, delay: 20 * ms, lockstep: true}},
		{"spectator", slowMatch{players: 2, delay: 25 * ms, watched: true}},
	} {
		for _, step := range []time.Duration{12, 15, 17, 20, 25, 33, 40} {
			m := mode.slowMatch
			m.cost = fleet.Cost{Frame: step * ms, Again: step * ms, Picture: overhead}
			f := m.play(t)
			t.Logf("| %s | %v | %v |", mode.name, step*ms, f)
			period := time.Second / 60
			each := max(step*ms+overhead, period)
			least := time.Second.Seconds() / each.Seconds() * 0.96
			gap := 2 * max(step*ms+overhead, period)
			slowGap := gap
			if each == period { // it is not always behind, and rolls back two frames
				slowGap = period + 2*step*ms
			}
			if m.watched {
				if f.slow < least || f.frames < 59 || f.slowGap > gap {
					t.Errorf("%s, %v: %v", mode.name, step*ms, f)
				}
				continue
			}
			if f.frames < least || f.slow < least || f.other < least || f.slowGap > slowGap || f.gap > gap {
				t.Errorf("%s, %v: %v; want %.1f, and gaps up to %v", mode.name, step*ms, f, least, gap)
			}
		}
	}
}

// Rule: in matches of the profile slow, whatever the work of the machines costs, all promises hold: among them
// that the match is as fast as its slowest machine.
func TestSlowMatches(t *testing.T) {
	seeds := 60
	if testing.Short() {
		seeds = 12
	}
	for seed := range uint64(seeds) {
		for _, players := range []int{2, 3, 4, 8} {
			p, err := fleet.Draw(seed*101, fleet.Slow, players, 30*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			res, err := fleet.Play(tiny, p, fleet.Options[tinyState, uint32]{})
			if err != nil || !res.OK() {
				t.Errorf("%v\n%v %v", &p, err, res.Violations)
			}
		}
	}
}
