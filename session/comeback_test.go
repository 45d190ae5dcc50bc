package session

import (
	"testing"
	"time"
)

// A process that is killed can come back at its old address, like a process that is
// started again: soon, before the others have given it up, and late.
func TestAComebackAtTheSameAddress(t *testing.T) {
	for _, away := range []time.Duration{100 * time.Millisecond, DefaultDropAfter + 3*time.Second} {
		m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 1500 })
		m.playing()
		m.run(time.Second)
		gone := m.nodes[2]
		gone.down = true
		m.run(away)
		back := m.join(gone.addr, 2, addrOf(0), addrOf(1))
		m.until("the return", 15*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
		m.theEnd(60 * time.Second)
		if o, over := back.Outcome(); !over || o.Frames != 1500 || o.Health != Healthy {
			t.Errorf("after %v: %+v", away, o)
		}
	}
}

// The log of a match ends with the match: players who leave afterwards, as all do, are
// not in it, and all machines have the same log.
func TestTheLogEndsWithTheMatch(t *testing.T) {
	noticed := 0
	for loss := range 20 {
		m := newMesh(t, 2, 0, func(_ int, c *Config) { c.Match.Frames = 120 })
		m.playing()
		m.loss = 2 * loss
		left := [2]bool{}
		for range 8000 {
			m.run(2 * time.Millisecond)
			for i, n := range m.nodes {
				if _, over := n.Outcome(); over && !left[i] {
					left[i] = true
					n.Leave("closed")
				}
			}
		}
		for i, n := range m.nodes {
			if o, over := n.Outcome(); !over || o.Frames != 120 || len(n.Log()) > 0 {
				t.Errorf("loss of %d %%, node %d: %+v, log %v", m.loss, i, o, n.Log())
			}
			noticed += int(n.Stats(nil).Changes)
		}
	}
	if noticed == 0 {
		t.Error("nobody has gone while others still wait for the end: this tests nothing")
	}
}
