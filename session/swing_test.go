package session

import (
	"testing"
	"time"
)

// Rule: at every tick rate two clocks that are apart converge within some seconds, and stay together: they do not
// oscillate, however long it takes to exchange their lags.
func TestClocksComeTogetherAndStay(t *testing.T) {
	for _, rate := range []int{20, 60, 240, MaxTickRate} {
		for _, way := range []time.Duration{5 * time.Millisecond, 50 * time.Millisecond} {
			m := newMesh(t, 2, 0, func(_ int, c *Config) { c.DropAfter, c.WarnAfter, c.Match.Frames, c.TickRate = 0, 0, 1<<24, rate })
			m.way, m.step = way, fine(rate)
			m.until("the match", 10*time.Second, func() bool { return m.nodes[0].Phase() == Playing && m.nodes[1].Phase() == Playing })
			s := &m.nodes[1].pacing.schedule
			s.SetNext(s.Next() + 60*time.Millisecond)
			ahead := func() time.Duration {
				var at [2]time.Duration
				for i, n := range m.nodes {
					at[i] = time.Duration(n.frame)*n.nominal - n.clock.External(n.pacing.schedule.Next())
				}
				return at[0] - at[1]
			}
			m.run(6 * time.Second)
			least, most := ahead(), ahead()
			for end := m.now + 2*time.Second; m.now < end; {
				m.run(10 * time.Millisecond)
				least, most = min(least, ahead()), max(most, ahead())
			}
			if limit := max(time.Millisecond, m.nodes[0].nominal/10); max(most-least, most, -least) > limit {
				t.Errorf("%d Hz, %v one way: one is between %v and %v ahead of the other", rate, way, least, most)
			}
		}
	}
}
