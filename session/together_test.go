package session

import (
	"testing"
	"time"
)

// Two newcomers that come at almost the same time, to different machines, both get in,
// even if the log has one of them before the other knows its address.
func TestTwoJoinAtOnce(t *testing.T) {
	steps := 5
	if testing.Short() {
		steps = 2
	}
	for way := range 4 {
		for gap := range steps {
			for later := range steps {
				m := newMesh(t, 4, 0b1100, func(_ int, c *Config) { c.Match.Frames = 300 })
				m.way = time.Duration(way) * 2 * time.Millisecond
				m.playing()
				m.run(time.Second + time.Duration(later)*4*time.Millisecond)
				three := m.join(m.somewhere(), 2, addrOf(0))
				m.run(time.Duration(gap) * 4 * time.Millisecond)
				four := m.join(m.somewhere(), 3, addrOf(1))
				m.until("both", 3*time.Second, func() bool {
					_, a := four.saw(Joined)
					_, b := three.saw(Joined)
					return a > 0 && b == 2
				})
				m.theEnd(10 * time.Second)
			}
		}
	}
}
