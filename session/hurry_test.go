package session

import (
	"testing"
	"time"
)

// Rule: messages of the log are sent immediately while frames wait for them, and not only when
// the next datagram is due.
func TestTheLogIsInAHurryWhileFramesWait(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	answers := 0
	for end := tr.now + 10*time.Second; tr.now < end; tr.now += 4 * time.Millisecond {
		for i, p := range tr.peers[:2] { // nothing arrives from the third one any more
			p.Update(tr.now)
			p.Events()
			for to, b := range p.Outgoing() {
				other := tr.peers[1-i]
				if to != addrOf(1-i) {
					continue
				}
				waited := other.match.Log().Stopped() != 0
				before := other.out.Len()
				other.Receive(tr.now, addrOf(i), b)
				if (waited || other.match.Log().Stopped() != 0) && other.out.Len() > before {
					answers++
				}
			}
		}
	}
	if answers == 0 || tr.peers[0].match.Log().State().Has(0b100) {
		t.Errorf("%d answers at once, and the one that was lost is in the match: %v", answers, tr.peers[0].match.Log().State().Has(0b100))
	}
}
