package session

import (
	"slices"
	"testing"
	"time"
)

// delays checks the delay once for each of these path lengths to the other machine, in
// frames, and returns the delays chosen.
func delays(t *testing.T, n *node, ways ...int) (chosen []int) {
	t.Helper()
	l := n.links[0]
	for _, way := range ways {
		// Half of a round trip and the jitter.
		l.RoundTrip.Smoothed, l.RoundTrip.Deviation = time.Duration(2*way-2)*n.nominal, n.nominal
		n.now += time.Second
		n.adaptDelay()
		d, _ := n.sim.Delay(n.local[0])
		chosen = append(chosen, d)
	}
	return chosen
}

// The delay covers the path minus the frames that may be rolled back, within its bounds. It
// grows immediately, and shrinks by one frame when a shorter one would have been enough at
// five checks in a row.
func TestTheDelayFollowsTheWay(t *testing.T) {
	for _, c := range []struct {
		what       string
		ways, want []int
	}{
		{"it grows at once", []int{5, 6, 8}, []int{3, 4, 6}},
		{"it shrinks slowly", []int{6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, []int{4, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2}},
		{"one long way in between", []int{6, 4, 4, 4, 4, 6, 4, 4, 4, 4, 4}, []int{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3}},
		{"a longer one in between", []int{6, 4, 4, 4, 4, 7, 4, 4, 4, 4, 4}, []int{4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 4}},
		{"at most", []int{50, 50}, []int{7, 7}},
		{"at least", []int{4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []int{2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1}},
	} {
		t.Run(c.what, func(t *testing.T) {
			m := newMesh(t, 2, 0, func(_ int, c *Config) {
				c.AutoDelay = AutoDelay{On: true, Rollback: 2, Min: 1, Max: 7}
				c.Match.Frames = 600
			})
			m.way = 5 * time.Millisecond
			m.playing()
			n := m.nodes[0]
			if d, _ := n.sim.Delay(n.local[0]); d != 1 {
				t.Fatalf("it begins with %d", d)
			}
			if got := delays(t, n, c.ways...); !slices.Equal(got, c.want) {
				t.Errorf("ways of %v frames: %v, want %v", c.ways, got, c.want)
			}
		})
	}
}

// The delay is checked once a second while a match is played, not at every call.
func TestTheDelayIsLookedAtEverySecond(t *testing.T) {
	m := newMesh(t, 2, 0, func(_ int, c *Config) {
		c.AutoDelay = AutoDelay{On: true, Max: 20}
		c.Match.Frames = 600
	})
	m.playing()
	n := m.nodes[0]
	before, _ := n.sim.Delay(n.local[0])
	n.links[0].RoundTrip.Smoothed += 10 * n.nominal
	n.adaptDelay()
	if d, _ := n.sim.Delay(n.local[0]); d != before {
		t.Errorf("the delay has grown from %d to %d before its time", before, d)
	}
	n.now += time.Second
	n.adaptDelay()
	if d, _ := n.sim.Delay(n.local[0]); d <= before {
		t.Errorf("the delay is %d a second later, and was %d", d, before)
	}
}

// The delay of a local player can be changed during the match; that of other players cannot,
// and none can if the delay is chosen automatically.
func TestADelayIsChanged(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.peers[0].sim.hooks.Sample = func(Player) uint16 { return 7 } // what is held may be held longer
	if err := tr.peers[0].SetDelay(0, 5); err != nil {
		t.Fatal(err)
	}
	tr.run(500 * time.Millisecond)
	if s := tr.stats(0); s.Delay[0] != 5 {
		t.Errorf("the delay is %v", s.Delay)
	}
	if err := tr.peers[0].SetDelay(1, 5); err == nil {
		t.Error("it changes the delay of somebody else")
	}
	chosen := newTrio(t, 2, func(c *Config) { c.AutoDelay.On = true })
	if err := chosen.peers[0].SetDelay(0, 5); err == nil {
		t.Error("it changes a delay that is chosen")
	}
}

// The delay follows the path while a match is played, whether the owner calls Update or Step.
func TestTheDelayFollowsTheWayByItself(t *testing.T) {
	for _, steps := range []bool{false, true} {
		tr := newTrio(t, 2, func(c *Config) { c.AutoDelay = AutoDelay{On: true, Max: 20} })
		tr.run(time.Second)
		m := tr.peers[0]
		m.links[0].RoundTrip.Smoothed += 20 * m.nominal
		before, _ := m.sim.Delay(0)
		for range 70 {
			if steps {
				tr.now += m.Step(tr.now)
			} else {
				tr.now += m.nominal
				m.Update(tr.now)
			}
		}
		if d, _ := m.sim.Delay(0); d < before+8 {
			t.Errorf("who steps: %v, the delay is %d, and was %d", steps, d, before)
		}
	}
}
