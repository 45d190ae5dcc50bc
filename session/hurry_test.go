package session

import (
	"testing"
	"time"
)

// Rule: what the log has to say goes out at once while frames wait for it, and not only when it
// is time for another datagram.
func TestTheLogIsInAHurryWhileFramesWait(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	answers := 0
	for end := tr.now + 10*time.Second; tr.now < end; tr.now += 4 * time.Millisecond {
		for i, p := range tr.peers[:2] { // nothing comes from the third one any more
			p.Update(tr.now)
			p.Events()
			for to, b := range p.Outgoing() {
				other := tr.peers[1-i]
				if to != addrOf(1-i) {
					continue
				}
				waited := other.core.Stopped() != 0
				before := other.out.Len()
				other.Receive(tr.now, addrOf(i), b)
				if (waited || other.core.Stopped() != 0) && other.out.Len() > before {
					answers++
				}
			}
		}
	}
	if answers == 0 || tr.peers[0].core.State().Has(0b100) {
		t.Errorf("%d answers at once, and the one that was lost is in the match: %v", answers, tr.peers[0].core.State().Has(0b100))
	}
}
