package session

import (
	"testing"
	"time"
)

// Who vanishes is back at the address that it had, as a process does that is started
// again: soon, before the others have given it up, and late.
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
