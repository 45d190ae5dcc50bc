package session

import (
	"testing"
	"time"
)

// Rule: a newcomer that leaves says from which frame on, or it has not been in the match: what
// is too short to name a frame says nothing of one.
func TestACutLeaveOfANewcomer(t *testing.T) {
	for n := range 5 {
		m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
		m.playing()
		m.run(time.Second)
		m.newcomer(3, m.nodes[0])
		host := m.nodes[0]
		c := host.newcomers[0]
		b := append(about(messageLeave, host.match.number), []byte{0xFF, 0xFF, 0xFF, 0xFF}[:n]...)
		if err := host.receiveNewcomer(c, b); err != nil || (c.state == gone) != (n < 4) || c.said != (n == 4) {
			t.Errorf("with %d bytes of a frame: %v, gone %v, said %v", n, err, c.state == gone, c.said)
		}
	}
}
