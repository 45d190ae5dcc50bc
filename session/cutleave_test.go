package session

import (
	"testing"
	"time"
)

// Rule: a newcomer that leaves either names the first frame without it, or has not been in the
// match: a message too short to name a frame names none.
func TestACutLeaveOfANewcomer(t *testing.T) {
	for n := range 5 {
		m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
		m.playing()
		m.run(time.Second)
		m.newcomer(3, m.nodes[0])
		host := m.nodes[0]
		c := host.newcomers[0]
		b := append(about(messageLeave, host.match.Number()), []byte{0xFF, 0xFF, 0xFF, 0xFF}[:n]...)
		if err := host.receiveNewcomer(c, b); err != nil || (c.state == gone) != (n < 4) || c.said != (n == 4) {
			t.Errorf("with %d bytes of a frame: %v, gone %v, said %v", n, err, c.state == gone, c.said)
		}
	}
}
