package session

import (
	"math"
	"testing"
	"time"
)

// Rule: a time-out may have the maximum duration, which means for ever: nothing overflows. A match begins, is paused, goes
// on and ends.
func TestWaitsMayLastForEver(t *testing.T) {
	const forever = time.Duration(math.MaxInt64)
	for name, set := range map[string]func(c *Config){
		"ConnectTimeout": func(c *Config) { c.ConnectTimeout = forever },
		"ReadyTimeout":   func(c *Config) { c.ReadyTimeout = forever },
		"Linger":         func(c *Config) { c.Linger = forever },
		"QuorumTimeout":  func(c *Config) { c.QuorumTimeout = forever },
		"MaxPause":       func(c *Config) { c.MaxPause = forever },
		"all": func(c *Config) {
			c.ConnectTimeout, c.ReadyTimeout, c.Linger, c.QuorumTimeout, c.MaxPause = forever, forever, forever, forever, forever
		},
		"AutoDelay": func(c *Config) { c.AutoDelay = AutoDelay{On: true, Rollback: math.MaxInt} },
		"Evidence":  func(c *Config) { c.Evidence = math.MinInt },
		"HashEvery": func(c *Config) { c.HashEvery = math.MinInt },
	} {
		m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 400; set(c) })
		m.playing()
		m.run(time.Second)
		if err := m.nodes[1].Pause(); err != nil {
			t.Fatal(err)
		}
		m.until(name+": a pause", 2*time.Second, func() bool { _, n := m.nodes[0].saw(Paused); return n > 0 })
		m.run(2 * time.Second)
		if err := m.nodes[1].Unpause(); err != nil {
			t.Fatal(err)
		}
		m.until(name+": the end", 20*time.Second, func() bool {
			for _, n := range m.nodes {
				if o, ok := n.Outcome(); !ok || o.Frames != 400 {
					return false
				}
			}
			return true
		})
		m.nodes[2].Leave("")
		m.nodes[1].Leave("")
		m.nodes[0].Leave("")
		m.until(name+": all are done", 20*time.Second, func() bool { return m.nodes[0].Done() && m.nodes[1].Done() && m.nodes[2].Done() })
		m.same()
	}
}
