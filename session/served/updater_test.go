package served

import (
	"testing"
	"time"
)

// Rule: a client that is silent gets no whole state: it would be old when it comes. Silent is who has sent
// nothing for a second, and for four ticks, since a client may send no more than one datagram for each.
func TestWhoIsSilentGetsNoWholeState(t *testing.T) {
	for _, c := range []struct {
		rate   int
		silent time.Duration
		gets   bool
	}{
		{50, time.Second, true},
		{50, time.Second + 1, false},
		{4, time.Second + 1, false},
		{1, 4 * time.Second, true},
		{1, 4*time.Second + 1, false},
	} {
		f := newFixture(t)
		f.server.cfg.TickRate = c.rate
		p, _ := f.other.Player()
		k := f.server.clients.of[p]
		k.view, k.fullStates = view{}, fullStates{} // it holds nothing, and has got nothing
		now := f.now + time.Minute
		k.pipe.Heard = now - c.silent
		f.server.updater.tell(k, now)
		if gets := k.fullStates.at != 0; gets != c.gets {
			t.Errorf("at %d ticks a second, silent for %v: it gets a whole state: %v", c.rate, c.silent, gets)
		}
	}
}
