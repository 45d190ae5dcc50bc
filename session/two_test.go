package session

import (
	"testing"
	"time"
)

// Two who come at the same moment, to different machines, both get in.
func TestTwoJoinAtOnce(t *testing.T) {
	for way := range 4 {
		for gap := range 6 {
			for later := range 5 {
				m := newMesh(t, 4, 0b1100, func(_ int, c *Config) { c.Match.Frames = 1500 })
				m.way = time.Duration(way) * 2 * time.Millisecond
				m.playing()
				m.run(3*time.Second + time.Duration(later)*4*time.Millisecond)
				three := m.join(m.somewhere(), 2, addrOf(0))
				m.run(time.Duration(gap) * 4 * time.Millisecond)
				four := m.join(m.somewhere(), 3, addrOf(1))
				m.until("both", 15*time.Second, func() bool { return three.core != nil && four.core != nil && three.core.Member() && four.core.Member() })
			}
		}
	}
}
